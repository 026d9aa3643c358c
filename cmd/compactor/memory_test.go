package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
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
	for deadline := time.Now().Add(10 * time.Second); debug.SetMemoryLimit(-1) == heldHeap; {
		if time.Now().After(deadline) {
			t.Fatal("no collection ends the hold")
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
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
