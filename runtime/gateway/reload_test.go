package gateway

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// What its user has just allowed is asked by the next who looks: that it waited was no failure of the server.
func TestWhatIsAllowedIsAskedAtOnce(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x")})
	allowed := false
	w.opt.Allowed = func(config.Server) bool { return allowed }
	if got := w.names(); len(got) != 0 {
		t.Fatal(got)
	}
	if h, _ := w.Health("a"); h.State != "held" {
		t.Error(h)
	}
	w.Configure(w.cfg) // a reload that allows nothing
	if h, _ := w.Health("a"); h.State != "held" {
		t.Error(h)
	}
	allowed = true
	w.Configure(w.cfg)
	if diff := cmp.Diff([]string{"a__x"}, w.names()); diff != "" {
		t.Error(diff)
	}
	if h, _ := w.Health("a"); h.State != "ready" || h.Problem != "" {
		t.Error(h)
	}
}

// A reload takes the entries under the gateway's lock, and a catalogFetch starts work of the gateway: neither may
// hold one lock while it wants the other.
func TestReloadsAndLooksDoNotLockEachOther(t *testing.T) {
	w := newWorld(t, nil)
	for i := range 4 {
		name := fmt.Sprintf("s%d", i)
		w.cfg.Servers[name] = config.Server{Name: name, Enabled: true, Command: filepath.Join(w.dir, "gone")}
	}
	ends(t, "they wait for each other", func() {
		ctx, leave := context.WithCancel(t.Context())
		leave() // looks begin and are not waited for
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 2000 {
					for _, e := range w.all() {
						_, _ = w.fetchListing(ctx, e)
					}
				}
			})
			wg.Go(func() {
				for range 500 {
					w.Configure(w.cfg)
				}
			})
		}
		wg.Wait()
	})
}
