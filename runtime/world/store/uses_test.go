package store_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

func uses(t *testing.T, s *store.Store) map[string]store.Use {
	t.Helper()
	list, err := s.Uses(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]store.Use{}
	for _, u := range list {
		out[u.Tool] = u
	}
	return out
}

func TestCountFromManySides(t *testing.T) { onEach(t, countFromManySides) }

func countFromManySides(t *testing.T, fresh string) {
	s := open(t, fresh)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 500 {
				s.Count("", "a", "tool"+strconv.Itoa(i%5), i%10 != 0)
				if i%100 == 0 {
					_, _ = s.Uses(context.Background())
				}
			}
		})
	}
	all.Wait()
	for name, u := range uses(t, s) {
		failed := 0
		if name == "tool0" {
			failed = 400
		}
		if u.Count != 800 || u.Failed != failed {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

// Counts that a person deletes are gone from the files too, those that waited to be written with them.
func TestForgottenUses(t *testing.T) { onEach(t, forgottenUses) }

func forgottenUses(t *testing.T, fresh string) {
	s := open(t, fresh)
	at := time.Now().Add(-48 * time.Hour)
	s.SetClock(func() time.Time { return at })
	s.Count("", "a", "old_tool_that_tells", true)
	at = at.Add(47 * time.Hour)
	s.Count("", "a", "new", true)
	for _, c := range []struct {
		before time.Time
		gone   int64
		left   int
	}{{at, 1, 1}, {at, 0, 1}, {at.Add(time.Hour), 1, 0}} {
		n, err := s.ForgetUses(t.Context(), c.before)
		if left := uses(t, s); err != nil || n != c.gone || len(left) != c.left {
			t.Errorf("%d are deleted and %v left, %v", n, left, err)
		}
	}
	for _, name := range []string{fresh, fresh + "-wal"} {
		if raw, err := os.ReadFile(name); err == nil && bytes.Contains(raw, []byte("old_tool_that_tells")) {
			t.Errorf("%s holds it", name)
		}
	}
}

// A clock that is set back does not make a tool look older than it is.
func TestLastUseWithAClockSetBack(t *testing.T) { onEach(t, lastUseWithAClockSetBack) }

func lastUseWithAClockSetBack(t *testing.T, fresh string) {
	s := open(t, fresh)
	at := func(sec int64) { s.SetClock(func() time.Time { return time.Unix(sec, 0) }) }
	for _, sec := range []int64{100, 50} { // within one batch, then across two
		at(sec)
		s.Count("", "a", "x", true)
	}
	if got := uses(t, s)["x"]; got.Last.Unix() != 100 || got.Count != 2 {
		t.Errorf("%+v", got)
	}
	at(60)
	s.Count("", "a", "x", true)
	at(200)
	s.Count("", "a", "y", true)
	if got := uses(t, s); got["x"].Last.Unix() != 100 {
		t.Errorf("%+v", got)
	}
}

// Counting goes on while another process holds the file, and nothing waits for it.
func TestCountDoesNotWaitForAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s, other := open(t, path), open(t, path)
	tx, err := other.DB().Begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.PutPins(ctx, pins(1)) }()
	clocktest.Until(t, "a record waits for the file", func() bool { return len(ended) > 0 || s.DB().Stats().InUse > 0 })
	for range 100_000 { // would not end if each waited
		s.Count("", "a", "x", true)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatal("the file is not held:", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if got := uses(t, s)["x"]; got.Count != 100_000 {
		t.Errorf("%+v", got)
	}
}

func TestCountAfterClose(t *testing.T) { onEach(t, countAfterClose) }

func countAfterClose(t *testing.T, fresh string) {
	s := open(t, fresh)
	s.Count("", "a", "x", true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s.Count("", "a", "x", true)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := uses(t, open(t, fresh))["x"]; got.Count != 1 {
		t.Errorf("%+v", got)
	}
}

// Counts that have no room, and those that cannot be written until the end, are told with their times.
func TestWhatIsNotCountedIsTold(t *testing.T) { onEach(t, whatIsNotCountedIsTold) }

func whatIsNotCountedIsTold(t *testing.T, fresh string) {
	s := open(t, fresh)
	var at int64
	s.SetClock(func() time.Time { at++; return time.Unix(at, 0) })
	const room = 10_000
	for n := range room + 7 {
		s.Count("", "a", "tool"+strconv.Itoa(n), true)
	}
	got := len(uses(t, s))
	if u := s.Uncounted(); u.Calls != room+7-got || u.Calls > 0 && u.From.After(u.To) {
		t.Errorf("%d are kept, and %+v", got, u)
	}
	if u := s.Uncounted(); u.Calls != 0 {
		t.Errorf("told again: %+v", u)
	}
	s.Count("", "a", "b", true)
	s.Count("", "a", "b", true)
	_ = s.DB().Close() // it is away, and stays so
	if err := s.Close(); err == nil {
		t.Error("it was written")
	}
	if u := s.Uncounted(); u.Calls != 2 {
		t.Errorf("at the end: %+v", u)
	}
}
