package gateway

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// started records the servers whose programs are started, in order.
func (w *world) started() func() []string {
	var mu sync.Mutex
	var order []string
	start := w.opt.Starter
	w.opt.Starter = func(ctx context.Context, s upstream.Spec) (upstream.Program, error) {
		mu.Lock()
		order = append(order, s.Name)
		mu.Unlock()
		return start(ctx, s)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), order...)
	}
}

// atOnce fails the test where f waits for anything that takes time. It is for
// synctest bubbles, where work takes none.
func atOnce(t *testing.T, what string, f func()) {
	t.Helper()
	before := time.Now()
	if f(); !time.Now().Equal(before) {
		t.Errorf("%s took %s", what, time.Since(before))
	}
}

// ends panics where f does not end: closing what it waits for would not end either.
func ends(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		panic(what)
	}
}

// One that hangs costs those who search one wait, and not a second.
func TestAServerThatHangsIsWaitedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("x"), "h": simple("y")})
		open := w.shut("h")
		w.cfg.Gateway.Wait = time.Second
		w.Configure(w.cfg)
		if got := w.Tools(t.Context()); len(got.List) != 1 {
			t.Errorf("%d tools after the wait", len(got.List))
		}
		if w.entry("h").isAwaited(w.waitLimit()) || w.Missing() {
			t.Error("it is waited for again")
		}
		atOnce(t, "the second search", func() {
			if got := w.Tools(t.Context()); len(got.Pending) != 1 || got.Pending[0] != "h" {
				t.Errorf("pending: %v", got.Pending)
			}
		})
		open()
		clocktest.Until(t, "it is there in the end", func() bool { return len(w.Tools(t.Context()).List) == 2 })
	})
}

// What is known of earlier runs is not waited for, whatever the server does.
func TestAServerOfAnEarlierRunIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("x"), "h": simple("y")})
		w.names()
		defer w.shut("h")()
		w.cfg.Gateway.Wait = maxPatience
		w.open()
		atOnce(t, "a search", func() {
			if got := w.Tools(t.Context()); len(got.List) != 2 || len(got.Pending) != 0 {
				t.Errorf("%d tools, pending %v", len(got.List), got.Pending)
			}
		})
	})
}

func TestOnlyTheServerThatIsNamedIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("x"), "h": simple("y")})
		defer w.shut("h")()
		w.cfg.Gateway.Wait = maxPatience
		w.Configure(w.cfg)
		atOnce(t, "what is known", func() {
			if got := w.Known(t.Context()); len(got.List) != 0 || len(got.Pending) != 2 {
				t.Errorf("%d tools, pending %v", len(got.List), got.Pending)
			}
		})
		atOnce(t, "a search of one server", func() {
			if got := w.Tools(t.Context(), "a"); len(got.List) != 1 {
				t.Errorf("%d tools", len(got.List))
			}
		})
		atOnce(t, "a call of its tool", func() {
			if _, err := w.run("a__x", `{}`); err != nil {
				t.Error(err)
			}
			if _, err := w.run("a__none", `{}`); code(err) != CodeNotFound {
				t.Error(err)
			}
		})
	})
}

// That a server does not start is no reason to speak of tools that others have.
func TestAToolOfAServerThatFailedIsNotSaidToBeMissing(t *testing.T) {
	for name, known := range map[string]bool{"never seen": false, "seen by an earlier run": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, map[string]string{"lake": simple("depth"), "lakes": simple("depth")})
				if known {
					w.names()
					w.open()
				}
				w.put("lake", "crash")
				for tool, server := range map[string]string{"lake__depth": "", "depth": "lake", "lake.depth": "", "LAKE__Depth": ""} {
					_, err := w.For(Caller{}).Execute(t.Context(), tool, server, nil)
					if code(err) != CodeConnection {
						t.Fatalf("%s at %q: %v", tool, server, err)
					}
					for _, want := range []string{"the lake is frozen", "compactor servers lake"} {
						if !strings.Contains(err.Error(), want) {
							t.Errorf("%s at %q does not say %q: %v", tool, server, want, err)
						}
					}
					if strings.Contains(err.Error(), "lakes") {
						t.Errorf("%s at %q speaks of another server: %v", tool, server, err)
					}
				}
				if n := len(w.log("lake")); !known && n > 2 { // once more where it may have ended over the question for its era
					t.Errorf("it was started %d times", n)
				}
			})
		})
	}
}

