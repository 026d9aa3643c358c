//go:build unix && !linux

package confined

// confineMemory does nothing: these kernels do not bound mapped memory, so the watchdog alone does.
func confineMemory(Limits) {}
