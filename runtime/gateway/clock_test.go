package gateway

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// A list that was written down under a clock that ran ahead is not fresh until
// the clock gets there.
func TestAListFromTheFutureIsFetchedAnew(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x")})
	later := New(Options{Starter: w.start, Now: func() time.Time { return time.Now().Add(10 * 365 * 24 * time.Hour) }, Store: func() (*store.Store, error) {
		return store.Open(context.Background(), filepath.Join(w.dir, "state.db"))
	}})
	later.Configure(w.cfg)
	later.DiscoverAll(t.Context())
	if err := later.Close(); err != nil {
		t.Fatal(err)
	}
	w.offer("a", simple("y"))
	w.DiscoverAll(t.Context())
	clocktest.Until(t, "the list is fetched anew", func() bool { names := w.names(); return len(names) == 1 && names[0] == "a__y" })
}

// Nor is it taken for one of today, however far the clock was ahead: a list
// would never be too old otherwise.
func TestAListFromTheFutureIsNotRecalled(t *testing.T) {
	for ahead, want := range map[time.Duration]int{time.Minute: 1, 10 * 365 * 24 * time.Hour: 0, -31 * 24 * time.Hour: 0, -time.Hour: 1} {
		w := newWorld(t, map[string]string{"a": simple("x")})
		w.names()
		w.open()
		s, err := store.Open(t.Context(), filepath.Join(w.dir, "state.db"))
		if err != nil {
			t.Fatal(err)
		}
		c, ok, err := s.Catalog(t.Context(), "a", w.entry("a").key)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		c.Fetched = time.Now().Add(ahead)
		if err := s.PutCatalog(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		s.Close()
		if got := len(w.LoadCached(t.Context()).List); got != want {
			t.Errorf("%s ahead: %d tools are recalled, want %d", ahead, got, want)
		}
	}
}
