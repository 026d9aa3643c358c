package gateway

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// A restart that fails says so, though the tools that were known stay listed.
func TestARestartSaysWhatWentWrong(t *testing.T) {
	w := newRealWorld(t, map[string]string{"a": simple("x")})
	w.names()
	if found, err := w.Restart(t.Context(), "a"); !found || err != nil {
		t.Errorf("%v %v", found, err)
	}
	if n := w.starts("a"); n != 2 {
		t.Errorf("%d starts", n)
	}
	w.put("a", "crash")
	if found, err := w.Restart(t.Context(), "a"); !found || err == nil || !strings.Contains(err.Error(), "the lake is frozen") {
		t.Errorf("%v %v", found, err)
	}
	if got := w.names(); !slices.Equal(got, []string{"a__x"}) {
		t.Errorf("%v", got)
	}
	if found, _ := w.Restart(t.Context(), "b"); found {
		t.Error("there is no b")
	}
}

// What is turned on is asked for its tools; what is on already goes on running.
func TestASwitchStartsOnlyWhatIsOff(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x")})
	w.names()
	if found, err := w.Switch(t.Context(), "a", true); !found || err != nil {
		t.Errorf("%v %v", found, err)
	}
	if n := w.starts("a"); n != 1 {
		t.Errorf("%d starts", n)
	}
	if found, err := w.Switch(t.Context(), "a", false); !found || err != nil || len(w.names()) > 0 {
		t.Errorf("%v %v %v", found, err, w.names())
	}
	if found, err := w.Switch(t.Context(), "a", true); !found || err != nil || w.starts("a") != 2 || !w.Has("a__x") {
		t.Errorf("%v %v after %d starts", found, err, w.starts("a"))
	}
	w.put("a", "crash")
	w.Switch(t.Context(), "a", false)
	if found, err := w.Switch(t.Context(), "a", true); !found || err == nil || !strings.Contains(err.Error(), "the lake is frozen") {
		t.Errorf("%v %v", found, err)
	}
}

// A reload that meets a switch is not undone by it.
func TestASwitchKeepsWhatAReloadBrings(t *testing.T) {
	w := newWorld(t, nil)
	for i := range 500 {
		next := *w.cfg
		next.Gateway.TTL = time.Duration(i+1) * time.Hour
		next.Servers = maps.Clone(w.cfg.Servers)
		next.Servers["s"] = config.Server{Name: "s", Enabled: true, Command: filepath.Join(w.dir, "gone")}
		var wg sync.WaitGroup
		wg.Go(func() { w.Configure(&next) })
		for range 3 {
			wg.Go(func() { _, _ = w.Switch(t.Context(), "s", false) })
		}
		wg.Wait()
		w.mu.Lock()
		got := w.Gateway.cfg.TTL
		w.mu.Unlock()
		if want := next.Gateway.TTL; got != want || w.caches.life.Load() != int64(want) {
			t.Fatalf("round %d: lists live for %s and %s, want %s", i, got, time.Duration(w.caches.life.Load()), want)
		}
	}
}

// Whatever a person does to the servers, calls, searches, reloads and the end go on beside it, and end.
func TestServersAreOperatedWhileAllElseGoesOn(t *testing.T) {
	servers := map[string]string{}
	for i := range 3 {
		servers[fmt.Sprintf("s%d", i)] = simple("x")
	}
	w := newRealWorld(t, servers)
	w.cfg.Gateway.Starts = 4
	w.Configure(w.cfg)
	w.names()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var wg sync.WaitGroup
	var busy []*atomic.Int64 // rounds of each
	many := func(f func(i int)) {
		rounds := new(atomic.Int64)
		busy = append(busy, rounds)
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				f(i)
				rounds.Add(1)
			}
		})
	}
	name := func(i int) string { return fmt.Sprintf("s%d", i%3) }
	for range 2 {
		many(func(i int) { _, _ = w.For(Caller{}).Execute(ctx, name(i)+"__x", "", []byte(`{}`)) })
		many(func(i int) { _, _ = w.Restart(ctx, name(i)) })
	}
	many(func(i int) { _, _ = w.Switch(ctx, name(i), i%2 == 0) })
	many(func(int) { w.Tools(ctx); w.Known(ctx); w.Missing() })
	many(func(int) { w.Configure(w.cfg) })
	clocktest.Until(t, "each has gone through four rounds", func() bool {
		return !slices.ContainsFunc(busy, func(rounds *atomic.Int64) bool { return rounds.Load() < 4 })
	}, func() any { return busy })
	ends(t, "closing does not end", func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	stop()
	ends(t, "what goes on does not end", wg.Wait)
}
