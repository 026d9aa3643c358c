package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// way is a transport and an era to reach a peer by; the peer is nil where it is a program of its own.
type way struct {
	name string
	era  string
	kind string
	dial func(t testing.TB, edit func(*Spec, *Options, *peer)) (*Server, *peer)
}

var ways = func() []way {
	var out []way
	for _, era := range []string{Handshake, Stateless} {
		out = append(out,
			way{"program " + era, era, Stdio, func(t testing.TB, edit func(*Spec, *Options, *peer)) (*Server, *peer) {
				s, o := Spec{Command: "self", Args: []string{era}}, Options{}
				edit(&s, &o, newPeer(era))
				return newServer(t, s, o), nil
			}},
			way{"pipe " + era, era, Stdio, func(t testing.TB, edit func(*Spec, *Options, *peer)) (*Server, *peer) {
				p := newPeer(era)
				s := Spec{Command: "pipe", Args: []string{unique(t)}}
				o := Options{Start: startPiped(func(x *piped) { p.serveLines(x.in, x.stdout) })}
				edit(&s, &o, p)
				return newServer(t, s, o), p
			}},
			way{"http " + era, era, HTTP, func(t testing.TB, edit func(*Spec, *Options, *peer)) (*Server, *peer) {
				p := newPeer(era)
				_, url := newStreamable(t, p)
				s, o := Spec{URL: url}, Options{}
				edit(&s, &o, p)
				return newServer(t, s, o), p
			}})
	}
	return append(out, way{"sse", Handshake, SSE, func(t testing.TB, edit func(*Spec, *Options, *peer)) (*Server, *peer) {
		p := newPeer(Handshake)
		s, o := Spec{URL: newEventful(t, p)}, Options{}
		edit(&s, &o, p)
		return newServer(t, s, o), p
	}})
}()

// everyWay runs test over each transport and era.
func everyWay(t *testing.T, edit func(*Spec, *Options, *peer), test func(t *testing.T, w way, s *Server, p *peer)) {
	if edit == nil {
		edit = func(*Spec, *Options, *peer) {}
	}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			s, p := w.dial(t, edit)
			test(t, w, s, p)
		})
	}
}

func toolCall(name, arguments string) Request {
	return Request{Method: "tools/call", Params: json.RawMessage(`{"name":"` + name + `","arguments":` + arguments + `}`)}
}

