package main

import (
	"os"
	"syscall"
)

// peak is the most memory that a process that has ended had, or one of its children, in
// bytes.
func peak(state *os.ProcessState) int64 {
	return state.SysUsage().(*syscall.Rusage).Maxrss << 10
}
