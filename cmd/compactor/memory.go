package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// These limit how far the heap may grow beyond what is in use before a collection, in
// percent. Loading and answering allocate much that is dropped at once and little that stays:
// at Go's default of 100 the collector takes a tenth of the CPU of a question. A server
// returns to the default, since its heap is small while it waits.
const (
	growLoading = 400
	growOnce    = 100
)

// heldHeap is the size of the heap at which a command that answers once collects for the
// first time, in bytes: on most trees it ends before that.
const heldHeap = 112 << 20

// growHeap sets the GC percentage, unless the user did with GOGC, and returns a function that
// restores the old value.
func growHeap(percent int) (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	old := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(old) }
}

// holdHeap delays the first collection until the heap reaches heldHeap, unless the user set
// limits with GOGC or GOMEMLIMIT. After it the heap grows by growOnce. release restores the
// old values.
func holdHeap() (release func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	var mu sync.Mutex
	over := false
	limit := debug.SetMemoryLimit(heldHeap) // set before the percentage, so that there is always a limit
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
	first := new([64]byte) // unreachable: the first collection runs its cleanup
	runtime.AddCleanup(first, func(int) { set(growOnce, math.MaxInt64) }, 0)
	return func() {
		set(percent, limit)
		debug.SetGCPercent(percent)
	}
}
