package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// How far the heap may grow over what is in use before it is collected, in
// percent. Loading and answering make much that is dropped at once, and little
// that stays: at Go's own 100 a tenth of the CPU of a question goes to the
// collector. A server goes back to it, since it is small when it waits.
const (
	growLoading = 400
	growOnce    = 100
)

// heldHeap is what a command that answers once may take before anything is
// collected, in bytes: on most trees it ends before that.
const heldHeap = 112 << 20

// growHeap sets the growth, unless the user did with GOGC, and returns what puts
// the old value back.
func growHeap(percent int) (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	old := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(old) }
}

// holdHeap puts off the first collection until heldHeap is taken, unless the user
// set bounds with GOGC or GOMEMLIMIT. From then on the heap grows by growOnce.
// release puts the old values back.
func holdHeap() (release func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	var mu sync.Mutex
	over := false
	limit := debug.SetMemoryLimit(heldHeap) // before the percentage, so that there is a bound at all times
	percent := debug.SetGCPercent(-1)
	set := func(percent int, limit int64) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			over = true
			debug.SetGCPercent(percent)
			debug.SetMemoryLimit(limit)
		}
	}
	first := new([64]byte) // found unused by the first collection
	runtime.AddCleanup(first, func(int) { set(growOnce, math.MaxInt64) }, 0)
	return func() {
		set(percent, limit)
		debug.SetGCPercent(percent)
	}
}
