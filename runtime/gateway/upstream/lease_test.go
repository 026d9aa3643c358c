package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// gated is a program in memory of the handshake era, or of both: tool "ask" says by its arguments whose question it puts to
// the client once go is closed, "late" puts it when nobody waits for it any more, and any other answers at once.
type gated struct {
	era    string
	starts atomic.Int32
	gate   chan struct{}
	over   chan struct{} // "hold" answers once it is closed

	mu      sync.Mutex
	waiting map[string]json.RawMessage // calls by the id of the question
	asked   int
}

func newGated(era string) *gated {
	return &gated{era: era, gate: make(chan struct{}), over: make(chan struct{}), waiting: map[string]json.RawMessage{}}
}

func (g *gated) server(t testing.TB, edit ...func(*Spec)) *Server {
	spec := Spec{Command: "pipe", Args: []string{unique(t)}, Allow: []string{Elicitation}}
	for _, f := range edit {
		f(&spec)
	}
	return newServer(t, spec, Options{Start: startPiped(g.serve)})
}

// open lets questions through and, once all of them were dealt with, lets "hold" answer.
func (g *gated) open() {
	close(g.gate)
	synctest.Wait()
	close(g.over)
}

func (g *gated) serve(p *piped) {
	g.starts.Add(1)
	var work sync.WaitGroup
	defer work.Wait()
	stop := make(chan struct{})
	defer close(stop)
	p.messages(func(m incoming) {
		modern := rawjson.Get(rawjson.Get(m.Params, "_meta"), "io.modelcontextprotocol/protocolVersion") != nil
		name, whose := rawjson.GetText(m.Params, "name"), rawjson.GetText(rawjson.Get(m.Params, "arguments"), "whose")
		switch {
		case m.Method == "":
			g.mu.Lock()
			call := g.waiting[string(m.ID)]
			g.mu.Unlock()
			if call != nil {
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"got":%s}}`, call, string(m.Result)+string(m.Error))
			}
		case m.Method == "server/discover" && g.era != Handshake:
			p.print(`{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`, m.ID)
		case m.Method == "initialize" && g.era == Stateless:
			p.print(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
		case p.hello(m):
		case m.Method == "tools/call" && modern && name == "ask": // as servers do whose tools were written for the handshake era
			p.print(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"isError":true,"why":"no way to ask in this era"}}`, m.ID)
		case name == "ask", name == "late":
			work.Go(func() {
				select {
				case <-g.gate:
				case <-stop:
					return
				}
				g.mu.Lock()
				g.asked++
				id := fmt.Sprintf(`"q-%d"`, g.asked)
				if name == "ask" {
					g.waiting[id] = m.ID
				}
				g.mu.Unlock()
				p.print(`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"message":%q}}`, id, whose)
			})
		case name == "hold":
			work.Go(func() {
				select {
				case <-g.over:
				case <-stop:
				}
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, m.ID)
			})
		default:
			p.print(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[],"content":[],"modern":%v}}`, m.ID, modern)
		}
	})
}

// caller is one who can be asked, and tells what.
type caller struct {
	session string
	mu      sync.Mutex
	heard   []string
}

func (c *caller) call(tool, whose string) Request {
	r := toolCall(tool, fmt.Sprintf(`{"whose":%q}`, whose))
	r.Session, r.Offers, r.Ask = c.session, []string{Elicitation}, c.ask
	return r
}

func (c *caller) ask(_ context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = append(c.heard, rawjson.GetText(params, "message"))
	return json.RawMessage(`{"action":"accept","to":"` + rawjson.GetText(params, "message") + `"}`), nil
}

func (c *caller) was(t *testing.T, questions ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if fmt.Sprint(c.heard) != fmt.Sprint(questions) {
		t.Errorf("%s was asked %q, not %q", c.session, c.heard, questions)
	}
}

// A client of the handshake era loses nothing before a server of both, whoever asked that first.
func TestTheEraFitsTheCaller(t *testing.T) {
	for _, order := range []string{"handshake list stateless", "list handshake stateless", "stateless handshake list", "stateless list handshake"} {
		for _, era := range []string{"", Handshake, Stateless} {
			t.Run(order+" of "+era, func(t *testing.T) {
				g := newGated(era)
				close(g.gate)
				s := g.server(t)
				for range 2 {
					for step := range strings.SplitSeq(order, " ") {
						who := &caller{session: step}
						switch step {
						case "list":
							if _, err := s.List(t.Context(), "tools/list", "tools"); err != nil {
								t.Error(err)
							}
						case "handshake":
							raw, err := s.Do(t.Context(), who.call("ask", "me"))
							if can := strings.Contains(string(raw), `"to":"me"`); err != nil || can == (era == Stateless) {
								t.Errorf("%s %v", raw, err)
							}
						case "stateless":
							r := who.call("see", "")
							r.Rounds = true
							raw, err := s.Do(t.Context(), r)
							if is := string(rawjson.Get(raw, "modern")) == "true"; err != nil || is == (era == Handshake) {
								t.Errorf("%s %v", raw, err)
							}
							if era != Handshake {
								continue
							}
							r = who.call("ask", "me") // asked in another way than it is used to, but asked
							r.Rounds = true
							if raw, err = s.Do(t.Context(), r); err != nil || !strings.Contains(string(raw), `"to":"me"`) {
								t.Errorf("%s %v", raw, err)
							}
						}
					}
				}
				if n := g.starts.Load(); n > 2 {
					t.Errorf("%d programs", n)
				}
				if h := s.Health(); h.Faults != 0 || h.LastError != "" {
					t.Errorf("what a server does not speak is no fault: %+v", h)
				}
			})
		}
	}
}

// Nobody who cannot be asked costs a second program.
func TestAnEraIsChosenOnlyWhereItMatters(t *testing.T) {
	for name, edit := range map[string]func(*Spec, *Request){
		"nothing is allowed":   func(s *Spec, _ *Request) { s.Allow = nil },
		"nothing is offered":   func(_ *Spec, r *Request) { r.Offers = []string{Roots} },
		"nobody could be told": func(_ *Spec, r *Request) { r.Ask = nil },
	} {
		t.Run(name, func(t *testing.T) {
			g := newGated("")
			r := (&caller{session: "a"}).call("see", "")
			s := g.server(t, func(s *Spec) { edit(s, &r) })
			if _, err := s.List(t.Context(), "tools/list", "tools"); err != nil {
				t.Fatal(err)
			}
			raw, err := s.Do(t.Context(), r)
			if err != nil || g.starts.Load() != 1 {
				t.Errorf("%s %v, %d programs", raw, err, g.starts.Load())
			}
		})
	}
}

// A question over a common stream names no call: it goes to the client whose call it is all the same.
func TestAQuestionFindsItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGated(Handshake)
		s := g.server(t)
		callers := []*caller{{session: "a"}, {session: "b"}, {session: ""}, {session: ""}}
		var wg sync.WaitGroup
		for i, c := range callers {
			wg.Go(func() {
				name := fmt.Sprint("q", i)
				raw, err := s.Do(t.Context(), c.call("ask", name))
				if err != nil || !strings.Contains(string(raw), `"to":"`+name+`"`) {
					t.Errorf("%s: %s %v", name, raw, err)
				}
			})
		}
		synctest.Wait()
		g.open()
		wg.Wait()
		for i, c := range callers {
			c.was(t, fmt.Sprint("q", i))
		}
		if n := g.starts.Load(); n != int32(len(callers)) {
			t.Errorf("%d programs", n)
		}
		for range 5 { // a session comes back to its own, others to any that is free
			for i, c := range callers {
				if raw, err := s.Do(t.Context(), c.call("ask", "again")); err != nil || !strings.Contains(string(raw), `"to":"again"`) {
					t.Errorf("%d: %s %v", i, raw, err)
				}
			}
		}
		if n := g.starts.Load(); n != int32(len(callers)) {
			t.Errorf("%d programs after all", n)
		}
	})
}

// Calls of one session have one client to ask, so that they need no program each.
func TestCallsOfOneSessionShareAConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGated(Handshake)
		s := g.server(t)
		who := &caller{session: "a"}
		var wg sync.WaitGroup
		for i := range 6 {
			wg.Go(func() {
				tool, want := "ask", `"to":"x"`
				if i%2 == 0 {
					tool, want = "hold", `"content"`
				}
				if raw, err := s.Do(t.Context(), who.call(tool, "x")); err != nil || !strings.Contains(string(raw), want) {
					t.Errorf("%s %v", raw, err)
				}
			})
		}
		synctest.Wait()
		g.open()
		wg.Wait()
		who.was(t, "x", "x", "x")
		if n := g.starts.Load(); n != 1 {
			t.Errorf("%d programs", n)
		}
	})
}

// The call over which a client is asked may end first: the question may be another's of the same client, and is put again.
func TestAQuestionOutlivesTheWrongCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGated(Handshake)
		s := g.server(t)
		var wg sync.WaitGroup
		asked := make(chan string, 4)
		run := func(tool, name string) {
			r := toolCall(tool, `{"whose":"x"}`)
			r.Session, r.Offers = "a", []string{Elicitation}
			r.Ask = func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
				asked <- name
				if name == "asking" {
					return json.RawMessage(`{"action":"accept"}`), nil
				}
				<-ctx.Done()
				return nil, ctx.Err()
			}
			wg.Go(func() {
				if raw, err := s.Do(t.Context(), r); err != nil || tool == "ask" && !strings.Contains(string(raw), `"accept"`) {
					t.Errorf("%s: %s %v", name, raw, err)
				}
			})
			synctest.Wait()
		}
		run("ask", "asking")
		run("hold", "other") // the newer, which is tried first
		g.open()
		wg.Wait()
		if a, b := <-asked, <-asked; a != "other" || b != "asking" {
			t.Errorf("asked by way of %s, then of %s", a, b)
		}
	})
}

// Where nobody can be asked because of a call, nobody else is asked because of it.
func TestAQuestionOfSomebodyElseIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGated(Handshake)
		s := g.server(t, func(s *Spec) { s.Connections = 1; s.CallTime = time.Minute }) // all share it in the end
		can := &caller{session: "a"}
		var wg sync.WaitGroup
		wg.Go(func() {
			if raw, err := s.Do(t.Context(), can.call("hold", "")); err != nil {
				t.Errorf("%s %v", raw, err)
			}
		})
		synctest.Wait()
		wg.Go(func() {
			r := can.call("ask", "another's secret")
			r.Session, r.Ask, r.Offers = "b", nil, []string{}
			raw, err := s.Do(t.Context(), r)
			if err != nil || !strings.Contains(string(raw), "-32600") || !strings.Contains(string(raw), "connections") {
				t.Errorf("%s %v", raw, err)
			}
		})
		time.Sleep(2 * sharePatience)
		g.open()
		wg.Wait()
		can.was(t)
		if n := g.starts.Load(); n != 1 {
			t.Errorf("%d programs", n)
		}
	})
}

// A program works on after its caller left: what it asks then is not put to the next.
func TestALateQuestionIsNotTheNextCallers(t *testing.T) {
	for _, most := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			g := newGated(Handshake)
			s := g.server(t, func(s *Spec) { s.Connections = most })
			first, second := &caller{session: "a"}, &caller{session: "b"}
			ctx, leave := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, leave)
			if _, err := s.Do(ctx, first.call("late", "of a")); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			wg.Go(func() {
				if raw, err := s.Do(t.Context(), second.call("hold", "")); err != nil {
					t.Errorf("%s %v", raw, err)
				}
			})
			synctest.Wait()
			g.open()
			wg.Wait()
			second.was(t)
			if raw, err := s.Do(t.Context(), second.call("ask", "of b")); err != nil || !strings.Contains(string(raw), `"to":"of b"`) {
				t.Errorf("%s %v", raw, err)
			}
			if n := g.starts.Load(); n != 2 {
				t.Errorf("%d programs", n)
			}
		})
	}
}

// A program that can run only once is shared, and its callers are asked in turn as long as nobody else's call is under way.
func TestAProgramThatRunsOnlyOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGated(Handshake)
		var running atomic.Int32
		start := startPiped(func(p *piped) { defer running.Add(-1); g.serve(p) })
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Allow: []string{Elicitation}},
			Options{Start: func(ctx context.Context, sp Spec) (Program, error) {
				if running.Add(1) > 1 {
					running.Add(-1)
					return nil, errors.New("it is locked")
				}
				return start(ctx, sp)
			}})
		var wg sync.WaitGroup
		for _, name := range []string{"a", "b", "c"} {
			wg.Go(func() {
				if raw, err := s.Do(t.Context(), (&caller{session: name}).call("hold", "")); err != nil {
					t.Errorf("%s %v", raw, err)
				}
			})
		}
		time.Sleep(time.Minute / 2)
		g.open()
		wg.Wait()
		who := &caller{session: "d"}
		if raw, err := s.Do(t.Context(), who.call("ask", "me")); err != nil || !strings.Contains(string(raw), `"to":"me"`) {
			t.Errorf("%s %v", raw, err)
		}
		if h := s.Health(); h.State != StateReady {
			t.Errorf("%+v", h)
		}
	})
}
