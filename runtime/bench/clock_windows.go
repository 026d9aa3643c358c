package bench

import (
	"syscall"
	"time"

	"github.com/compactor-mcp/compactor/runtime/catalog"
)

var began = time.Now()

// clock tells what the process has spent so far.
func clock() catalog.Spent {
	var created, exited, kernel, user syscall.Filetime
	p, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(p, &created, &exited, &kernel, &user)
	}
	if err != nil {
		return catalog.Spent{Wall: int64(time.Since(began))}
	}
	return catalog.Spent{CPU: ticks(kernel) + ticks(user), Wall: int64(time.Since(began))}
}

// ticks are of 100 ns.
func ticks(f syscall.Filetime) int64 { return (int64(f.HighDateTime)<<32 | int64(f.LowDateTime)) * 100 }
