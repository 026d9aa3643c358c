package upstream

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// flaky is a program in memory whose behaviour the test changes as it goes.
type flaky struct {
	starts atomic.Int32
	ends   atomic.Int32
	mode   atomic.Value // string
}

func (f *flaky) start(ctx context.Context, s Spec) (Program, error) {
	f.starts.Add(1)
	mode, _ := f.mode.Load().(string)
	if mode == "missing" {
		return nil, errors.New("no such program")
	}
	p, err := startPiped(func(p *piped) {
		defer f.ends.Add(1)
		p.end("exit status 3", "starting", "boom: s3cret-value")
		switch mode {
		case "exits":
			return
		case "mute":
			<-p.stopped
			return
		}
		p.messages(func(m incoming) {
			switch mode, _ := f.mode.Load().(string); {
			case mode == "dies in call" && m.Method == "x":
				p.in.Close()
			case mode == "hangs" && m.Method == "x", p.hello(m):
			default:
				p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				if mode == "one call" {
					p.in.Close()
				}
			}
		})
		if mode == "stays" {
			<-p.stopped
		}
	})(ctx, s)
	return p, err
}

func (f *flaky) server(t *testing.T, edit ...func(*Spec)) *Server {
	s := Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake, Env: map[string]string{"KEY": "s3cret-value"}}
	for _, e := range edit {
		e(&s)
	}
	return newServer(t, s, Options{Start: f.start})
}

func ask(t *testing.T, s *Server) error {
	_, err := s.Do(t.Context(), Request{Method: "x"})
	return err
}

func TestStartsOnceWhenAskedAndClosesWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &flaky{}
		s := f.server(t)
		if f.starts.Load() != 0 || s.Health().State != StateIdle {
			t.Fatal("New starts nothing")
		}
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if err := ask(t, s); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if f.starts.Load() != 1 {
			t.Errorf("%d starts", f.starts.Load())
		}
		time.Sleep(4 * time.Minute)
		if err := ask(t, s); err != nil || f.ends.Load() != 0 {
			t.Errorf("%v, %d ended", err, f.ends.Load())
		}
		time.Sleep(4 * time.Minute)
		if f.ends.Load() != 0 {
			t.Error("closed 4 minutes after a call")
		}
		time.Sleep(2 * time.Minute)
		if f.ends.Load() != 1 || s.Health().State != StateIdle {
			t.Errorf("not closed after 6 minutes: %+v", s.Health())
		}
		if err := ask(t, s); err != nil || f.starts.Load() != 2 {
			t.Errorf("%v, %d starts", err, f.starts.Load())
		}
		if h := s.Health(); h.Faults != 0 || h.Restarts != 1 || h.LastError != "" {
			t.Errorf("an idle close is no fault: %+v", h)
		}
	})
}

func TestACallOrASubscriptionKeepsItOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &flaky{}
		f.mode.Store("hangs")
		s := f.server(t, func(s *Spec) { s.CallTime = -1 })
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if _, err := s.Do(ctx, Request{Method: "x"}); codeOf(err) != CodeTimeout || f.starts.Load() != 1 || f.ends.Load() != 0 {
			t.Errorf("%v, %d starts", err, f.starts.Load())
		}
		if _, err := s.Do(t.Context(), subscriptionTo("resources/subscribe", "a:b")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if f.ends.Load() != 0 {
			t.Error("closed under a subscription")
		}
		if _, err := s.Do(t.Context(), subscriptionTo("resources/unsubscribe", "a:b")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		if f.ends.Load() != 1 {
			t.Error("not closed")
		}
	})
}

func TestTheCircuitOpensAndCloses(t *testing.T) {
	for mode, says := range map[string]string{
		"missing":      "no such program",
		"exits":        "exit status 3",
		"dies in call": "exit status 3",
	} {
		t.Run(mode, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &flaky{}
				f.mode.Store(mode)
				s := f.server(t)
				began := time.Now()
				for i := range 5 {
					err := ask(t, s)
					if codeOf(err) != CodeConnection || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "s3cret") {
						t.Fatalf("call %d: %v", i, err)
					}
					if mode == "dies in call" && !strings.Contains(err.Error(), "not repeated") {
						t.Errorf("error = %v", err)
					}
					if mode != "missing" && !strings.Contains(err.Error(), `"boom: ***"`) {
						t.Errorf("error = %v", err)
					}
					synctest.Wait()
				}
				// Waits of 0.5, 1, 2 and 4 s, each a fifth more or less.
				if d := time.Since(began); d < 6*time.Second || d > 9*time.Second || f.starts.Load() != 5 {
					t.Errorf("%d starts in %s", f.starts.Load(), d)
				}
				h := s.Health()
				if h.State != StateOpen || time.Until(h.Until) < 6*time.Second {
					t.Errorf("health %+v", h)
				}
				before := time.Now()
				err := ask(t, s)
				if time.Since(before) != 0 || codeOf(err) != CodeConnection || !strings.Contains(err.Error(), "failed 5 times in a row; the next try is in") ||
					!strings.Contains(err.Error(), says) || f.starts.Load() != 5 {
					t.Errorf("after %s: %v", time.Since(before), err)
				}
				time.Sleep(time.Until(h.Until) + time.Millisecond)
				if err := ask(t, s); err == nil || f.starts.Load() != 6 { // one is let through
					t.Errorf("%v, %d starts", err, f.starts.Load())
				}
				synctest.Wait()
				if err := ask(t, s); err == nil || f.starts.Load() != 6 {
					t.Errorf("%v, %d starts", err, f.starts.Load())
				}
				time.Sleep(maxWait)
				f.mode.Store("")
				if err := ask(t, s); err != nil || s.Health().State != StateReady {
					t.Errorf("well again: %v %+v", err, s.Health())
				}
			})
		})
	}
}

