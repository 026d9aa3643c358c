package gateway

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"compactor/runtime/config"
)

// A reload takes the entries under the gateway's lock, and a look starts work of the gateway: neither may hold one lock
// while it wants the other.
func TestReloadsAndLooksDoNotLockEachOther(t *testing.T) {
	w := newWorld(t, nil)
	for i := range 4 {
		name := fmt.Sprintf("s%d", i)
		w.cfg.Servers[name] = config.Server{Name: name, Enabled: true, Command: filepath.Join(w.dir, "gone")}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ctx, leave := context.WithCancel(t.Context())
		leave() // looks begin and are not waited for
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 2000 {
					for _, e := range w.all() {
						_, _ = w.fetch(ctx, e)
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
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		panic("they wait for each other") // closing the gateway would wait too
	}
}
