//go:build !linux

package main

import "runtime/debug"

// idleMemory returns a function that gives back the free part of the heap, which starting up
// or a call took and waiting does not need.
func idleMemory() (giveBack func()) { return debug.FreeOSMemory }
