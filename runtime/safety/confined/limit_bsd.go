//go:build unix && !linux

package confined

// confineMemory: the kernel does not bound what is mapped; the watchdog does.
func confineMemory(Limits) {}
