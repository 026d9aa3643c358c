package gateway

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// put lays a file beside a server's tools; see serveTools.
func (w *world) put(server, name string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(w.file(server)), name), nil, 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// variable is the value of one.
func (w *world) variable(_ config.Server, name string) (string, bool) {
	w.envMu.Lock()
	defer w.envMu.Unlock()
	v, ok := w.env[name]
	return v, ok
}

// set gives a variable a value while the gateway runs.
func (w *world) set(name, value string) {
	w.envMu.Lock()
	defer w.envMu.Unlock()
	w.env[name] = value
}

// lists counts how often a server was asked for its tools.
func (w *world) lists(server string) int {
	data, _ := os.ReadFile(filepath.Join(w.dir, server, "lists"))
	return strings.Count(string(data), "\n")
}

// A reload meets the lists that are being read at the time.
func TestReloadsAndListsAtOnce(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x"), "b": simple("y")})
	w.cfg.Gateway.TTL = 0 // each look fetches anew
	w.names()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				w.Tools(t.Context())
			}
		})
		wg.Go(func() {
			for range 30 {
				w.Configure(w.cfg)
			}
		})
	}
	ends(t, "reloads and lists wait for each other", wg.Wait)
}

// A change that is announced while the list is on its way is not in that list.
func TestAChangeDuringALookIsReadToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("x")})
		w.put("a", "late")
		w.names()
		clocktest.Until(t, "the changed list is read", func() bool { return slices.Equal(w.names(), []string{"a__x"}) })
	})
}

func TestAServerThatKeepsSayingItChangedIsReadNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("x")})
		w.put("a", "storm")
		w.names()
		time.Sleep(10 * breath)
		if n := w.lists("a"); n < 5 || n > 12 {
			t.Errorf("the list was read %d times in 10 breaths, want 5 to 12", n)
		}
	})
}
