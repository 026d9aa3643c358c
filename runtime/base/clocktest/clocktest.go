// Package clocktest replaces the clock in tests: it waits for a condition, and compares
// costs by processor time. Neither depends on how fast or how busy the machine is. Only
// tests import it.
package clocktest

import (
	"fmt"
	"runtime/debug"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/cputime"
)

// maxWait is how long Until polls. It is far more than any condition needs, so that
// only a condition that never holds reaches it.
const maxWait = 5 * time.Minute

// Until polls until holds returns true and fails the test after maxWait. what names
// the condition; state, if given, describes what was seen at the end.
func Until(t testing.TB, what string, holds func() bool, state ...func() any) {
	t.Helper()
	if waitUntil(holds, maxWait) {
		return
	}
	seen := ""
	for _, s := range state {
		seen += fmt.Sprintf("; seen: %v", s())
	}
	t.Fatalf("not within %v: %s%s", maxWait, what, seen)
}

func waitUntil(holds func() bool, limit time.Duration) bool {
	const minPause, maxPause = time.Millisecond, 20 * time.Millisecond
	pause, end := minPause, time.Now().Add(limit)
	for !holds() {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
		pause = min(2*pause, maxPause)
	}
	return true
}

const (
	growth    = 16 // times the size
	maxGrowth = 80 // times the cost; growth by the square is 256 times
	tries     = 3
	minSpent  = 2 * time.Millisecond // below it, the granularity of the clock decides

	// gcPercent makes collections rare. After one, the memory of large inputs is given back and must be mapped again,
	// which small inputs never pay for.
	gcPercent = 1000
)

// Linear fails the test if 16 times the size costs more than 80 times the processor
// time, which linear work does not reach and quadratic work, at 256 times, does.
// prepare builds an input of a size and returns the work on it; only the work is
// measured. Run it on one goroutine of a test that is not parallel, since the time of
// the whole process is read. With -short, as under the race detector, the work runs
// once and is not measured.
func Linear(t testing.TB, size int, prepare func(size int) (work func())) {
	t.Helper()
	if testing.Short() {
		prepare(size)()
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	var once, many time.Duration
	for try := range tries {
		a, b := measureRun(prepare, size), measureRun(prepare, size*growth)
		if try == 0 {
			once, many = a, b
		}
		if once, many = max(once, a), min(many, b); many <= maxGrowth*once {
			return
		}
	}
	t.Errorf("%v of processor time for %d, %v for %d times as much: more than %d times", once, size, many, growth, maxGrowth)
}

// measureRun returns the processor time of one run, averaged over enough runs to be
// measurable.
func measureRun(prepare func(int) func(), size int) time.Duration {
	var total time.Duration
	for runs := 1; ; runs++ {
		work := prepare(size)
		start := cputime.Process()
		work()
		if total += cputime.Process() - start; total >= minSpent {
			return total / time.Duration(runs)
		}
	}
}
