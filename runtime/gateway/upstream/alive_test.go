package upstream

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// stuck is a program in memory that does not answer "x", and from then on only the methods of its list.
func stuck(starts *atomic.Int32, era string, answers ...string) Starter {
	return func(ctx context.Context, sp Spec) (Program, error) {
		starts.Add(1)
		return startPiped(func(p *piped) {
			mute := false
			p.messages(func(m incoming) {
				switch {
				case m.ID == nil:
				case m.Method == "x":
					mute = true
				case mute && !strings.Contains(strings.Join(answers, " "), m.Method):
				case m.Method == "server/discover" && era == Stateless:
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`, m.ID)
				case p.hello(m):
				case mute:
					p.print(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`, m.ID)
				default:
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				}
			})
		})(ctx, sp)
	}
}

func TestAServerThatStaysMuteIsGivenUp(t *testing.T) {
	for name, x := range map[string]struct {
		era, answers string
		starts       int32
	}{
		"handshake, mute":                  {Handshake, "", 2},
		"handshake, does not know ping":    {Handshake, "ping", 1},
		"stateless, mute":                  {Stateless, "ping", 2}, // ping is not of that era
		"stateless, says that it is there": {Stateless, "server/discover", 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var starts atomic.Int32
				s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: x.era}, Options{Start: stuck(&starts, x.era, x.answers)})
				if err := ask(t, s); codeOf(err) != CodeTimeout {
					t.Fatalf("error = %v", err)
				}
				if x.starts == 1 {
					synctest.Wait()
					if h := s.Health(); h.State != StateReady || h.LastError != "" {
						t.Errorf("health %+v", h)
					}
					return
				}
				began := time.Now()
				if _, err := s.Do(t.Context(), Request{Method: "y"}); err != nil || starts.Load() != x.starts {
					t.Errorf("%v, %d starts", err, starts.Load())
				}
				if d := time.Since(began); d > 15*time.Second {
					t.Errorf("the next call took %s", d)
				}
				if h := s.Health(); h.State != StateReady || h.LastError != errMute.Error() || h.Restarts != 1 {
					t.Errorf("health %+v", h)
				}
			})
		})
	}
}

// A program that does one thing after another answers nothing while it works for somebody who still waits.
func TestAnOlderCallMayBeWhatKeepsItBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var starts atomic.Int32
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: func(ctx context.Context, sp Spec) (Program, error) {
			starts.Add(1)
			return startPiped(func(p *piped) {
				p.messages(func(m incoming) {
					if m.Method == "long" {
						select {
						case <-time.After(10 * time.Minute):
						case <-p.stopped:
						}
					}
					if !p.hello(m) {
						p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
					}
				})
			})(ctx, sp)
		}})
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := s.Do(t.Context(), Request{Method: "long", Time: 15 * time.Minute}); err != nil {
				t.Errorf("the long call: %v", err)
			}
		})
		synctest.Wait()
		for range 5 {
			if err := ask(t, s); codeOf(err) != CodeTimeout {
				t.Errorf("error = %v", err)
			}
		}
		wg.Wait()
		if starts.Load() != 1 {
			t.Errorf("%d starts", starts.Load())
		}
		wg.Go(func() { // nobody waits for this one in the end
			_, _ = s.Do(t.Context(), Request{Method: "long", Time: time.Minute})
		})
		synctest.Wait()
		if err := ask(t, s); err == nil {
			t.Error("answered")
		}
		wg.Wait()
		if err := ask(t, s); err != nil || starts.Load() != 2 {
			t.Errorf("%v, %d starts", err, starts.Load())
		}
	})
}

// Chat clients give up before we do; then there is no deadline that we see.
func TestACallerWhoLeavesAfterLongHasItLookedAt(t *testing.T) {
	for wait, restarts := range map[time.Duration]int{time.Second: 0, 30 * time.Second: 1} {
		synctest.Test(t, func(t *testing.T) {
			var starts atomic.Int32
			s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: stuck(&starts, Handshake)})
			ctx, leave := context.WithCancel(t.Context())
			time.AfterFunc(wait, leave)
			if _, err := s.Do(ctx, Request{Method: "x"}); err == nil {
				t.Error("answered")
			}
			time.Sleep(time.Minute)
			if h := s.Health(); h.Faults != restarts {
				t.Errorf("left after %s: %+v", wait, h)
			}
		})
	}
}
