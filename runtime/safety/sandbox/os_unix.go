//go:build unix

package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openFlags keep the open from blocking on a pipe that took a file's place.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY

func sameDevice(a, b fs.FileInfo) bool {
	x, xok := a.Sys().(*syscall.Stat_t)
	y, yok := b.Sys().(*syscall.Stat_t)
	return xok && yok && x.Dev == y.Dev
}

// linkCount returns 0 for a directory that was deleted while it is open.
func linkCount(root *os.Root) uint64 {
	info, err := root.Stat(".")
	if err != nil {
		return 0
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

func isNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

// syncDir syncs a new name to the disk. Some file systems refuse to sync a directory; the file itself is safe.
func syncDir(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	d.Sync()
	return d.Close()
}
