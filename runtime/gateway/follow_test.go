package gateway

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// Two processes read a list while it changes. The one that read it first writes it down last,
// over the newer one, with a time before or after it.
func TestAListThatIsWrittenDownTooLateIsReadAgain(t *testing.T) {
	for name, after := range map[string]time.Duration{"earlier": -time.Millisecond, "later": time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, map[string]string{"a": simple("old")})
				w.names()
				mine := w.Gateway
				w.Gateway = nil
				w.open()
				other := w.Gateway
				ask := func(g *Gateway) *listing {
					time.Sleep(time.Second)
					l, err := g.fetchListing(t.Context(), g.entry("a"))
					if err != nil {
						t.Fatal(err)
					}
					return l
				}
				for range 2 { // the list comes and goes: it was the other one before
					w.offer("a", simple("old"))
					for _, g := range []*Gateway{mine, other, mine} {
						ask(g)
						_, _ = mine.takeOver(t.Context()), other.takeOver(t.Context())
						synctest.Wait()
					}
					w.offer("a", simple("new"))
					stale := *ask(mine)
					stale.Tools = other.entry("a").listing.Tools
					stale.Fetched = stale.Fetched.Add(after)
					e := other.entry("a")
					e.mu.Lock()
					e.listing = &stale
					e.mu.Unlock()
					other.persistListing(t.Context(), e, &stale)
					followBoth(t, mine, other, func() bool {
						return slices.Equal(mine.listedNames(), []string{"a__new"}) && slices.Equal(other.listedNames(), []string{"a__new"})
					})
				}
			})
		})
	}
}

// Programs of one name that list other tools on each machine do not make the processes ask
// them again and again.
func TestListsThatDifferAreAskedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, map[string]string{"a": simple("x")})
		w.names()
		e := w.entry("a")
		for i := range 5 {
			time.Sleep(time.Second)
			other := store.Catalog{Server: "a", Key: e.key, Fetched: w.opt.Now(), Body: []byte(`{"name":"a","tools":[` + simple("y") + `]}`)}
			if s := w.storage.get(); s.PutCatalog(t.Context(), other) != nil {
				t.Fatal("the list of another machine is not written down")
			}
			before := w.lists("a")
			if err := w.takeOver(t.Context()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * breath)
			if got := w.lists("a") - before; i == 0 && got != 1 || i > 0 && got != 0 {
				t.Errorf("look %d: the server was asked %d times", i, got)
			}
		}
	})
}

func (g *Gateway) listedNames() (names []string) {
	for _, l := range g.Listed() {
		names = append(names, l.Name)
	}
	return names
}

// followBoth lets two processes follow each other until both agree.
func followBoth(t *testing.T, a, b *Gateway, agree func() bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() { a.WatchApprovals(ctx) })
	following.Go(func() { b.WatchApprovals(ctx) })
	defer following.Wait()
	defer stop()
	clocktest.Until(t, "both list the same", agree, func() any { return [][]string{a.listedNames(), b.listedNames()} })
}
