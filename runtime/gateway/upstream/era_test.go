package upstream

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// counted is a starter that counts.
func counted(n *atomic.Int32, serve func(p *piped)) Options {
	return Options{Start: startPiped(func(p *piped) { n.Add(1); serve(p) })}
}

// TestAServerThatEndsWhenItIsProbed is started once more, and not probed again.
func TestAServerThatEndsWhenItIsProbed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts atomic.Int32
		options := counted(&starts, func(p *piped) {
			p.messages(func(m incoming) {
				if m.Method == "server/discover" {
					p.in.Close()
				} else if !p.hello(m) {
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				}
			})
		})
		spec := Spec{Command: "pipe", Args: []string{unique(t)}}
		s := newServer(t, spec, options)
		if err := ask(t, s); err != nil || starts.Load() != 2 {
			t.Errorf("%v after %d starts", err, starts.Load())
		}
		if h := s.Health(); h.Faults != 0 || h.Restarts != 0 {
			t.Errorf("the probe is no fault of the server: %+v", h)
		}
		again := newServer(t, spec, options)
		if err := ask(t, again); err != nil || starts.Load() != 3 {
			t.Errorf("%v after %d starts: the era is remembered", err, starts.Load())
		}
	})
}

// TestAServerThatIgnoresTheProbe costs its time limit once.
func TestAServerThatIgnoresTheProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts atomic.Int32
		options := counted(&starts, func(p *piped) {
			p.messages(func(m incoming) {
				if m.Method != "server/discover" && !p.hello(m) {
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				}
			})
		})
		spec := Spec{Command: "pipe", Args: []string{unique(t)}}
		for _, want := range []time.Duration{maxProbe, 0} {
			began := time.Now()
			if err := ask(t, newServer(t, spec, options)); err != nil || time.Since(began) != want {
				t.Errorf("%v after %s, want %s", err, time.Since(began), want)
			}
		}
	})
}

// TestTheProbeIsNotRepeatedByALaterRun for days, where an earlier one found that
// it is not answered. A server that answers late is not one of those.
func TestTheProbeIsNotRepeatedByALaterRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		serve := func(probes *atomic.Int32, delay time.Duration) Options {
			return Options{Start: startPiped(func(p *piped) {
				p.messages(func(m incoming) {
					if m.Method == "server/discover" {
						if probes.Add(1); delay == 0 {
							return
						}
						time.Sleep(delay)
					}
					if !p.hello(m) {
						p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
					}
				})
			})}
		}
		about := func(o Options, silent time.Time) About {
			o.Silent = silent
			about, err := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, o).About(t.Context()) // a server of another name is not known yet
			if err != nil {
				t.Fatal(err)
			}
			return about
		}
		var probes atomic.Int32
		silent := about(serve(&probes, 0), time.Time{}).Silent
		if silent.IsZero() || probes.Load() != 1 {
			t.Fatalf("silent since %v after %d probes", silent, probes.Load())
		}
		if got := about(serve(&probes, 0), silent).Silent; !got.Equal(silent) || probes.Load() != 1 {
			t.Errorf("a later run: since %v, not %v, after %d probes", got, silent, probes.Load())
		}
		if got := about(serve(&probes, 0), silent.Add(-silentFor)).Silent; got.Before(silent) || probes.Load() != 2 {
			t.Errorf("a run after days: since %v after %d probes", got, probes.Load())
		}
		if got := about(serve(&probes, 2*maxProbe), time.Time{}).Silent; !got.IsZero() || probes.Load() != 3 {
			t.Errorf("one that is slow: since %v after %d probes", got, probes.Load())
		}
	})
}

// TestASlowStatelessServer needs longer than the probe's limit to come up.
func TestASlowStatelessServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(Stateless)
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(x *piped) {
			time.Sleep(2 * maxProbe)
			p.serveLines(x.in, x.stdout)
		})})
		about, err := s.About(t.Context())
		if err != nil || about.Era != Stateless {
			t.Errorf("%+v %v", about, err)
		}
	})
}

