//go:build unix

package process

import (
	"os"
	"strconv"
	"syscall"
)

// closeInherited sets close-on-exec on all our files. Ours already have it; this is for files that a careless host let us
// inherit, which neither a program nor the guard should hold.
func closeInherited() {
	dir, err := os.Open("/dev/fd")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}
