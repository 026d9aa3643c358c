package toolrank

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestUnsureNamesTheWordsThatNoHitSays(t *testing.T) {
	ix := New(officeDocs())
	for query, want := range map[string]string{
		"create a Jira ticket":                   "jira", // a ticket is an issue
		"compress this video":                    "compress video",
		"page the engineer on call with Pagemon": "engineer pagemon",
		"order a pizza":                          "pizza",
	} {
		r := ix.Search(query, Options{Limit: 5})
		if got := strings.Join(r.Missed, " "); !r.Unsure || r.Nothing || len(r.Hits) == 0 || got != want {
			t.Errorf("%q: unsure %v, %q missed, confidence %.2f, %d hits; want %q missed", query, r.Unsure, got, r.Confidence, len(r.Hits), want)
		}
	}
	for _, query := range []string{"create an issue", "list docker volumes", "read", "list", "stop the container", "which tables are there"} {
		if r := ix.Search(query, Options{}); r.Unsure || len(r.Missed) > 0 {
			t.Errorf("%q is unsure for want of %v, confidence %.2f", query, r.Missed, r.Confidence)
		}
	}
}

// TestNoPieceOfASentenceIsNamed: characters and pairs of them are searched for,
// but they are not the words of a language without spaces.
func TestNoPieceOfASentenceIsNamed(t *testing.T) {
	ix := New(officeDocs())
	for _, query := range []string{"打印我的快递单 label 并且寄到公司去", "订一张披萨 page"} {
		r := ix.Search(query, Options{})
		if slices.ContainsFunc(r.Missed, func(w string) bool { return w[0] >= utf8.RuneSelf }) || r.Confidence > 0.5 {
			t.Errorf("%q misses %q, confidence %.2f, %d hits", query, r.Missed, r.Confidence, len(r.Hits))
		}
	}
}

func TestConfidenceFallsWithTheToolGone(t *testing.T) {
	docs := officeDocs()
	for query, server := range map[string]string{"list docker volumes": "docker", "fork a repository": "github", "take a screenshot of the page": "browser"} {
		rest := slices.DeleteFunc(slices.Clone(docs), func(d Doc) bool { return d.Server == server })
		with, without := New(docs).Search(query, Options{}), New(rest).Search(query, Options{})
		if with.Confidence < 0.7 || without.Confidence > with.Confidence/2 {
			t.Errorf("%q: confidence %.2f, without %s %.2f", query, with.Confidence, server, without.Confidence)
		}
	}
}

func TestConfidenceIsTheSameForEveryLimit(t *testing.T) {
	ix := New(officeDocs())
	for _, q := range officeQueries() {
		if one, ten := ix.Search(q.Query, Options{Limit: 1}), ix.Search(q.Query, Options{Limit: 10}); one.Confidence != ten.Confidence {
			t.Errorf("%q: confidence %v with one hit, %v with ten", q.Query, one.Confidence, ten.Confidence)
		}
	}
}

func TestNothingNamesWhatTheNearestLack(t *testing.T) {
	files := slices.DeleteFunc(officeDocs(), func(d Doc) bool { return d.Server != "filesystem" })
	for query, want := range map[string]string{
		"create a Jira ticket":    "ticket jira",
		"append to a spreadsheet": "spreadsheet append",
		"please delete it":        "delete",
	} {
		r := New(files).Search(query, Options{})
		slices.Sort(r.Missed)
		if words := strings.Fields(want); !r.Nothing || !slices.Equal(r.Missed, slices.Sorted(slices.Values(words))) {
			t.Errorf("%q: nothing %v, %q missed, want %q", query, r.Nothing, r.Missed, want)
		}
	}
}

// TestWordsThatHitsHaveApartAreNamed: where each word is in some hit and no hit
// has them all, those that the first lacks speak against it.
func TestWordsThatHitsHaveApartAreNamed(t *testing.T) {
	docs, _ := sharedServers(t)
	r := New(docs).Search("print the report in colour", Options{Limit: 5})
	if !r.Unsure || !r.Apart || len(r.Missed) == 0 {
		t.Errorf("unsure %v, apart %v, %q missed, confidence %.2f", r.Unsure, r.Apart, r.Missed, r.Confidence)
	}
}
