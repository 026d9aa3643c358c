package main

import (
	"os"
	"runtime/debug"
)

// How far the heap may grow over what is in use before it is collected, in
// percent. Loading and answering make much that is dropped at once, and little
// that stays: at Go's own 100 a tenth of the CPU of a question goes to the
// collector. A server goes back to it, since it is small when it waits.
const (
	growLoading = 400
	growOnce    = 200
)

// growHeap sets the growth, unless the user did with GOGC, and returns what puts
// the old value back.
func growHeap(percent int) (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	old := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(old) }
}
