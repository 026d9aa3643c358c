//go:build unix

package process

import (
	"os"
	"strconv"
	"syscall"
)

// seal marks every file that we hold as closed at exec. Ours are from the start; this is for what a careless host let us
// inherit, which neither a program nor the guard should hold.
func seal() {
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
