//go:build unix && !linux

package bounded

import "os"

// confineMemory: the kernel does not bound what is mapped; the watchdog does.
func confineMemory(Limits) {}

// peak is not known in the same unit everywhere.
func peak(*os.ProcessState) int64 { return 0 }
