//go:build unix

package sandbox

import (
	"testing"

	"golang.org/x/sys/unix"
)

// takeDown removes d/d/d/... from below: it goes down by handles and up by "..".
func takeDown(t *testing.T, top string) {
	at, err := unix.Open(top, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	must(t, err)
	step := func(name string) bool {
		next, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
		if err == nil {
			unix.Close(at)
			at = next
		}
		return err == nil
	}
	depth := 0
	for step("d") {
		depth++
	}
	for ; depth > 0; depth-- {
		unix.Unlinkat(at, "f", 0)
		if !step("..") {
			break
		}
		unix.Unlinkat(at, "d", unix.AT_REMOVEDIR)
	}
	unix.Close(at)
}
