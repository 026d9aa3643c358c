package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// chooser is a relay that lists to each session what it called before, and one tool
// more.
type chooser struct {
	relay
	mu    sync.Mutex
	all   []string
	used  map[string][]string // session → tools
	asked []server.Session
	shown map[string][]string // client → names
}

func newChooser() *chooser {
	b := &chooser{all: []string{"a", "b", "c"}, used: map[string][]string{}, shown: map[string][]string{}}
	b.relay.call = func(_ context.Context, c server.Call) (server.Reply, error) {
		b.mu.Lock()
		b.used[c.Session] = append(b.used[c.Session], c.Tool)
		b.mu.Unlock()
		b.changed(c.Session)
		return server.Reply{Text: "done"}, nil
	}
	return b
}

func (b *chooser) Chooses() bool { return true }

func (b *chooser) Tools(context.Context) (out []server.Tool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range b.all {
		out = append(out, loose(name))
	}
	return out
}

func (b *chooser) Choose(_ context.Context, s server.Session) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = append(b.asked, s)
	out := []string{"a", "unknown"}
	for _, name := range b.all[1:] {
		if slices.Contains(b.used[s.ID], name) {
			out = append(out, name)
		}
	}
	return out
}

func (b *chooser) Presented(s server.Session, names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown[s.Client.Name] = names
}

func (b *chooser) SessionEnded(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.used, id)
}

func names(t testing.TB, list json.RawMessage) string {
	t.Helper()
	var l struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(list, &l); err != nil {
		t.Fatalf("%v: %s", err, list)
	}
	return fmt.Sprint(l.Tools)
}

// Each session is listed what was chosen for it, can call the rest, and hears of its
// own changes alone.
func TestSessionsAreListedTheirOwnTools(t *testing.T) {
	for _, era := range eras {
		b := newChooser()
		s := serveRelay(t, b)
		one, other := era.open(t, s), era.open(t, s)
		ask := func(p *pipe, method, params string) json.RawMessage {
			p.send(era.message("1", method, params, ""))
			w := p.next()
			if w.Error != nil {
				t.Fatalf("%s: %+v", era.name, w.Error)
			}
			return w.Result
		}
		listen := func(p *pipe) {
			if era.modern {
				p.send(era.message(`"sub"`, "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, ""))
				p.next()
			}
		}
		listen(one)
		listen(other)
		for _, p := range []*pipe{one, other} {
			if got := names(t, ask(p, "tools/list", "")); got != "[{a}]" {
				t.Fatalf("%s: a new session is listed %s", era.name, got)
			}
		}
		one.send(era.message("1", "tools/call", `"name":"c","arguments":{}`, ""))
		answered, told := false, false
		for range 2 { // in whatever order
			w := one.next()
			answered = answered || textOr(w.Result) == "done"
			told = told || w.Method == "notifications/tools/list_changed"
		}
		if !answered || !told {
			t.Errorf("%s: a tool that is not listed answered: %v; told of the change: %v", era.name, answered, told)
		}
		if got := names(t, ask(one, "tools/list", "")); got != "[{a} {c}]" {
			t.Errorf("%s: listed %s", era.name, got)
		}
		ask(one, "tools/call", `"name":"c","arguments":{}`) // changes nothing, and nobody is told
		ask(other, "tools/call", `"name":"a","arguments":{}`)
		for _, p := range []*pipe{one, other} {
			want := map[*pipe]string{one: "[{a} {c}]", other: "[{a}]"}[p]
			if got := names(t, ask(p, "tools/list", "")); got != want {
				t.Errorf("%s: listed %s, want %s", era.name, got, want)
			}
		}
		b.mu.Lock()
		if got := fmt.Sprint(b.shown["raw"]); got != "[a]" {
			t.Errorf("%s: the backend was told that %s were shown", era.name, got)
		}
		b.all = append(b.all, "d")
		b.mu.Unlock()
		b.changed("")
		for _, p := range []*pipe{one, other} {
			if w := p.next(); w.Method != "notifications/tools/list_changed" {
				t.Errorf("%s: not told of a new tool: %+v", era.name, w)
			}
		}
	}
}

func textOr(result json.RawMessage) string {
	var r struct {
		Content []struct{ Text string }
	}
	if json.Unmarshal(result, &r) != nil || len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// A chosen list is, tool for tool, what the list of all says.
func TestAChosenListIsAsTheWhole(t *testing.T) {
	b := newChooser()
	s := serveRelay(t, b)
	whole := serveRelay(t, &relay{tools: []server.Tool{loose("a"), loose("c")}})
	for _, era := range eras {
		b.mu.Lock()
		clear(b.used)
		b.mu.Unlock()
		p, plain := era.open(t, s), era.open(t, whole)
		p.send(era.message("1", "tools/call", `"name":"c","arguments":{}`, ""))
		p.next()
		p.send(era.message("1", "tools/list", "", ""))
		plain.send(era.message("1", "tools/list", "", ""))
		if got, want := p.line(), plain.line(); got != want {
			t.Errorf("%s:\n%s\n%s", era.name, got, want)
		}
	}
}

// Over HTTP a request of the stateless era stands alone: who asks is said, and that
// there is no session.
func TestAStatelessListHasNoSession(t *testing.T) {
	b := newChooser()
	w := openWeb(t, serveRelay(t, b))
	if status, text := w.post(eras[1].message("1", "tools/list", "", ""), modern("tools/list", "")...); status != http.StatusOK {
		t.Fatal(status, text)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if last := b.asked[len(b.asked)-1]; last.ID != "" || !last.Stateless || last.Client.Name != "raw" {
		t.Errorf("asked for %+v", last)
	}
	if !strings.Contains(fmt.Sprint(b.shown), "raw") {
		t.Errorf("shown %v", b.shown)
	}
}
