package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// divided serves each profile one tool, which has its name. What clients have that ask
// for nothing may change.
type divided struct {
	*relay
	mu    sync.Mutex
	usual string
}

func (b *divided) Profile(asked *server.Asked, _ string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := b.usual
	if asked != nil {
		name = asked.Profile
	}
	if name == "gone" {
		return "", errors.New("there are: one, two")
	}
	return name, nil
}

func (b *divided) As(profile string) server.Backend { return part{b.relay, profile} }

func (b *divided) move(to string) {
	b.mu.Lock()
	b.usual = to
	b.mu.Unlock()
	b.changed("")
}

// part is what one profile is served.
type part struct {
	*relay
	name string
}

func (p part) Tools(context.Context) []server.Tool { return []server.Tool{loose(p.name)} }

func serveDivided(t *testing.T) (*divided, *server.Server) {
	b := &divided{relay: &relay{offers: everything}, usual: "one"}
	b.relay.call = func(_ context.Context, c server.Call) (server.Reply, error) {
		return server.Reply{Text: "ran " + c.Tool}, nil
	}
	return b, serveRelay(t, b)
}

// A client is served what its profile has, hears that this is another by now, and is told
// only of what its own profile sees.
func TestProfilesAreServedApart(t *testing.T) {
	for _, era := range eras {
		b, s := serveDivided(t)
		p, n := era.open(t, s), 0
		ask := func(method, params string) wire {
			n++
			p.send(era.message(string(rune('0'+n)), method, params, ""))
			return p.next()
		}
		if got := names(t, ask("tools/list", "").Result); got != "[{one}]" {
			t.Fatalf("%s: %s", era.name, got)
		}
		if w := ask("tools/call", `"name":"two","arguments":{}`); w.Error == nil && !strings.Contains(string(w.Result), "isError") {
			t.Errorf("%s: a tool of another profile ran: %s", era.name, w.Result)
		}
		if era.modern {
			p.send(era.message(`"sub"`, "subscriptions/listen", `"notifications":{"toolsListChanged":true,"resourcesListChanged":true}`, ""))
			p.next()
		}
		b.tell(server.Notice{Method: "notifications/resources/list_changed", Profiles: func(profile string) bool { return profile == "two" }})
		b.move("two")
		told := map[string]bool{}
		for range 2 {
			told[p.next().Method] = true
		}
		for !era.modern && len(told) < 3 {
			told[p.next().Method] = true
		}
		if !told["notifications/tools/list_changed"] || !told["notifications/resources/list_changed"] {
			t.Errorf("%s: told of %v", era.name, told)
		}
		if got := names(t, ask("tools/list", "").Result); got != "[{two}]" {
			t.Errorf("%s: it was moved, and is listed %s", era.name, got)
		}
		b.tell(server.Notice{Method: "notifications/resources/list_changed", Profiles: func(profile string) bool { return profile == "one" }})
		b.tell(server.Notice{Method: "notifications/resources/list_changed", Profiles: func(profile string) bool { return profile == "two" }})
		if got := p.next().Method; got != "notifications/resources/list_changed" {
			t.Errorf("%s: %s", era.name, got)
		}
		b.move("gone")
		for range 2 + map[bool]int{false: 1}[era.modern] {
			p.next()
		}
		if w := ask("tools/list", ""); w.Error == nil || !strings.Contains(w.Error.Message, "there are: one, two") {
			t.Errorf("%s: its profile is gone: %+v", era.name, w)
		}
		if w := ask("ping", ""); w.Error != nil && !era.modern { // a later version has none
			t.Errorf("%s: no sign of life: %+v", era.name, w.Error)
		}
		p.close()
	}
}

// A session that calls between an edit of the configuration and its announcement is served
// the new profile at once, and still hears that its tools are others.
func TestSessionMovedByItsOwnRequestHearsOfIt(t *testing.T) {
	b, s := serveDivided(t)
	era := eras[0]
	p := era.open(t, s)
	p.send(era.message("1", "tools/list", "", ""))
	p.next()
	b.mu.Lock()
	b.usual = "two"
	b.mu.Unlock()
	p.send(era.message("2", "tools/call", `"name":"one","arguments":{}`, ""))
	told := map[string]bool{}
	for range 4 { // the reply and three notes
		told[p.next().Method] = true
	}
	if !told["notifications/tools/list_changed"] {
		t.Errorf("told of %v", told)
	}
	p.close()
}

// Clients come, go on and are moved from many sides at once.
func TestProfilesChangeWhileTheyAreServed(t *testing.T) {
	b, s := serveDivided(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 25 {
				p := eras[1].open(t, s)
				p.send(eras[1].message("1", "tools/list", "", ""))
				var l struct{ Tools []struct{ Name string } }
				if w := p.next(); json.Unmarshal(w.Result, &l) != nil || len(l.Tools) != 1 || l.Tools[0].Name != "one" && l.Tools[0].Name != "two" {
					t.Errorf("%s", w.Result)
				}
				p.close()
			}
		})
	}
	wg.Go(func() {
		for n := range 50 {
			b.move([]string{"one", "two"}[n%2])
		}
	})
	wg.Wait()
}
