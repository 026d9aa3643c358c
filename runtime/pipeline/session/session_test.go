package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

func TestNobodysSessionKeepsNothing(t *testing.T) {
	var s *Session
	s.Add(Call{Tool: "a"})
	s.SetListedTools([]string{"a"}, false)
	s.RecordQuestion("q", json.RawMessage(`{"references":[]}`), nil)
	if v := s.View(nil); s.ID() != "" || v.ID != "" || len(v.Used)+len(v.Shown)+len(v.Questions)+len(v.Conversation) > 0 {
		t.Errorf("%+v", v)
	}
}

func TestAViewShowsWhatWasAdded(t *testing.T) {
	store := NewStore()
	s := store.Open(Who{ID: "key", Client: Client{"lm", "1.2"}, Era: Handshake, Profile: "work"})
	s.SetListedTools([]string{"a__x", "a__y"}, true)
	s.Add(Call{Tool: "a__x", Server: "a", Arguments: json.RawMessage(`{ "n": 9007199254740993 }`), Outcome: OK, Tokens: 7})
	s.Add(Call{Tool: "own", Outcome: "TIMEOUT"})
	s.Add(Call{Tool: "a__x", Server: "a", Arguments: json.RawMessage(`[1]`), Outcome: Failed})
	s.RecordQuestion("where?", json.RawMessage(`{"references":[]}`), nil)
	got := store.Open(Who{ID: "key", Profile: "work"}).View(nil)
	if got.ID == "" || strings.Contains(got.ID, "key") || got.ID != event.HashID("key") {
		t.Errorf("id %q", got.ID)
	}
	got.ID = ""
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"client":{"name":"lm","version":"1.2"},"era":"handshake","profile":"work","questions":[{"question":"where?","references":[]}],"conversation":[` +
		`{"tool":"a__x","server":"a","arguments":{"n":9007199254740993},"outcome":"ok","tokens":7},` +
		`{"tool":"own","server":"","arguments":{},"outcome":"TIMEOUT","tokens":0},` +
		`{"tool":"a__x","server":"a","arguments":{},"outcome":"failed","tokens":0}],"shown":["a__x","a__y"],"used":{"a__x":2,"own":1}}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Error(diff)
	}
}

// Without an id a request stands alone.
func TestARequestWithoutAnIDIsASessionOfItsOwn(t *testing.T) {
	store := NewStore()
	s := store.Open(Who{Client: Client{Name: "lm"}, Era: Stateless})
	s.Add(Call{Tool: "a"})
	if v := s.View(nil); v.ID != "" || v.Client.Name != "lm" || v.Era != Stateless || len(v.Conversation) != 1 {
		t.Errorf("%+v", v)
	}
	if v := store.Open(Who{Era: Stateless}).View(nil); len(v.Conversation) > 0 || store.Len() != 0 {
		t.Errorf("the next request knows of it: %+v", v)
	}
}

func TestASessionThatEndsForgetsAll(t *testing.T) {
	store := NewStore()
	other := store.Open(Who{ID: "b"})
	other.Add(Call{Tool: "theirs"})
	running := store.Open(Who{ID: "a", Client: Client{Name: "lm"}})
	running.Add(Call{Tool: "x"})
	store.End("a")
	running.Add(Call{Tool: "y"}) // a call that was still running
	running.RecordQuestion("q", json.RawMessage(`{"references":[]}`), nil)
	running.SetListedTools([]string{"x"}, false)
	for _, s := range []*Session{running, store.Open(Who{ID: "a"})} {
		if v := s.View(nil); len(v.Conversation)+len(v.Used)+len(v.Questions)+len(v.Shown) > 0 {
			t.Errorf("kept: %+v", v)
		}
	}
	if v := other.View(nil); len(v.Conversation) != 1 || v.Conversation[0].Tool != "theirs" {
		t.Errorf("another session: %+v", v)
	}
}

func TestSessionsAreBoundedInNumberAndTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := NewStore()
		open := func(i int) *Session { return store.Open(Who{ID: fmt.Sprint(i)}) }
		known := func(i int) bool { return len(open(i).View(nil).Used) > 0 }
		open(0).Add(Call{Tool: "x"})
		open(1).Add(Call{Tool: "x"})
		for i := 2; i <= maxSessions; i++ {
			open(0)
			open(i).Add(Call{Tool: "x"})
		}
		if store.Len() != maxSessions || !known(0) || known(1) {
			t.Errorf("%d sessions; the one in use is known: %v, the one unused for longest: %v", store.Len(), known(0), known(1))
		}
		time.Sleep(idleTime)
		if !known(0) {
			t.Error("it was forgotten in its time")
		}
		time.Sleep(idleTime + 1)
		if store.Len() != 0 || known(0) {
			t.Error("it is known after its time")
		}
	})
}

