package gateway

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
)

// arrived are the calls of a tool that reached a server.
func (w *world) arrived(server, tool string) int {
	n := 0
	for _, line := range w.log(server) {
		if strings.HasPrefix(line, "call "+tool+" ") {
			n++
		}
	}
	return n
}

// told is a simple tool whose description says something else each time.
func told(name string, n int) string {
	return fmt.Sprintf(`{"name":"%s","description":"Does %s, the way of %d","inputSchema":{"type":"object"}}`, name, name, n)
}

// rounds is how often a restart is tried.
func rounds(short int) int {
	if os.Getenv("COMPACTOR_LONG") != "" {
		return 100
	}
	return short
}

// volley calls a tool from several clients at once.
func (w *world) volley(tool string) (errs []error) {
	var wg sync.WaitGroup
	errs = make([]error, 8)
	for i := range errs {
		wg.Go(func() { _, errs[i] = w.run(tool, `{}`) })
	}
	wg.Wait()
	return errs
}

func TestNoCallReachesAToolThatChangedWhileWeWereAway(t *testing.T) {
	w := newWorld(t, map[string]string{"a": told("x", 0) + "," + simple("same")})
	w.names()
	if _, err := w.run("a__x", `{}`); err != nil {
		t.Fatal(err)
	}
	for i := range rounds(12) {
		w.offer("a", told("x", i+1)+","+simple("same"))
		w.open()
		for _, err := range w.volley("a__x") {
			if code(err) != CodeNotFound {
				t.Fatalf("restart %d: %v", i, err)
			}
		}
		if n := w.arrived("a", "x"); n != i+1 {
			t.Fatalf("restart %d: %d calls of the changed tool arrived at the server", i, n-i-1)
		}
		if _, err := w.run("a__same", `{}`); err != nil {
			t.Fatalf("the tool that did not change: %v", err)
		}
		w.approveAll()
		if _, err := w.run("a__x", `{}`); err != nil { // so that the next restart begins with one that is trusted
			t.Fatal(err)
		}
	}
}

func (w *world) approveAll() {
	w.t.Helper()
	if err := w.Approve(w.t.Context(), w.Waiting(w.t.Context())); err != nil {
		w.t.Fatal(err)
	}
}

func TestNoCallReachesAToolThatChangedWhenItsServerStartedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": told("x", 0) + "," + simple("same")})
		s := w.cfg.Servers["a"]
		s.Idle = 20 * time.Millisecond // then the program is stopped
		w.cfg.Servers["a"] = s
		w.Configure(w.cfg)
		w.names()
		anew := 0 // a round may learn of the change before its program is stopped
		for i := range rounds(12) {
			starts := w.starts("a")
			if _, err := w.run("a__x", `{}`); err != nil {
				t.Fatal(err)
			}
			before := w.arrived("a", "x")
			w.offer("a", told("x", i+1)+","+simple("same"))
			clocktest.Until(t, "the program was stopped", func() bool { h, _ := w.Health("a"); return h.State == "idle" })
			for _, err := range w.volley("a__x") {
				if code(err) != CodeNotFound {
					t.Fatalf("start %d: %v", i, err)
				}
			}
			if n := w.arrived("a", "x"); n != before {
				t.Fatalf("start %d: %d calls of the changed tool arrived at the server", i, n-before)
			}
			if w.starts("a") > starts {
				anew++
			}
			w.approveAll()
		}
		if anew == 0 {
			t.Fatal("the program was never started anew")
		}
	})
}

func TestAToolThatVanishedWhileWeWereAwayIsNotCalled(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x") + "," + simple("y")})
	w.names()
	w.offer("a", simple("y"))
	w.open()
	for _, err := range w.volley("a__x") {
		if code(err) != CodeNotFound {
			t.Errorf("call of a tool that is no more: %v", err)
		}
	}
	if n := w.arrived("a", "x"); n != 0 {
		t.Errorf("%d calls arrived", n)
	}
}

// A change that is announced while calls wait counts for them.
func TestAChangeAnnouncedBeforeACallIsJudgedBeforeIt(t *testing.T) {
	w := newWorld(t, map[string]string{"a": changedTool + "," + told("x", 0)})
	w.names()
	for i := range rounds(12) {
		w.offer("a", changedTool+","+told("x", i+1))
		if _, err := w.run("a__changed", `{}`); err != nil { // announces it, then answers
			t.Fatal(err)
		}
		for _, err := range w.volley("a__x") {
			if code(err) != CodeNotFound {
				t.Fatalf("%d: %v", i, err)
			}
		}
	}
	if n := w.arrived("a", "x"); n != 0 {
		t.Errorf("%d calls of the changed tool arrived", n)
	}
}

// A server that goes back and forth is called as what it was approved as, or
// not at all.
func TestADefinitionThatFlapsIsJudgedEachTime(t *testing.T) {
	w := newWorld(t, map[string]string{"a": changedTool + "," + told("x", 0)})
	w.names()
	for i := range 10 {
		bad := i%2 == 0
		w.offer("a", changedTool+","+told("x", i%2+1-i%2*2)) // 1, 0, 1, 0 …
		if _, err := w.run("a__changed", `{}`); err != nil {
			t.Fatal(err)
		}
		if bad {
			if _, err := w.run("a__x", `{}`); code(err) != CodeNotFound {
				t.Errorf("round %d: %v", i, err)
			}
			continue
		}
		clocktest.Until(t, "it is called as it was approved", func() bool { _, err := w.run("a__x", `{}`); return err == nil })
	}
}

