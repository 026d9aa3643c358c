//go:build !linux

package main

import "runtime/debug"

// idleMemory gives back what starting or a call took and waiting does not need:
// the free part of the heap.
func idleMemory() (giveBack func()) { return debug.FreeOSMemory }