// A client that calls without end, with whatever it likes, stays within the bounds
// of one session.
func TestAHostileClientStaysWithinTheBounds(t *testing.T) {
	s := NewStore().Open(Who{ID: "a", Client: Client{strings.Repeat("n", 1<<20), strings.Repeat("v", 1<<20)}})
	many := `{"k":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}`
	wide := "{"
	for i := range 4000 {
		wide += fmt.Sprintf(`"m%d":%d,`, i, i)
	}
	wide += `"last":"` + strings.Repeat("ä", 4000) + `"}`
	for i := range 5000 {
		for _, args := range []string{many, wide, `{"text":"` + strings.Repeat("x", 1<<10) + `"}`, `{"` + strings.Repeat("k", 2000) + `":1}`, `{"a`, `null`, ``} {
			if i > 20 && len(args) > 1<<12 {
				continue
			}
			s.Add(Call{Tool: fmt.Sprint("t", i, strings.Repeat("n", 500)), Server: strings.Repeat("s", 500), Outcome: strings.Repeat("o", 500), Arguments: json.RawMessage(args)})
		}
		s.RecordQuestion(strings.Repeat("q", 1<<16), json.RawMessage(`{"references":[]}`), nil)
	}
	names := slices.Repeat([]string{"x"}, 100_000)
	s.SetListedTools(names, false)
	calls := 0
	for _, c := range s.calls {
		calls += c.size()
		if len(c.Arguments) > maxArguments || !json.Valid(c.Arguments) || c.Arguments[0] != '{' {
			t.Fatalf("arguments of %d bytes: %.100s", len(c.Arguments), c.Arguments)
		}
	}
	if calls != s.callBytes || calls > maxCallsBytes || len(s.calls) > maxCalls || len(s.used) > maxUsed || len(s.shown) > maxShown ||
		len(s.questions) > maxQuestions || s.questionBytes > maxQuestionBytes || len(s.client.Name) > maxName {
		t.Errorf("%d bytes of %d calls (said: %d), %d used, %d shown, %d questions of %d bytes", calls, len(s.calls), s.callBytes, len(s.used), len(s.shown), len(s.questions), s.questionBytes)
	}
}

func TestLargeArgumentsAreKeptInPart(t *testing.T) {
	for in, want := range map[string]string{
		`{"path":"a","text":"` + strings.Repeat("x", 5000) + `"}`:            `{"path":"a","text":"` + strings.Repeat("x", maxText) + `…"}`,
		`{"path":"a","text":"` + strings.Repeat("ä", 5000) + `"}`:            `{"path":"a","text":"` + strings.Repeat("ä", maxText/2) + `…"}`,
		`{"path":"a","in":{"list":["` + strings.Repeat("x", 5000) + `",1]}}`: `{"in":{"list":["` + strings.Repeat("x", maxText) + `…",1]},"path":"a"}`,
		`{"path":"a","list":[1` + strings.Repeat(",12345678", 500) + `]}`:    `{"path":"a"}`,
		`{"path":"a","big":"` + strings.Repeat("x", MaxRead) + `"}`:          `{}`,
		`"text"`: `{}`, `{"a":1,}`: `{}`, "{\"a\":\"\xff\"}": `{}`, `{"a":{}}`: `{"a":{}}`, ``: `{}`,
	} {
		if got := string(boundArguments(json.RawMessage(in))); got != want {
			t.Errorf("%.60s: %.300s, want %.300s", in, got, want)
		}
	}
}

func FuzzArguments(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,{"b":"c"}]}`, `{"a":1,"a":2}`, `[`, "{\"\\u0000\":\"\xff\"}"} {
		f.Add([]byte(s), 0)
	}
	f.Fuzz(func(t *testing.T, raw []byte, more int) {
		if more > 0 && more < 1<<16 {
			raw = append([]byte(`{"more":"`+strings.Repeat("x", more)+`","k":`), append(raw, '}')...)
		}
		got := boundArguments(raw)
		if len(got) > maxArguments || !json.Valid(got) || got[0] != '{' {
			t.Errorf("%d bytes: %.200s", len(got), got)
		}
	})
}

func TestSessionsAreSafeForConcurrentUse(t *testing.T) {
	store := NewStore()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 300 {
				id := fmt.Sprint(j % 5)
				s := store.Open(Who{ID: id, Client: Client{Name: fmt.Sprint(i)}, Era: Handshake})
				s.Add(Call{Tool: "t" + id, Arguments: json.RawMessage(`{"a":1}`)})
				s.RecordQuestion("q", json.RawMessage(`{"references":[]}`), nil)
				s.SetListedTools([]string{id}, false)
				for tool := range s.View(nil).Used {
					if tool != "t"+id {
						t.Errorf("session %s used %s", id, tool)
					}
				}
				if j%50 == 0 {
					store.End(id)
				}
			}
		})
	}
	wg.Wait()
}

// A request that stands alone goes by the list that its client had before, and has none of
// its own.
func TestWhatARequestThatStandsAloneIsHidden(t *testing.T) {
	s := New(Who{})
	if _, known := s.Hides("a"); known {
		t.Error("nothing was listed")
	}
	s.Assume([]string{"a"})
	for tool, want := range map[string]bool{"a": false, "b": true} {
		if hides, known := s.Hides(tool); hides != want || !known {
			t.Errorf("%s: %v %v", tool, hides, known)
		}
	}
	if s.Listed() != nil || len(s.View(nil).Shown) != 0 {
		t.Error("the list of another request is the session's")
	}
	s.SetListedTools([]string{"b"}, true)
	if hides, _ := s.Hides("b"); hides {
		t.Error("its own list does not count")
	}
}
