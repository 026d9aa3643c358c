package clocktest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// recorder is a testing.TB whose failures are kept and end the goroutine only.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) { r.said = fmt.Sprintf(format, args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func failure(t *testing.T, test func(testing.TB)) string {
	r, done := &recorder{TB: t}, make(chan struct{})
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	return r.said
}

func TestUntilWaitsForItsCondition(t *testing.T) {
	calls := 0
	Until(t, "the third call", func() bool { calls++; return calls == 3 })
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
	if waitUntil(func() bool { return false }, time.Millisecond) {
		t.Error("a condition that never holds was waited for without an error")
	}
}

func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing is measured with -short")
	}
	sink := 0
	walk := func(n int) { // one step an element
		for i := range n {
			sink += i ^ sink
		}
	}
	if said := failure(t, func(tb testing.TB) {
		Linear(tb, 4000, func(n int) func() { return func() { walk(n) } })
	}); said != "" {
		t.Errorf("linear work failed: %s", said)
	}
	if said := failure(t, func(tb testing.TB) {
		Linear(tb, 1000, func(n int) func() { return func() { walk(n * n) } })
	}); !strings.Contains(said, "times as much") {
		t.Errorf("quadratic work passed: %q", said)
	}
}