func TestAServerThatAnswersAllWithNothingIsNotStateless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts atomic.Int32
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, counted(&starts, func(p *piped) {
			p.messages(func(m incoming) {
				if m.Method == "server/discover" || !p.hello(m) {
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				}
			})
		}))
		about, err := s.About(t.Context())
		if err != nil || about.Era != Handshake {
			t.Errorf("%+v %v", about, err)
		}
	})
}

func TestTheEraCanBeForced(t *testing.T) {
	for _, c := range []struct{ server, forced, says string }{
		{"", Handshake, ""}, {"", Stateless, ""}, {Handshake, Handshake, ""}, {Stateless, Stateless, ""},
		{Handshake, Stateless, "set its era to handshake"},
		{Stateless, Handshake, "no such method"},
		{"", "modern", `its era is "modern": say handshake or stateless`},
	} {
		p := newPeer(c.server)
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: c.forced}, Options{Start: startPiped(func(x *piped) { p.serveLines(x.in, x.stdout) })})
		about, err := s.About(t.Context())
		if c.says == "" && (err != nil || about.Era != c.forced) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: %+v %v", c, about, err)
		}
		for _, m := range p.methods() {
			if c.forced == Handshake && m == "server/discover" {
				t.Error("probed although the era is forced")
			}
		}
	}
}

// TestCapabilitiesThatDoNotDecode are passed as they are.
func TestCapabilitiesThatDoNotDecode(t *testing.T) {
	p := newPeer(Handshake)
	p.caps = `{"tools":true,"logging":"yes","prompts":[]}`
	s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Start: startPiped(func(x *piped) { p.serveLines(x.in, x.stdout) })})
	about, err := s.About(t.Context())
	if err != nil || string(about.Capabilities) != p.caps {
		t.Errorf("%s %v", about.Capabilities, err)
	}
}

func TestNotesOfNobodyAreDroppedAndFloodsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: startPiped(func(p *piped) {
			p.messages(func(m incoming) {
				if p.hello(m) {
					return
				}
				for i := range 5000 {
					p.print(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`, m.ID, i)
				}
				p.print(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"%s","progress":-1}}`, m.ID)
				p.print(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":-2}}`)
				p.print(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":-3}}`)
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
			})
		})})
		n := 0
		_, err := s.Do(t.Context(), Request{Method: "x", Note: func(note Note) {
			if strings.Contains(string(note.Params), "-") {
				t.Errorf("a note of nobody: %s", note.Params)
			}
			n++
		}})
		if err != nil || n != maxNoteSecond {
			t.Errorf("%d notes, %v", n, err)
		}
		synctest.Wait()
	})
}

func TestALogLineGoesToTheOnlyRequest(t *testing.T) {
	everyWay(t, nil, func(t *testing.T, _ way, s *Server, _ *peer) {
		var got []string
		r := toolCall("log", `{}`)
		r.Note = func(n Note) { got = append(got, n.Method+string(n.Params)) }
		_, err := s.Do(t.Context(), r)
		if want := `notifications/message{"level":"info","data":"hello"}`; err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%v %s", err, got)
		}
	})
}

// TestANoteThatComesLate is what servers do that write notes and answers from different goroutines.
func TestANoteThatComesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: startPiped(func(p *piped) {
			note := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`
			p.messages(func(m incoming) {
				if p.hello(m) {
					return
				}
				p.print(note, m.ID, 1)
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				p.print(note, m.ID, 2)
				time.Sleep(time.Second)
				p.print(note, m.ID, 3)
			})
		})})
		var got []string
		began := time.Now()
		_, err := s.Do(t.Context(), Request{Method: "x", Note: func(n Note) { got = append(got, string(n.Params)) }})
		if want := `{"progress":1} {"progress":2}`; err != nil || strings.Join(got, " ") != want || time.Since(began) > lateNotes {
			t.Errorf("%s after %s: %v", got, time.Since(began), err)
		}
	})
}
