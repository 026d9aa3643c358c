//go:build unix && !linux

package process

// blockUntilExit does nothing: here waiting without reaping also returns for a stopped child; the caller just reaps.
func blockUntilExit(int) bool { return false }
