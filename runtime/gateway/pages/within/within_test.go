package within

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func all(string) bool { return true }

// upTo lets so many bytes fit.
func upTo(n int) func(string) bool {
	return func(text string) bool { n -= len(text); return n >= 0 }
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of the log\n", i+1)
	}
	return b.String()
}

func TestParseRange(t *testing.T) {
	for text, want := range map[string]span{
		"120-180": {"", 120, 180, false}, "lines 120-180": {"lines", 120, 180, false}, "line 5": {"lines", 5, 5, false}, "5": {"", 5, 5, false},
		"L120-L180": {"lines", 120, 180, false}, "120:180": {"", 120, 180, false}, "120..180": {"", 120, 180, false}, "120 to 180": {"", 120, 180, false},
		"120 – 180": {"", 120, 180, false}, "180-120": {"", 120, 180, false}, "from line 3 to 9": {"lines", 3, 9, false}, "lines 3 through 9": {"lines", 3, 9, false},
		"120-": {"", 120, open, false}, "120-end": {"", 120, open, false}, "last 20": {"", 20, open, true}, "last 20 lines": {"lines", 20, open, true},
		"first 10 items": {"items", open, 10, false}, "-20": {"", 20, open, true}, "items 3-10": {"items", 3, 10, false}, "[3]": {"items", 3, 3, false},
		"[3:10]": {"items", 3, 9, false}, "[3:]": {"items", 3, open, false}, "[:10]": {"items", 0, 9, false}, `"7-9"`: {"", 7, 9, false}, "lines: 4-6": {"lines", 4, 6, false},
		"records 2,4": {"items", 2, 4, false}, "[120, 180]": {"", 120, 180, false}, "lines=3-4": {"lines", 3, 4, false},
		"99999999999999999999": {"", 999999999, 999999999, false}, "line #12": {"lines", 12, 12, false},
	} {
		if got, ok := parseRange(text); !ok || got != want {
			t.Errorf("%q is %+v (%v), want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "all", "lines", "a-b", "1-2-3", "1 2", "[]", "[5:3]", "3.5", "id=abc", strings.Repeat("1", 500)} {
		if got, ok := parseRange(text); ok {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestRange(t *testing.T) {
	text := Open([]string{numbered(500)}, nil)
	array := Open([]string{"[\n" + strings.TrimSuffix(strings.Repeat(`{"a":1},`+"\n", 30), ",\n") + "\n]"}, nil)
	object := Open([]string{`{"total": 3, "rows": ["x","y","z"]}`}, nil)
	for _, c := range []struct {
		s                       *Source
		text, want, note, again string
	}{
		{text, "3-4", "line 3 of the log\nline 4 of the log\n", "lines 3-4 of 500", "5-6"},
		{text, "last 1", "line 500 of the log\n", "lines 500-500 of 500", ""},
		{text, "499-9999", "line 499 of the log\nline 500 of the log\n", "lines 499-500 of 500", ""},
		{text, "0-1", "line 1 of the log\n", "lines 1-1 of 500", "2-2"},
		{text, "501", "There is no line 501. The original has 500 lines of text, 9892 bytes.", "", ""},
		{text, "items 3", "There is no array whose items could be counted. The original has 500 lines of text, 9892 bytes.", "", ""},
		{array, "28-40", "$[28]: {\"a\":1}\n$[29]: {\"a\":1}\n", "items 28-29 of 30 at $, counted from 0", ""},
		{array, "lines 2", "{\"a\":1},\n", "lines 2-2 of 32", "3-3"},
		{array, "30", "There is no item 30: items count from 0. The original is an array of 30 items, $[0] to $[29], the first with the members a.", "", ""},
		{object, "[1]", "$.rows[1]: \"y\"\n", "items 1-1 of 3 at $.rows, counted from 0", "items 2-2"},
	} {
		got, err := c.s.Range(c.text, all)
		if err != nil || got != (Part{c.want, c.note, c.again}) {
			t.Errorf("%q: %+v %v", c.text, got, err)
		}
	}
	got, _ := text.Range("1-500", upTo(60))
	if got.Note != "lines 1-3 of 500" || got.Next != "4-500" {
		t.Errorf("a range that does not fit: %+v", got)
	}
	if _, err := text.Range("some of it", all); err == nil || !strings.Contains(err.Error(), `"120-180"`) {
		t.Errorf("%v", err)
	}
}

const shop = `{"total": 1.10, "items": [{"id": "a-1", "name": "Tea", "tags": ["x","y"]}, {"id": "b-2", "name": "Cup", "size": {"id": 7}}], "odd name": null, "7": "seven"}`

func TestPath(t *testing.T) {
	s := Open([]string{shop}, nil)
	for path, want := range map[string]string{
		"$.total": "1.10", "total": "1.10", ".total": "1.10", "TOTAL": "1.10", "/total": "1.10", "#/items/1/name": "Cup",
		"items[1].name": "Cup", "$.items[-1].name": "Cup", "items.0.id": "a-1", `$['items'][0]["id"]`: "a-1", "/items/0/tags/1": "y",
		"$.items[*].id": "$.items[0].id: \"a-1\"\n$.items[1].id: \"b-2\"\n", ".items[].id": "$.items[0].id: \"a-1\"\n$.items[1].id: \"b-2\"\n",
		"$..id": "$.items[0].id: \"a-1\"\n$.items[1].id: \"b-2\"\n$.items[1].size.id: 7\n", "items[0:1].name": "Tea", "[1].name": "Cup",
		"$.items[0].*": "$.items[0].id: \"a-1\"\n$.items[0].name: \"Tea\"\n$.items[0].tags: [\"x\",\"y\"]\n", `["odd name"]`: "null", "$": shop, ".": shop,
		"7": "seven", "`items[0].id`": "a-1", ".[0].id": "a-1", "items[1].size": `{"id": 7}`,
		"items[9]":   "There is no item 9 at $.items, which is an array of 2 items, $.items[0] to $.items[1], the first with the members id, name, tags (2 items).",
		"items.name": "There is no member \"name\" at $.items, which is an array of 2 items, $.items[0] to $.items[1], the first with the members id, name, tags (2 items); for the member of each item write $.items[*].name.",
		"$..nope":    "There is no member \"nope\" at any depth at $, which is an object with the members total, items (2 items), odd name, 7.",
	} {
		if got, err := s.Path(path); err != nil || got.Text != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", path, err, got.Text, want)
		}
	}
	for _, path := range []string{"", "$.items[?(@.id=='a')]", "items[", "a..", "items[1", "$.items[1,2]", "items[99999999999999999999]", strings.Repeat(".a", 99)} {
		if got, err := s.Path(path); err == nil || !strings.Contains(err.Error(), "items[3].name") {
			t.Errorf("%q: %+v %v", path, got, err)
		}
	}
	if got, err := Open([]string{"plain"}, nil).Path("a"); err != nil || !strings.Contains(got.Text, "no JSON") {
		t.Errorf("%+v %v", got, err)
	}
}

// What a server gives as a text for each record, or a line for each, is an array.
func TestJSONInPieces(t *testing.T) {
	for _, texts := range [][]string{{`{"id":1}`, `{"id":2}`}, {"{\"id\":1}\n{\"id\":2}\n"}} {
		if got, err := Open(texts, nil).Path("[1].id"); err != nil || got.Text != "2" {
			t.Errorf("%q: %+v %v", texts, got, err)
		}
	}
	if got, _ := Open([]string{"two rows"}, json.RawMessage(`{"rows":[1,2]}`)).Path("rows[1]"); got.Text != "2" {
		t.Errorf("structured content: %+v", got)
	}
}

func TestFind(t *testing.T) {
	log := strings.Split(numbered(200), "\n")
	log[99] = "2024-01-01 ERROR build ERR-4711 of release/v2 failed after 12.5s"
	log[149] = "error: nothing of note"
	s := Open([]string{strings.Join(log, "\n")}, nil)
	for _, c := range []struct{ query, want, note string }{
		{"ERR-4711", "98- line 98 of the log\n99- line 99 of the log\n100: " + log[99] + "\n101- line 101 of the log\n102- line 102 of the log\n", "1 line that matches; the original has 200 lines"},
		{"failed build", "98- line 98 of the log\n99- line 99 of the log\n100: " + log[99] + "\n101- line 101 of the log\n102- line 102 of the log\n", "1 line that matches; the original has 200 lines"},
		{"id=ERR-4711", "98- line 98 of the log\n99- line 99 of the log\n100: " + log[99] + "\n101- line 101 of the log\n102- line 102 of the log\n", "1 line that matches; the original has 200 lines"},
		{"zebra", "Nothing matches the query. The original has 200 lines of text, 3940 bytes.", ""},
	} {
		got, err := s.Find(c.query, all)
		if err != nil || got.Text != c.want || got.Note != c.note {
			t.Errorf("%s: %v\n%s%s", c.query, err, got.Text, got.Note)
		}
	}
	got, _ := s.Find("errors", all)
	if !strings.Contains(got.Text, "\n100: ") || !strings.Contains(got.Text, "--\n148- ") || !strings.HasPrefix(got.Note, "2 lines that match") {
		t.Errorf("%+v", got)
	}
	got, _ = s.Find("log", upTo(500))
	if !strings.Contains(got.Note, "198 lines that match, the best ") || len(got.Text) > 600 {
		t.Errorf("%+v", got)
	}
	if _, err := s.Find(" ,. ", all); err == nil {
		t.Error("a query of nothing finds something")
	}
}

func TestFindInJSON(t *testing.T) {
	var rows []string
	for i := range 100 {
		rows = append(rows, fmt.Sprintf(`{"id": "rec-%d", "owner": {"name": "user%d"}, "note": %q}`, i, i%7, strings.Repeat("filler ", 30)))
	}
	s := Open([]string{`{"records": [` + strings.Join(rows, ",\n") + `], "log": ` + string(mustQuote(numbered(300))) + `}`}, nil)
	got, err := s.Find("rec-42", all)
	if err != nil || got.Text != "$.records[42]: "+rows[42]+"\n" || got.Note != "1 record that matches" {
		t.Errorf("%v %+v", err, got)
	}
	if got, _ := s.Find("line 217", all); !strings.HasPrefix(got.Text, "$.log line 217: line 217 of the log\n") {
		t.Errorf("%+v", got)
	}
	big := Open([]string{`{"a":{"b":[{"id":"x1","body":"` + strings.Repeat("word ", 1000) + `needle here","n":5},{"id":"x2"}]}}`}, nil)
	if got, _ := big.Find("needle", all); !strings.HasPrefix(got.Text, "$.a.b[0].body line 1: ") || !strings.Contains(got.Text, "needle here") || len(got.Text) > 3000 {
		t.Errorf("%+v", got)
	}
	if got, _ := big.Find("x2", all); got.Text != "$.a.b[1]: {\"id\":\"x2\"}\n" {
		t.Errorf("%+v", got)
	}
	if got, _ := big.Find("nothing-there", all); !strings.Contains(got.Text, "an object with the members a") {
		t.Errorf("%+v", got)
	}
}

func mustQuote(s string) []byte { b, _ := json.Marshal(s); return b }

// FuzzLook holds that no source and no wish makes it panic, and that nothing is
// found without bound.
func FuzzLook(f *testing.F) {
	f.Add(shop, "items[0].id", "lines 1-2", "tea cup")
	f.Add(numbered(10), "$..a[1:2]", "[3]", `"line 3" id=4`)
	f.Add("{\"a\":\"\\u00e9\xff\"}\n{}", "/a/~1", "last 3", "É")
	f.Fuzz(func(t *testing.T, text, path, span, query string) {
		for _, s := range []*Source{Open([]string{text}, nil), Open([]string{text, text}, json.RawMessage(text))} {
			_, _ = s.Path(path)
			p, err := s.Range(span, upTo(100))
			if err == nil && len(p.Text) > len(text)*2+600 {
				t.Errorf("%d bytes of %d", len(p.Text), len(text))
			}
			_, _ = s.Find(query, upTo(1000))
		}
	})
}

func BenchmarkFind(b *testing.B) {
	var rows []string
	for i := range 20_000 {
		rows = append(rows, fmt.Sprintf(`{"id": "rec-%d", "owner": {"name": "user%d"}, "note": "some words of a note"}`, i, i%7))
	}
	for name, text := range map[string]string{"lines": numbered(100_000), "records": "[" + strings.Join(rows, ",") + "]"} {
		s := Open([]string{text}, nil)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_, _ = s.Find("rec-4711 line 815", upTo(8000))
			}
		})
	}
}
