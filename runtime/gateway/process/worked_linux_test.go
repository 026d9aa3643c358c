package process_test

import (
	"testing"
	"time"
)

// One that works is told from one that waits.
func TestWorkIsSeen(t *testing.T) {
	l := newLauncher(t)
	spins, waits := start(t, l, self("spins", "spin")), start(t, l, self("waits", "echo"))
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		used, ok := spins.Worked()
		idle, idleOK := waits.Worked()
		if !ok || !idleOK {
			t.Fatal("the work cannot be seen")
		}
		if used > 500*time.Millisecond {
			if idle > 400*time.Millisecond {
				t.Errorf("one that waits has worked for %s", idle)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("one that works has worked for %s", used)
		}
	}
}
