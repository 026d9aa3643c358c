//go:build !linux

package service

// lowPriority does nothing where a thread has no priority of its own: a run still gives
// way to calls.
func lowPriority() {}
