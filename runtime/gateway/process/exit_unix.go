//go:build unix && !linux

package process

// blockUntilExit: elsewhere waiting without reaping also returns for a stopped child; the caller reaps at once.
func blockUntilExit(int) bool { return false }
