package confined

import (
	"fmt"
	"os"
	"syscall"
)

type rlim = uint64

// instrumented is an address space so large that only a race detector's shadow memory explains it.
const instrumented = 1 << 36

// reserve is address space that is mapped but not used: Go grows its heap in arenas of 64 MiB, and in a cgo build
// each thread also has a stack and a C arena. Without this allowance, work fails with a sixth of its memory in use.
const reserve = 256 << 20

// confineMemory bounds how far the address space of this process may grow. At its start Go reserves more than it
// will use, and after that only what it needs, so an allocation beyond the limit ends the process before it touches
// a page.
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
		lowerLimit(syscall.RLIMIT_AS, size+uint64(limits.Memory)/8*6+reserve)
	}
}
