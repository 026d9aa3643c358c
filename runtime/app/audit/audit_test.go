package audit

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

func TestParseCitations(t *testing.T) {
	for _, c := range []struct {
		text, digests, homes string
		want                 []Citation
	}{
		{"", "", "", []Citation{}},
		{"p-1@v[3:9] q-2@w[0:4]", "aa bb", "- h", []Citation{{"p-1", "v", 3, 9, "aa", ""}, {"q-2", "w", 0, 4, "bb", "h"}}},
		{"p-1@v[3:9] and 4 more", "aa", "h", []Citation{{"p-1", "v", 3, 9, "aa", "h"}}},
		{"p-1@v[3:9]", "", "", []Citation{{"p-1", "v", 3, 9, "", ""}}},
		{"1@[3:9] p@v[-3:9] (1048576 bytes, left out)", "", "", []Citation{}}, // a text of the caller, and damage
	} {
		if d := cmp.Diff(c.want, parseCitations(c.text, c.digests, c.homes), cmp.AllowUnexported(Citation{})); d != "" {
			t.Errorf("%q:\n%s", c.text, d)
		}
	}
}

func TestStandIn(t *testing.T) {
	const quote = "A pool keeps twelve."
	for name, c := range map[string]struct {
		text, version string
		err           error
		digest        string
		want          State
		at            int
	}{
		"the same version":                 {"# A\n" + quote, "v", nil, answer.Digest(quote), Stands, 4},
		"a change elsewhere":               {"# B\n" + quote, "w", nil, answer.Digest(quote), Stands, 4},
		"a change before it":               {"# Longer\n" + quote, "w", nil, answer.Digest(quote), Moved, 9},
		"the document is shorter":          {quote, "w", nil, answer.Digest(quote), Moved, 0},
		"the quote has changed":            {"# A\nA pool keeps eleven.", "w", nil, answer.Digest(quote), Changed, 0},
		"nothing is left":                  {"", "w", nil, answer.Digest(quote), Changed, 0},
		"no document":                      {"", "", library.ErrUnknown, answer.Digest(quote), Gone, 0},
		"a collection that cannot be read": {"", "", library.ErrEmpty, answer.Digest(quote), Unread, 0},
		"no digest, the same version":      {"# A\n" + quote, "v", nil, "", Stands, 4},
		"no digest, another version":       {"# A\n" + quote, "w", nil, "", Unknown, 0},
		"no digest, beyond the document":   {"# A\n", "v", nil, "", Changed, 0},
		"a digest that is none":            {"# A\n" + quote, "v", nil, "none", Changed, 0},
	} {
		s := Citation{"p", "v", 4, 4 + len(quote), c.digest, ""}.standIn(library.Looked{Document: library.Document{URI: "guide/a.md", Version: c.version}, Text: c.text}, c.err)
		if s.State != c.want || s.State.Holds() != (s.Now != nil) || s.Now != nil && (s.Now.Start != c.at || s.Now.Version != c.version || s.Quote != quote) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A collection that cannot be opened does not make a document gone, unless the record says that it is of another.
func TestReplayOfWhatCannotBeOpened(t *testing.T) {
	closed := []library.Member{{Name: "guide", Home: "h", Open: func(context.Context) (*library.Library, error) { return nil, library.ErrEmpty }}}
	for home, want := range map[string]State{"": Unread, "h": Unread, "other": Gone} {
		got, err := Replay(t.Context(), closed, Answer{Citations: []Citation{{"p", "v", 0, 4, "", home}}})
		if err != nil || len(got) != 1 || got[0].State != want {
			t.Errorf("%q: %+v, %v", home, got, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Replay(ended, closed, Answer{Citations: []Citation{{}}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// kept is a timeline of three sessions, the newest first.
type kept struct{ timeline.Reader }

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func (kept) Sessions(_ context.Context, q timeline.Query) ([]timeline.Session, error) {
	list := []timeline.Session{{ID: "s3"}, {ID: "expired"}, {ID: "s2"}, {ID: "s1", Client: "chat"}}
	return list[:min(len(list), q.Limit)], nil
}

func (kept) Session(_ context.Context, id string) (timeline.Session, []timeline.Span, error) {
	span := func(kind, id, parent string, at time.Duration, attrs ...string) timeline.Span {
		s := timeline.Span{Kind: kind, ID: id, Trace: "t", Parent: parent, Started: noon.Add(at), Outcome: "ok", Attrs: map[string]string{}}
		for i := 0; i < len(attrs); i += 2 {
			s.Attrs[attrs[i]] = attrs[i+1]
		}
		return s
	}
	switch id {
	case "s1":
		return timeline.Session{ID: id, Client: "chat"}, []timeline.Span{
			span("retrieval", "r0", "evidence", 0, "query", "for a model"),
			span("retrieval", "r1", "b1", time.Second, "query", "how many?", "collection", "guide", "filters", "path:a.md", "version", "x", "passages", "p-1@v p-2@v and 3 more"),
			span("compose", "c1", "b1", 2*time.Second, "query", "how many?", "citations", "p-1@v[3:9]", "quotes", "aa", "homes", "h", "cited", "3", "confidence", "high", "by", "documents"),
			span("retrieval", "r2", "b2", 3*time.Second, "query_digest", "d1"),
			span("compose", "c2", "b2", 4*time.Second, "query_digest", "d1", "because", "no evidence"),
			span("request", "q", "", 0),
		}, nil
	case "s3":
		return timeline.Session{ID: id}, []timeline.Span{span("compose", "c3", "b", time.Hour)}, nil
	case "s2":
		return timeline.Session{ID: id}, nil, nil
	}
	return timeline.Session{}, nil, timeline.ErrUnknown
}

func TestList(t *testing.T) {
	ids := func(q Query) string {
		list, err := List(t.Context(), kept{}, q)
		if err != nil {
			return err.Error()
		}
		var out []string
		for _, a := range list {
			out = append(out, a.ID)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{}, "c3 c2 c1"},
		{Query{Max: 2}, "c3 c2"},
		{Query{Since: noon.Add(time.Minute)}, "c3"},
		{Query{Session: "s1"}, "c2 c1"},
		{Query{Session: "none"}, timeline.ErrUnknown.Error()},
	} {
		if got := ids(c.q); got != c.want {
			t.Errorf("%+v: %q, want %q", c.q, got, c.want)
		}
	}
	list, _ := List(t.Context(), kept{}, Query{})
	want := Answer{ID: "c1", Session: "s1", Client: "chat", Trace: "t", At: noon.Add(2 * time.Second), Question: "how many?",
		Searches:  []Search{{"how many?", "guide", "path:a.md", "x", []string{"p-1@v", "p-2@v"}}},
		Citations: []Citation{{"p-1", "v", 3, 9, "aa", "h"}}, Unnamed: 2, Confidence: "high", By: "documents", Outcome: "ok"}
	if d := cmp.Diff(want, list[2], cmp.AllowUnexported(Citation{})); d != "" {
		t.Error(d)
	}
	if a := list[1]; a.Question != "d1" || a.Because != "no evidence" {
		t.Errorf("%+v", a)
	}
	for prefix, want := range map[string]string{"c1": "", "c": "3 answers", "x": "no answer", "": "no answer"} {
		if a, err := Find(list, prefix); want == "" && (err != nil || a.ID != prefix) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v %v", prefix, a.ID, err)
		}
	}
}
