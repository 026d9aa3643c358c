//go:build !linux

package main

import "runtime/debug"

// releaseIdleMemory returns a function that gives back the free part of the heap, which starting up
// or a call took and waiting does not need.
func releaseIdleMemory() (giveBack func()) { return debug.FreeOSMemory }
