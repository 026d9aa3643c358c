package gateway

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Without caches a search sees what a server offers now, and an earlier run has
// left nothing behind; with them it sees what was fetched within the hour.
func TestWithoutCachesServersAreAskedAnew(t *testing.T) {
	for _, off := range []bool{false, true} {
		w := newWorld(t, map[string]string{"a": simple("x"), "b": simple("y")})
		w.cfg.Cache.Off = off
		w.open()
		if got := w.names(); !slices.Equal(got, []string{"a__x", "b__y"}) {
			t.Fatalf("off %v: %v", off, got)
		}
		w.offer("a", simple("x")+","+simple("z"))
		if got := slices.Contains(w.names(), "a__z"); got != off {
			t.Errorf("off %v: the new tool is seen: %v", off, got)
		}
		if _, err := w.run("a__x", `{}`); err != nil {
			t.Errorf("off %v: %v", off, err)
		}
		if r := w.Rates(); off && r.ListHits+r.DetailHits > 0 || !off && r.ListHits == 0 {
			t.Errorf("off %v: %+v", off, r)
		}
		w.open()
		if n := len(w.LoadCached(t.Context()).List); (n == 0) != off {
			t.Errorf("off %v: %d tools of an earlier run", off, n)
		}
	}
}

// A look that is asked for sees what is new, whatever is kept.
func TestProbeAsksAnew(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x"), "b": simple("y")})
	w.names()
	w.offer("a", simple("x")+","+simple("z"))
	w.offer("b", simple("y")+","+simple("z"))
	w.Probe(t.Context(), []string{"a"}, func(int, int, string) {})
	if got := w.names(); !slices.Equal(got, []string{"a__x", "a__z", "b__y"}) {
		t.Errorf("%v", got)
	}
}

// A server that hangs or fails costs one wait, kept lists or none.
func TestWithoutCachesAServerThatHangsIsWaitedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("x"), "h": simple("y"), "c": simple("z")})
		defer w.shut("h")()
		w.put("c", "crash")
		w.cfg.Cache.Off = true
		w.Configure(w.cfg)
		clocktest.Until(t, "a is known, and c has failed", func() bool {
			return len(w.Tools(t.Context()).List) == 1 && slices.ContainsFunc(w.Servers(), func(s catalog.UpstreamServer) bool { return s.Name == "c" && s.Problem != "" })
		})
		w.cfg.Gateway.Wait = 500 * time.Millisecond
		w.Configure(w.cfg)
		w.Tools(t.Context())
		begin := time.Now()
		h, starts := w.entry("h"), w.starts("c")
		for range 10 {
			w.Tools(t.Context())
		}
		if took := time.Since(begin); h.isAwaited(w.waitLimit()) || took > 10*w.waitLimit() {
			t.Errorf("h is waited for again, ten searches took %s", took)
		}
		if n := w.starts("c"); n != starts {
			t.Errorf("c was started %d times more", n-starts)
		}
	})
}
