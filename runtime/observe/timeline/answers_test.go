package timeline

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
		if d := cmp.Diff(c.want, parseCitations(c.text, c.digests, c.homes)); d != "" {
			t.Errorf("%q:\n%s", c.text, d)
		}
	}
}

// kept is a timeline of three sessions, the newest first.
type kept struct{ Reader }

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func (kept) Sessions(_ context.Context, q Query) ([]Session, error) {
	list := []Session{{ID: "s3", Last: noon.Add(3 * time.Hour)}, {ID: "expired", Last: noon.Add(2 * time.Hour)}, {ID: "s2", Last: noon.Add(90 * time.Minute)}, {ID: "s1", Client: "chat", Last: noon.Add(5 * time.Second)}}
	return list[:min(len(list), q.Limit)], nil
}

func (kept) Session(_ context.Context, id string) (Session, []Span, error) {
	span := func(kind, id, parent string, at time.Duration, attrs ...string) Span {
		s := Span{Kind: kind, ID: id, Trace: "t", Parent: parent, Started: noon.Add(at), Outcome: "ok", Attrs: map[string]string{}}
		for i := 0; i < len(attrs); i += 2 {
			s.Attrs[attrs[i]] = attrs[i+1]
		}
		return s
	}
	switch id {
	case "s1":
		return Session{ID: id, Client: "chat"}, []Span{
			span("retrieval", "r0", "evidence", 0, "query", "for a model"),
			span("retrieval", "r1", "b1", time.Second, "query", "how many?", "collection", "guide", "filters", "path:a.md", "version", "x", "passages", "p-1@v p-2@v and 3 more"),
			span("compose", "c1", "b1", 2*time.Second, "query", "how many?", "citations", "p-1@v[3:9]", "quotes", "aa", "homes", "h", "cited", "3", "confidence", "high", "by", "documents"),
			span("retrieval", "r2", "b2", 3*time.Second, "query_digest", "d1"),
			span("compose", "c2", "b2", 4*time.Second, "query_digest", "d1", "because", "no evidence"),
			span("request", "q", "", 0),
		}, nil
	case "s3":
		return Session{ID: id}, []Span{span("compose", "c3", "b", time.Hour)}, nil
	case "s2": // an older session with the newest answer
		return Session{ID: id}, []Span{span("compose", "c4", "b", 80*time.Minute)}, nil
	}
	return Session{}, nil, ErrUnknown
}

func TestAnswers(t *testing.T) {
	ids := func(q AnswerQuery) string {
		list, err := Answers(t.Context(), kept{}, q)
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
		q    AnswerQuery
		want string
	}{
		{AnswerQuery{}, "c4 c3 c2 c1"},
		{AnswerQuery{Max: 1}, "c4"},
		{AnswerQuery{Max: 2}, "c4 c3"},
		{AnswerQuery{Max: 3}, "c4 c3 c2"},
		{AnswerQuery{Within: 2}, "c3"},
		{AnswerQuery{Since: noon.Add(time.Minute)}, "c4 c3"},
		{AnswerQuery{Session: "s1"}, "c2 c1"},
		{AnswerQuery{Session: "none"}, ErrUnknown.Error()},
	} {
		if got := ids(c.q); got != c.want {
			t.Errorf("%+v: %q, want %q", c.q, got, c.want)
		}
	}
	list, _ := Answers(t.Context(), kept{}, AnswerQuery{})
	want := Answer{ID: "c1", Session: "s1", Client: "chat", Trace: "t", At: noon.Add(2 * time.Second), Question: "how many?",
		Searches:  []Search{{"how many?", "guide", "path:a.md", "x", []string{"p-1@v", "p-2@v"}}},
		Citations: []Citation{{"p-1", "v", 3, 9, "aa", "h"}}, Unnamed: 2, Confidence: "high", By: "documents", Outcome: "ok"}
	if d := cmp.Diff(want, list[3]); d != "" {
		t.Error(d)
	}
	if a := list[2]; a.Question != "d1" || a.Because != "no evidence" {
		t.Errorf("%+v", a)
	}
	for prefix, want := range map[string]string{"c1": "", "c": "4 answers", "x": "no answer", "": "no answer"} {
		if a, err := FindAnswer(list, prefix); want == "" && (err != nil || a.ID != prefix) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v %v", prefix, a.ID, err)
		}
	}
}
