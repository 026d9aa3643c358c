package gateway

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"compactor/runtime/store"
)

// A list that was written down under a clock that ran ahead is not fresh until
// the clock gets there.
func TestAListFromTheFutureIsFetchedAnew(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("x")})
	later := New(Options{Now: func() time.Time { return time.Now().Add(10 * 365 * 24 * time.Hour) }, Store: func() (*store.Store, error) {
		return store.Open(context.Background(), filepath.Join(w.dir, "state.db"))
	}})
	later.Configure(w.cfg)
	later.Learn(t.Context())
	if err := later.Close(); err != nil {
		t.Fatal(err)
	}
	w.offer("a", simple("y"))
	w.Learn(t.Context())
	w.eventually("the list is fetched anew", func() bool { names := w.names(); return len(names) == 1 && names[0] == "a__y" })
}
