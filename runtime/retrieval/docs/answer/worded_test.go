package answer

import (
	"strings"
	"testing"
)

func TestKeepDropsWhatDoesNotStand(t *testing.T) {
	list := passages(cacheDoc, logDoc)
	for _, c := range []struct {
		name, reply string
		why         string // "" for what stands
		quote       string
	}{
		{"a quote", `The docs say "bounded by bytes, not by entries" [1].`, "", "bounded by bytes, not by entries"},
		{"a quote over the end of a line", `As it says, "Entries that were not read for a long time are thrown out first" [2].`, "", "were\nnot read"},
		{"a quote without its emphasis", `It says "Set cache.bytes to change that" [2].`, "", "Set `cache.bytes` to change that"},
		{"a quote of another passage", `It says "The server does not rotate its log" [1].`, "", "does not rotate"},
		{"a quote that is made up", `It says "the cache is kept on disk for ever" [1].`, NotThere, ""},
		{"a passage in other words", "By default the cache holds 64 MiB [2].", "", "64 MiB"},
		{"a passage that does not say it", "Kerberos tickets are renewed hourly by the scheduler [1].", NotQuoted, ""},
		{"no mark", "Logs are written to standard error as JSON.", "", "standard error"},
		{"another figure", "By default the cache holds 128 MiB [2].", OtherValue, ""},
		{"another option", "By default the cache holds 64 MiB, set by `cache_size` [2].", OtherValue, ""},
		{"a mark that there is not", "Logs go to the blue planet [99].", NotQuoted, ""},
		{"too long", strings.Repeat("cache ", MaxQuestion), TooLong, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			claims := ReadClaims(c.reply, list)
			if c.why == TooLong {
				claims = []Claim{{Text: c.reply, Quotes: []Quoted{{}}}}
			}
			k := Keep(claims, "How is it?", list)
			held(t, k.Citations, cacheDoc, logDoc)
			if c.why != "" {
				if k.Text != "" || len(k.Citations) != 0 || len(k.Dropped) == 0 || k.Dropped[0].Why != c.why {
					t.Errorf("%+v; want it dropped: %s", k, c.why)
				}
				return
			}
			if k.Text != c.reply || len(k.Citations) != 1 || !strings.Contains(k.Citations[0].Quote, c.quote) {
				t.Errorf("%+v", k)
			}
		})
	}
}

func TestKeepLeavesTheOtherSentences(t *testing.T) {
	k := Keep(ReadClaims("The cache keeps replies in memory [1]. It was written in 1969 by NASA. The command never removes pins [3].", passages(cacheDoc)), "", passages(cacheDoc))
	if k.Text != "The cache keeps replies in memory [1]. The command never removes pins [3]." || len(k.Dropped) != 1 || len(k.Citations) != 2 {
		t.Errorf("%+v", k)
	}
}

func TestEntities(t *testing.T) {
	const doc = `# Release Notes Of Everything

Version 2.4.1 was released on 10 May 2024 by Grace Hopper in Berlin; see https://example.org/a/b.html. Write to help@example.org.
Grace Hopper set ` + "`--log-level`" + ` and maxRetries. Since 2025-01-31 ECONNREFUSED and FST_ERR_BAD_URL are told apart from a TypeError.
Edit conf/server.yaml and call flush_all() or http.Client. In the Netherlands it is v3. The United Nations agree with Postgres, and Postgres with them.
`
	got := map[string]EntityKind{}
	count := map[string]int{}
	list := []Passage{{ID: "a", URI: "doc0.md", Text: doc, End: len(doc)}}
	for _, e := range Entities(append(list, list...)) { // what passages share counts once
		got[e.Text] = e.Kind
		count[e.Text] = e.Count
		for _, s := range e.Spans {
			if doc[s.Start:s.End] != e.Text {
				t.Errorf("%+v: %q", e, doc[s.Start:s.End])
			}
		}
	}
	for text, kind := range map[string]EntityKind{"2.4.1": Version, "v3": Version, "10 May 2024": Date, "2025-01-31": Date, "Grace Hopper": Name, "Berlin": Place, "Netherlands": Place,
		"https://example.org/a/b.html": URL, "help@example.org": Email, "--log-level": Option, "maxRetries": Identifier, "ECONNREFUSED": ErrorCode, "FST_ERR_BAD_URL": ErrorCode,
		"TypeError": ErrorCode, "conf/server.yaml": Path, "flush_all": Identifier, "United Nations": Name, "Postgres": Name} {
		if got[text] != kind {
			t.Errorf("%s is %q; want %s", text, got[text], kind)
		}
	}
	for _, text := range []string{"Version", "Write", "Edit", "Since", "Release Notes Of Everything", "In"} {
		if got[text] != "" {
			t.Errorf("%s is %s", text, got[text])
		}
	}
	if count["Grace Hopper"] != 2 || count["Postgres"] != 2 || count["2.4.1"] != 1 {
		t.Error(count)
	}
}