// Progress is a sign of life: it gives a call its time once more, up to the most
// that one may take. Nothing else does.
func TestProgressGivesACallMoreTime(t *testing.T) {
	const (
		own   = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`
		other = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9%s,"progress":1}}`
		log   = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"token %s"}}`
	)
	for name, c := range map[string]struct {
		note  string
		times int // a second apart, then the answer; below 0: no answer
		time  time.Duration
		says  string
	}{
		"it reports until it answers":   {own, 30, 0, ""},
		"it reports for too long":       {own, 100, 0, "no answer within 1m0s"},
		"it stops reporting":            {own, -5, 0, "no answer within 3s"},
		"a tool that has more time":     {own, 100, 2 * time.Minute, ""},
		"a tool with less":              {own, 5, 500 * time.Millisecond, "no answer within 500ms"},
		"progress of another call":      {other, 30, 0, "no answer within 3s"},
		"lines of a log are none of it": {log, 30, 0, "no answer within 3s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				spec := Spec{Command: "pipe", Args: []string{unique(t)}, CallTime: 3 * time.Second, MaxCallTime: time.Minute}
				s := newServer(t, spec, Options{Start: startPiped(func(p *piped) {
					p.messages(func(m incoming) {
						switch {
						case p.hello(m):
						case m.Method == "ping":
							p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
						case m.Method == "tools/call":
							go func() {
								for range max(c.times, -c.times) {
									select {
									case <-time.After(time.Second):
									case <-p.done:
										return
									}
									p.print(c.note, rawjson.Get(rawjson.Get(m.Params, "_meta"), "progressToken"))
								}
								if c.times > 0 {
									p.print(`{"jsonrpc":"2.0","id":%s,"result":{"done":true}}`, m.ID)
								}
							}()
						}
					})
				})})
				r := toolCall("x", `{}`)
				r.Time = c.time
				_, err := s.Do(t.Context(), r)
				if c.says == "" && err != nil || c.says != "" && (codeOf(err) != CodeTimeout || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), c.says)) {
					t.Errorf("%v, want %q", err, c.says)
				}
				if h := s.Health(); h.Faults != strings.Count(c.says, "within") {
					t.Errorf("%d faults", h.Faults)
				}
			})
		})
	}
}

func TestCallEveryWay(t *testing.T) {
	everyWay(t, nil, func(t *testing.T, w way, s *Server, _ *peer) {
		about, err := s.About(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if about.Era != w.era || about.Kind != w.kind || about.Instructions != "Ask." || rawjson.GetText(about.ServerInfo, "name") != "peer" ||
			!strings.Contains(string(about.Capabilities), `"n":9007199254740993`) {
			t.Errorf("About = %+v", about)
		}
		result, err := s.Do(t.Context(), toolCall("echo", `{"n":  12345678901234567890123, "f":1.10,"s":"<é&>"}`))
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"content":[],"structuredContent":{"n":12345678901234567890123,"f":1.10,"s":"<é&>"}}`; string(result) != want {
			t.Errorf("got  %s\nwant %s", result, want)
		}
		_, err = s.Do(t.Context(), toolCall("fail", `{}`))
		var rpc *RPCError
		if !errors.As(err, &rpc) || rpc.Code != -32050 || rpc.Message != "no luck" || string(rpc.Data) != `{"n":9007199254740993}` {
			t.Errorf("error = %#v", err)
		}
		big, err := s.Do(t.Context(), toolCall("big", `{}`))
		want := `{"content":[{"type":"text","text":"` + strings.Repeat("<é&\\n", 5<<20/6) + `"}],"n":12345678901234567890123}`
		if err != nil || string(big) != want {
			t.Errorf("%d bytes (%v), want the %d that were sent", len(big), err, len(want))
		}
		if h := s.Health(); h.State != StateReady || h.Calls != 3 || h.InFlight != 0 || h.P50 <= 0 || h.P99 < h.P50 {
			t.Errorf("health %+v", h)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Do(t.Context(), toolCall("echo", `{}`)); codeOf(err) != CodeConnection {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestNotesComeInOrderBeforeTheResult(t *testing.T) {
	everyWay(t, nil, func(t *testing.T, _ way, s *Server, _ *peer) {
		var wg sync.WaitGroup
		limit := make(chan struct{}, 20)
		for range 200 {
			limit <- struct{}{}
			wg.Go(func() {
				defer func() { <-limit }()
				var got []string
				over := false
				r := toolCall("notes", `{}`)
				r.Note = func(n Note) {
					if over {
						t.Error("a note after the result")
					}
					got = append(got, n.Method+string(n.Params))
				}
				_, err := s.Do(t.Context(), r)
				over = true
				want := ""
				for i := range 3 {
					want += fmt.Sprintf(` notifications/progress{"progress":%d,"total":9007199254740993}`, i)
				}
				if err != nil || " "+strings.Join(got, " ") != want {
					t.Errorf("%v %s", err, got)
				}
			})
		}
		wg.Wait()
	})
}

func TestCancelReachesTheServer(t *testing.T) {
	everyWay(t, nil, func(t *testing.T, w way, s *Server, p *peer) {
		if _, err := s.About(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		wait := toolCall("wait", `{}`)
		wait.Note = func(Note) { cancel() } // the server is at it
		if _, err := s.Do(ctx, wait); !errors.Is(err, context.Canceled) {
			t.Fatalf("error = %v", err)
		}
		if p == nil {
			return
		}
		clocktest.Until(t, "the server stopped", func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return p.cancelled == 1 || w.kind == HTTP && w.era == Stateless
		})
	})
}
