//go:build unix

package usage

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// machine identifies the scope in which process numbers are unique: on Linux a container has its own.
func machine() string {
	name, _ := os.Hostname()
	space, _ := os.Readlink("/proc/self/ns/pid")
	return name + " " + space
}

// exists reports whether there is, or may be, a process with this number.
func exists(pid int) bool { return pid <= 0 || !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
