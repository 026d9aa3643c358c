package bounded

import (
	"fmt"
	"os"
	"syscall"
)

type rlim = uint64

// confineMemory bounds the writable memory of this process, which is what Go's
// heap and stacks are: an allocation beyond it ends the process before a page is
// touched. What is mapped already, much of it never used, does not count.
func confineMemory(limits Limits) {
	var total, resident, shared, text, lib, data uint64
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return
	}
	if _, err := fmt.Sscan(string(statm), &total, &resident, &shared, &text, &lib, &data); err != nil {
		return
	}
	page := uint64(os.Getpagesize())
	lower(syscall.RLIMIT_DATA, data*page+uint64(limits.Memory)-min(resident*page, uint64(limits.Memory)/2))
}

// peak is the most memory that a process has held.
func peak(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Maxrss) << 10
	}
	return 0
}
