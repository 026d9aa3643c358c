//go:build unix

package bench

import (
	"syscall"
	"time"

	"github.com/compactor-mcp/compactor/runtime/catalog"
)

var began = time.Now()

// clock tells what the process has spent so far.
func clock() catalog.Spent {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r) // of this process it cannot be refused
	return catalog.Spent{CPU: r.Utime.Nano() + r.Stime.Nano(), Wall: int64(time.Since(began))}
}