func TestAServerThatEndsAfterEachCallGoesOnServing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &flaky{}
		f.mode.Store("one call")
		s := f.server(t)
		for i := range 20 {
			if err := ask(t, s); err != nil {
				t.Fatalf("call %d: %v", i, err)
			}
			synctest.Wait()
		}
		if f.starts.Load() != 20 || f.ends.Load() != 20 {
			t.Errorf("%d starts, %d ends", f.starts.Load(), f.ends.Load())
		}
	})
}

func TestHangsEndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &flaky{}
		f.mode.Store("mute")
		s := f.server(t, func(s *Spec) { s.StartTime = 10 * time.Second })
		began := time.Now()
		err := ask(t, s)
		if codeOf(err) != CodeConnection || !strings.Contains(err.Error(), "not ready within 10s") {
			t.Errorf("error = %v", err)
		}
		if d := time.Since(began); d < 10*time.Second || d > 13*time.Second {
			t.Errorf("after %s", d)
		}
		f.mode.Store("hangs")
		time.Sleep(time.Minute)
		began = time.Now()
		err = ask(t, s)
		if codeOf(err) != CodeTimeout || !strings.Contains(err.Error(), "no answer within 1m0s") || time.Since(began) != time.Minute {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
		if h := s.Health(); h.State != StateReady || h.Faults != 2 {
			t.Errorf("health %+v", h)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := &flaky{}
		f.mode.Store("stays")
		s := f.server(t)
		if err := ask(t, s); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := s.Close(); err != nil || time.Since(began) > 3*time.Second || f.ends.Load() != 1 {
			t.Errorf("closed after %s: %v", time.Since(began), err)
		}
	})
}

// TestAProgramThatDoesNotReadHoldsUpNobody fills the pipe of a program that stopped reading.
func TestAProgramThatDoesNotReadHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := &atomic.Int32{}
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: startPiped(func(p *piped) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				p.messages(func(m incoming) {
					if !p.hello(m) {
						calls.Add(1)
						<-p.stopped
					}
				})
			}()
			<-p.stopped
			p.in.Close()
			<-done
		})})
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				began := time.Now()
				if _, err := s.Do(ctx, Request{Method: "x"}); codeOf(err) != CodeTimeout || time.Since(began) > time.Second {
					t.Errorf("after %s: %v", time.Since(began), err)
				}
			})
		}
		wg.Wait()
		if calls.Load() != 1 {
			t.Errorf("%d calls were read", calls.Load())
		}
	})
}

func TestALostCallIsRepeatedOnlyIfItDidNotLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &atomic.Int32{}
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: startPiped(func(p *piped) {
			p.messages(func(m incoming) {
				switch {
				case p.hello(m):
				case m.Method == "die":
					seen.Add(1)
					p.in.Close()
				default:
					p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
				}
			})
		})})
		if _, err := s.Do(t.Context(), Request{Method: "die"}); codeOf(err) != CodeConnection || seen.Load() != 1 {
			t.Errorf("%v, seen %d times", err, seen.Load())
		}
		synctest.Wait()
		if _, err := s.Do(t.Context(), Request{Method: "die"}); codeOf(err) != CodeConnection || seen.Load() != 2 {
			t.Errorf("%v, seen %d times", err, seen.Load())
		}
		synctest.Wait()
		if err := ask(t, s); err != nil {
			t.Error(err)
		}
	})
}

func TestOnlyOneCallerLeavesWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake}, Options{Start: func(ctx context.Context, sp Spec) (Program, error) {
			if err := sleep(ctx, 10*time.Second); err != nil {
				return nil, err
			}
			return startPiped(func(p *piped) {
				p.messages(func(m incoming) {
					if !p.hello(m) {
						p.print(`{"jsonrpc":"2.0","id":%s,"result":{}}`, m.ID)
					}
				})
			})(ctx, sp)
		}})
		var wg sync.WaitGroup
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := s.Do(ctx, Request{Method: "x"})
			if codeOf(err) != CodeTimeout || !strings.Contains(err.Error(), "not ready in time") {
				t.Errorf("error = %v", err)
			}
		})
		wg.Go(func() {
			if err := ask(t, s); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
	})
}

func TestConnectionsAreOpenedWhenAllAreBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &flaky{}
		f.mode.Store("hangs")
		s := f.server(t, func(s *Spec) { s.Connections = 3; s.CallTime = time.Minute })
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { _ = ask(t, s) })
			time.Sleep(time.Second)
		}
		if f.starts.Load() != 3 {
			t.Errorf("%d connections", f.starts.Load())
		}
		wg.Wait()
		time.Sleep(10 * time.Minute)
		if f.ends.Load() != 3 {
			t.Errorf("%d closed", f.ends.Load())
		}
	})
}
