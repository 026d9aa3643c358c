package process_test

import (
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// One that works is told from one that waits.
func TestWorkIsSeen(t *testing.T) {
	l := newLauncher(t)
	spins, waits := start(t, l, self("spins", "spin")), start(t, l, self("waits", "echo"))
	var used time.Duration
	clocktest.Until(t, "it has worked for half a second", func() bool {
		work, ok := spins.Worked()
		if used = work; !ok {
			t.Fatal("the work cannot be seen")
		}
		return used > 500*time.Millisecond
	}, func() any { return used })
	if idle, ok := waits.Worked(); !ok || idle > 400*time.Millisecond {
		t.Errorf("one that waits has worked for %s, seen: %v", idle, ok)
	}
}
