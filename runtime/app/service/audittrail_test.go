package service

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// trail is what a session left, as it is exported.
type trail struct {
	page  string
	raw   string
	Spans []timeline.Span `json:"spans"`
}

func (t trail) of(kind string) (out []timeline.Span) {
	for _, s := range t.Spans {
		if s.Kind == kind {
			out = append(out, s)
		}
	}
	return out
}

// follow does something while a timeline is kept, and gives what it kept.
func follow(t *testing.T, svc *Service, questions bool, do func()) trail {
	t.Helper()
	recent := timeline.New(timeline.Options{Stream: svc.Events(), Questions: func() bool { return questions }})
	do()
	recent.Stop()
	defer recent.Close()
	list, err := recent.Sessions(t.Context(), timeline.Query{})
	if err != nil || len(list) != 1 {
		t.Fatal(err, list)
	}
	h := dashboard.New(dashboard.Options{Timeline: recent, Source: DashboardSource{Service: svc}})
	get := func(path string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", path, nil))
		if w.Code != 200 {
			t.Fatal(path, w.Code)
		}
		return w.Body.String()
	}
	out := trail{page: get("/dashboard/sessions/" + list[0].ID), raw: get("/dashboard/sessions/" + list[0].ID + ".json")}
	if err := json.Unmarshal([]byte(out.raw), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// What an answer rests on can be read off its session and done again: what was asked, the
// passages that came of it, and those that it cites. No text of a document is in it.
func TestAuditTrail(t *testing.T) {
	svc, _ := serveManual(t, "")
	const question = "when is an idle connection of the pool closed?"
	var said docs.Answered
	got := follow(t, svc, true, func() {
		said, _ = askManual(t, svc, "answer_with_citations", map[string]any{"question": question, "collection": "guide", "filters": map[string]any{"path": "*.md"}})
	})
	if len(said.Citations) == 0 {
		t.Fatalf("%+v", said)
	}
	searches, answers := got.of("retrieval"), got.of("compose")
	if len(searches) != 2 || len(answers) != 1 { // what may be put before a model, and the answer
		t.Fatalf("%d searches and %d answers", len(searches), len(answers))
	}
	for _, s := range append(searches, answers...) {
		if s.Parent == "" || s.Trace == "" || s.Elapsed == 0 || !strings.HasPrefix(s.Attrs["query"], question) {
			t.Errorf("%+v", s)
		}
	}
	a, s := answers[0], searches[1]
	var cites []string
	for _, c := range said.Citations {
		cites = append(cites, fmt.Sprintf("%s@%s[%d:%d]", c.ID, c.Version, c.Start, c.End))
		if !strings.Contains(" "+s.Attrs["passages"]+" ", " "+c.ID+"@"+c.Version+" ") {
			t.Errorf("%s is cited and was not found: %q", c.ID, s.Attrs["passages"])
		}
	}
	if a.Attrs["citations"] != strings.Join(cites, " ") || a.Attrs["cited"] != fmt.Sprint(len(cites)) || a.Attrs["dropped"] != "0" || a.Outcome != event.OK {
		t.Errorf("%+v", a)
	}
	if s.Attrs["collection"] != "guide" || s.Attrs["filters"] != "path:*.md" || s.Attrs["top_k"] != "6" || s.Attrs["version"] == "" {
		t.Errorf("%+v", s.Attrs)
	}
	for _, text := range []string{aToken, "idle for 90 seconds", "Timeouts", "pools.md"} {
		if strings.Contains(got.raw, text) || strings.Contains(got.page, text) {
			t.Errorf("%q is told", text)
		}
	}
	if !strings.Contains(got.page, "docs.answer") || !strings.Contains(got.page, question) {
		t.Error("the page of the session does not show the answer")
	}

	// The same again comes to the same passages and citations.
	var again docs.Answered
	second := follow(t, svc, true, func() {
		again, _ = askManual(t, svc, "answer_with_citations", map[string]any{"question": s.Attrs["query"], "collection": s.Attrs["collection"], "filters": map[string]any{"path": strings.TrimPrefix(s.Attrs["filters"], "path:")}})
	})
	b := second.of("retrieval")[1]
	if b.Attrs["passages"] != s.Attrs["passages"] || b.Attrs["version"] != s.Attrs["version"] || second.of("compose")[0].Attrs["citations"] != a.Attrs["citations"] || !slices.Equal(again.Citations, said.Citations) {
		t.Errorf("done again, it found %q, not %q", b.Attrs["passages"], s.Attrs["passages"])
	}
}

// Where a user keeps no questions, what was asked is a digest: equal for equal ones.
func TestAuditTrailWithoutQuestions(t *testing.T) {
	svc, _ := serveManual(t, "")
	got := follow(t, svc, false, func() {
		for range 2 {
			askManual(t, svc, "search", map[string]any{"query": "how long do retries wait", "filters": map[string]any{"path": "retries.md"}})
		}
	})
	s := got.of("retrieval")
	if len(s) != 2 || s[0].Attrs["query_digest"] == "" || s[0].Attrs["query_digest"] != s[1].Attrs["query_digest"] || s[0].Attrs["passages"] == "" {
		t.Errorf("%+v", s)
	}
	for _, text := range []string{"retries wait", "retries.md"} {
		if strings.Contains(got.raw, text) || strings.Contains(got.page, text) {
			t.Errorf("%q is told", text)
		}
	}
}

// An answer that the documents do not give is told as such, with what was looked at; what
// cannot be found, with its code alone.
func TestAuditTrailOfAnAbstention(t *testing.T) {
	svc, _ := serveManual(t, "")
	got := follow(t, svc, true, func() {
		askManual(t, svc, "answer_with_citations", map[string]any{"question": "who won the football cup of " + aToken + " in 1974?"})
		_, _ = svc.Call(t.Context(), Call{Tool: "lookup", Args: json.RawMessage(`{"id":"guide/none.md"}`)})
	})
	if a := got.of("compose"); len(a) != 1 || a[0].Outcome != "abstained" || a[0].Code != "" || a[0].Attrs["cited"] != "0" || a[0].Attrs["because"] == "" {
		t.Errorf("%+v", a)
	}
	if strings.Contains(got.raw, aToken) || strings.Contains(got.page, aToken) {
		t.Error("a secret in a question is told")
	}
	looked := got.of("retrieval")
	if last := looked[len(looked)-1]; last.Name != "docs.lookup" || last.Outcome != event.Failed || last.Code != "NOT_FOUND" || last.Error != "" {
		t.Errorf("%+v", last)
	}
}
