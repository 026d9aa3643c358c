//go:build unix && !linux

package bounded

// confineMemory: the kernel does not bound what is mapped; the watchdog does.
func confineMemory(Limits) {}
