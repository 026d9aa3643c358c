package confined

import (
	"fmt"
	"os"
	"syscall"
)

type rlim = uint64

// instrumented is an address space that only a race detector's shadow needs.
const instrumented = 1 << 36

// reserve is address space that is taken and not used: Go grows its heap by arenas of
// 64 MiB, and where it is built with cgo each thread has a stack and an arena of C's.
// Without it, work ends with a sixth of its memory in use.
const reserve = 256 << 20

// confineMemory bounds how far the address space of this process may grow. Go
// reserves at its start more than it will use, and from then on what it needs: an
// allocation beyond the limit ends the process before a page is touched.
func confineMemory(limits Limits) {
	var size uint64
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return
	}
	if _, err := fmt.Sscan(string(statm), &size); err != nil {
		return
	}
	if size *= uint64(os.Getpagesize()); size < instrumented {
		lower(syscall.RLIMIT_AS, size+uint64(limits.Memory)/8*6+reserve)
	}
}
