//go:build !linux

package service

// lowPriority does nothing on systems without per-thread priorities. A run still pauses
// while calls are running.
func lowPriority() {}
