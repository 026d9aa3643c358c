package gateway

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// Servers that come one behind the other are one change for who listens, or a few.
func TestServersThatAreSeenFirstMakeFewNotes(t *testing.T) {
	list := map[string]string{}
	for i := range 6 {
		list[fmt.Sprint("s", i)] = simple("x")
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, list)
		var open []func()
		for i := range 6 {
			open = append(open, w.shut(fmt.Sprint("s", i)))
		}
		w.cfg.Gateway.Starts, w.cfg.Gateway.Wait = 6, maxPatience
		w.Configure(w.cfg)
		var notes atomic.Int32
		defer w.OnChange(func() { notes.Add(1) })()
		began := time.Now()
		w.DiscoverInBackground()
		for i := range 6 {
			open[i]()
			clocktest.Until(t, "it is known", func() bool { return len(w.Listed()) == i+1 })
			time.Sleep(quiet + quiet/2)
		}
		clocktest.Until(t, "all are told of", func() bool { return !w.HasUnannounced() })
		if n, most := int(notes.Load()), 2+int(time.Since(began)/burst); n > most {
			t.Errorf("%d notes, want %d at most", n, most)
		}
	})
}
