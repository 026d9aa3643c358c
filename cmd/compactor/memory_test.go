package main

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// TestHoldHeap puts collecting off up to the first collection, and not for good.
func TestHoldHeap(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before, limit := debug.SetGCPercent(77), debug.SetMemoryLimit(-1)
	defer debug.SetGCPercent(before)

	release := holdHeap()
	if got := debug.SetMemoryLimit(-1); got != heldHeap {
		t.Errorf("limit %d, want %d", got, heldHeap)
	}
	clocktest.Until(t, "a collection ends the hold", func() bool {
		runtime.GC()
		return debug.SetMemoryLimit(-1) != heldHeap
	})
	release()
	if got := debug.SetGCPercent(before); got != 77 {
		t.Errorf("growth %d after it, want 77", got)
	}
	if got := debug.SetMemoryLimit(-1); got != limit && got != 1<<63-1 {
		t.Errorf("limit %d after it, want %d", got, limit)
	}

	t.Setenv("GOGC", "50")
	holdHeap()()
	if got := debug.SetMemoryLimit(-1); got == heldHeap {
		t.Error("held where the user set GOGC")
	}
}
