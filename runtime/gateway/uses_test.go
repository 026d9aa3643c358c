package gateway

import (
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Calls count once while others read the counts of the store, whenever they are written.
func TestCallsCountOnceWhileCountsAreRead(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	u := newUses()
	var reads atomic.Int32
	var reader sync.WaitGroup
	reader.Go(func() {
		for reads.Load() < 20 {
			if err := u.readChanged(t.Context(), s, time.Now()); err != nil {
				t.Error(err)
				return
			}
			reads.Add(1)
		}
	})
	all, n := u.all("notes", "read_note"), 0
	for reads.Load() < 20 && !t.Failed() {
		n++
		u.count(s, "desk", "notes", "read_note", n%7 != 0)
		if got := all(); got != n {
			t.Errorf("%d calls count as %d", n, got)
		}
	}
	reader.Wait()
	if err := u.readChanged(t.Context(), s, time.Now()); err != nil {
		t.Fatal(err)
	}
	if kept := u.kept[[2]string{"notes", "read_note"}]["desk"]; kept != n || all() != n {
		t.Errorf("of %d calls %d are kept, %d shown", n, kept, all())
	}
}

// Calls that are not to be kept count until they are forgotten, whatever is read meanwhile.
func TestCallsThatAreNotKeptCount(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	u := newUses()
	all := u.all("notes", "read_note")
	for range 3 {
		u.count(nil, "", "notes", "read_note", true)
		u.count(s, "", "notes", "read_note", true)
		if err := u.readChanged(t.Context(), s, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if all() != 6 {
		t.Errorf("%d calls of 6", all())
	}
	if n, err := s.ForgetUses(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Error(n, err)
	}
	if err := u.recount(t.Context(), s); err != nil || all() != 0 {
		t.Errorf("%d are known, %v", all(), err)
	}
}