// Announcing changes all the time neither lets a changed tool through nor keeps
// the unchanged ones from being called.
func TestAStormOfChangesHidesNoChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": told("x", 0) + "," + simple("same")})
		w.put("a", "storm")
		w.names()
		if _, err := w.run("a__x", `{}`); err != nil {
			t.Fatal(err)
		}
		w.offer("a", told("x", 1)+","+simple("same"))
		time.Sleep(100 * time.Millisecond) // in which it says so ten times
		for range 5 {
			for _, err := range w.volley("a__x") {
				if code(err) != CodeNotFound {
					t.Fatal(err)
				}
			}
			if _, err := w.run("a__same", `{}`); err != nil {
				t.Fatal(err)
			}
		}
		if n := w.arrived("a", "x"); n != 1 {
			t.Errorf("%d calls arrived", n-1)
		}
	})
}

// A server that does not say what its tools are now is not called, unless
// nobody wants it to be judged.
func TestAToolIsNotCalledUnjudged(t *testing.T) {
	for _, c := range []struct {
		name, trust string
		pins        map[string]string
		lame, want  string
		arrive      int
	}{
		{"the list is refused", "first", nil, "refuse list", CodeConnection, 0},
		{"under ask", "ask", nil, "refuse list", CodeNotFound, 0},
		{"the list never comes", "first", nil, "no list", CodeConnection, 0},
		{"trust is off", "off", nil, "refuse list", "", 1},
		{"trust is off and the tool is pinned", "off", map[string]string{"x": hashOf(t, simple("x"))}, "refuse list", CodeConnection, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, map[string]string{"a": simple("x")})
				s := w.cfg.Servers["a"]
				s.Pins, s.Trust, s.Timeout = c.pins, c.trust, 2*time.Second
				w.cfg.Servers["a"] = s
				w.Configure(w.cfg)
				w.names()
				w.open()
				w.judgeTime = time.Second
				w.put("a", c.lame)
				_, err := w.run("a__x", `{}`)
				if code(err) != c.want {
					t.Errorf("error = %v", err)
				}
				if n := w.arrived("a", "x"); n != c.arrive {
					t.Errorf("%d calls arrived", n)
				}
				if c.want == CodeConnection && !strings.Contains(err.Error(), "server a") {
					t.Errorf("the error names no server: %v", err)
				}
				_ = os.Remove(filepath.Join(filepath.Dir(w.file("a")), c.lame))
				if c.want == CodeConnection {
					clocktest.Until(t, "it is called once its list is there", func() bool { _, err := w.run("a__x", `{}`); return err == nil })
				}
			})
		})
	}
}

func hashOf(t *testing.T, definition string) string {
	t.Helper()
	h, err := trust.Hash([]byte(definition))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Each connection of a pool is a program of its own, and may list something
// else.
func TestEachConnectionOfAPoolIsJudged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("nap") + "," + told("x", 0)})
		s := w.cfg.Servers["a"]
		s.Connections = 2
		w.cfg.Servers["a"] = s
		w.Configure(w.cfg)
		w.names()
		w.offer("a", simple("nap")+","+told("x", 1)) // as the second program will list it
		var wg sync.WaitGroup
		defer wg.Wait()
		clocktest.Until(t, "a call over the second program is refused", func() bool {
			wg.Go(func() { _, _ = w.run("a__nap", `{}`) })
			synctest.Wait() // it keeps the first busy
			before := w.arrived("a", "x")
			_, err := w.run("a__x", `{}`)
			if w.starts("a") > 1 && err != nil && w.arrived("a", "x") != before {
				t.Error("it was refused and arrived")
			}
			return code(err) == CodeNotFound
		})
	})
}

// What is asked before a call is asked once: a server that nothing has changed
// at is listed once for each connection.
func TestAnUnchangedServerIsListedOnceForAConnection(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x")})
	w.names()
	w.open()
	before := w.lists("a")
	for range 5 {
		for _, err := range w.volley("a__x") {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := w.lists("a") - before; n != 1 {
		t.Errorf("the server was asked %d times what it offers", n)
	}
}

// What an earlier run has seen is asked anew behind the first call, unless that call
// has asked by then.
func TestARecalledListIsAskedAnewOnce(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x")})
	w.names()
	w.open()
	before := w.lists("a")
	recalled := w.takeUp(t.Context())
	if len(recalled) != 1 {
		t.Fatalf("%d servers are known from before", len(recalled))
	}
	for range 3 {
		w.renewRecalled(t.Context(), recalled[0])
	}
	if n := w.lists("a") - before; n != 1 {
		t.Errorf("the server was asked %d times what it offers", n)
	}
}

// Who comes while a list is taken over and not judged yet waits for that; a change
// that was announced since is looked at by itself.
func TestALookLastsUntilItsListWasJudged(t *testing.T) {
	var e serverEntry
	a, _ := e.joinFetch(nil)
	e.storeListing(a, &listing{}, nil, time.Now())
	if at, first := e.joinFetch(nil); first || at != a {
		t.Error("the server is asked again before the list that came was judged")
	}
	e.markOutdated()
	b, first := e.joinFetch(nil)
	if !first {
		t.Error("a change that was announced after the list came is not looked at")
	}
	e.endFetch(a)
	if at, first := e.joinFetch(nil); first || at != b {
		t.Error("the end of one look ends another")
	}
	e.endFetch(b)
	if _, first := e.joinFetch(nil); !first {
		t.Error("no further look can begin")
	}
}