func TestANearToolIsOneOfTheServerThatIsNamed(t *testing.T) {
	w := newWorld(t, map[string]string{"lake": simple("depth"), "sea": simple("dept")})
	w.names()
	for _, c := range [][3]string{{"lake__dept", "", "did you mean lake__depth?"}, {"dept", "lake", "did you mean lake__depth?"}, {"qqqq", "lake", SearchForIt}, {"deptth", "", "did you mean lake__depth?"}} {
		_, err := w.For(Caller{}).Execute(t.Context(), c[0], c[1], nil)
		if code(err) != CodeNotFound || !strings.Contains(err.Error(), c[2]) || strings.Contains(err.Error(), "sea__") {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A call does not wait behind servers that are only looked at.
func TestTheServerOfACallIsStartedNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("x"), "b": simple("x"), "c": simple("x"), "d": simple("x")})
		var open []func()
		for name := range w.cfg.Servers {
			open = append(open, w.shut(name))
		}
		w.cfg.Gateway.Starts = 1
		w.Configure(w.cfg)
		order := w.started()
		w.DiscoverInBackground()
		clocktest.Until(t, "all want to start", func() bool {
			for _, e := range w.all() {
				if h, _ := w.Health(e.cfg.Name); h.State != upstream.StateStarting {
					return false
				}
			}
			return len(order()) == 1
		})
		first := order()[0]
		var called sync.WaitGroup
		called.Go(func() {
			if got, err := w.run("d__x", `{"n":1}`); err != nil || got != `{"n":1}` {
				t.Error(got, err)
			}
		})
		synctest.Wait() // until it stands in the queue
		for _, f := range open {
			f()
		}
		called.Wait()
		clocktest.Until(t, "all are known", func() bool { return len(w.Tools(t.Context()).List) == 4 })
		if got := order(); len(got) != 4 || first != "d" && got[1] != "d" {
			t.Errorf("started in the order %v", got)
		}
	})
}

// A reload that adds a server has it asked.
func TestLearnBehindAsksWhatIsNew(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x")})
	w.names()
	w.offer("b", simple("y"))
	s := w.cfg.Servers["a"]
	s.Name, s.Prefix, s.Env = "b", "b", map[string]string{toolsFile: w.file("b")}
	w.cfg.Servers["b"] = s
	w.Configure(w.cfg)
	w.DiscoverInBackground()
	clocktest.Until(t, "its list is there without a search", func() bool { return len(w.Listed()) == 2 })
}

// What a person approves through another process holds for the next search, and
// clients hear of it without one.
func TestApprovalsOfAnotherProcessActAtOnce(t *testing.T) {
	for _, how := range []string{"search", "expect", "follow"} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, map[string]string{"a": simple("x")})
				w.cfg.Gateway.Trust = "ask"
				w.open()
				if got := w.names(); len(got) != 0 {
					t.Fatal(got)
				}
				mine := w.Gateway
				told := make(chan struct{}, 8)
				defer mine.OnChange(func() { told <- struct{}{} })()
				if how == "follow" {
					ctx, stop := context.WithCancel(t.Context())
					var following sync.WaitGroup
					following.Go(func() { mine.WatchApprovals(ctx) })
					defer following.Wait()
					defer stop()
				}
				w.Gateway = nil
				w.open()                // the other process
				time.Sleep(time.Second) // in which the person has read
				other := w.Gateway
				if err := other.Approve(t.Context(), other.Waiting(t.Context())); err != nil {
					t.Fatal(err)
				}
				switch how {
				case "search":
					mine.Tools(t.Context())
				case "expect":
					_ = mine.WaitForTool(t.Context(), "a__x")
				}
				if how != "follow" {
					if got := mine.Listed(); len(got) != 1 {
						t.Errorf("listed: %v", got)
					}
				}
				for len(mine.Listed()) != 1 {
					<-told // also of the list that was read before
				}
			})
		})
	}
}
