package selection_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/gateway/selection"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Calls that another process keeps are learnt soon, in their profile alone, and once: as
// much as if they had been made here.
func TestOthersCallsAreLearnt(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "u.db")
	other, _, _ := run(t, file, selection.Options{})
	called(other, "before", "work", "d")
	if err := other.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	mine, l, _ := run(t, file, selection.Options{})
	called(mine, "mine", "work", "b")
	until(t, l, "what was kept and what was called here is learnt", func(got chances) bool { return got.of("s/d") > got.of("s/a") && got.of("s/b") > got.of("s/a") })
	before := ranked(l, "work")
	home := ranked(l, "home")
	for _, session := range []string{"x", "y", "z"} {
		called(other, session, "work", "a", "c")
	}
	clocktest.Until(t, "what the other process called is wanted here", func() bool {
		now := ranked(l, "work")
		return now["s/a"] > before["s/a"] && now["s/c"] > before["s/c"]
	})
	called(other, "x", "work", "a") // goes on
	if err := other.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, fresh, _ := run(t, file, selection.Options{}) // reads all of it once
	clocktest.Until(t, "both know the same", func() bool {
		a, b := ranked(l, "work"), ranked(fresh, "work")
		for tool := range b {
			if d := a[tool] - b[tool]; d > 1e-6 || d < -1e-6 {
				return false
			}
		}
		return true
	})
	if now := ranked(l, "home"); now["s/a"] != home["s/a"] {
		t.Errorf("another profile wants it: %v, and before %v", now, home)
	}
}

// away is a source that cannot be read for a while.
type away struct {
	*usage.Tracker
	is atomic.Bool
}

func (a *away) Read(ctx context.Context, since time.Time, calls int, do func(usage.Session, []usage.Call) error) error {
	if a.is.Load() {
		return errors.New("it does not answer")
	}
	return a.Tracker.Read(ctx, since, calls, do)
}

func (a *away) Since(ctx context.Context, at usage.Position, do func(usage.Session, []usage.Call) error) error {
	if a.is.Load() {
		return errors.New("it does not answer")
	}
	return a.Tracker.Since(ctx, at, do)
}

// A log that is away at the start is read once it is there.
func TestALogThatIsAwayAtTheStartIsRead(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "u.db")
	other, _, end := run(t, file, selection.Options{})
	for _, session := range []string{"x", "y", "z"} {
		called(other, session, "work", "a")
	}
	end()
	tr, _, _ := run(t, file, selection.Options{})
	source := &away{Tracker: tr}
	source.is.Store(true)
	said := make(chan string, 8)
	l := selection.New(source, selection.Options{Say: func(m string) { said <- m }})
	t.Cleanup(l.Close)
	before := ranked(l, "work")
	if m := <-said; !strings.Contains(m, "cannot be read") {
		t.Errorf("said %q", m)
	}
	source.is.Store(false)
	clocktest.Until(t, "what was kept is learnt", func() bool { return ranked(l, "work")["s/a"] > before["s/a"] })
}
