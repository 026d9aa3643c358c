//go:build unix

package store

import (
	"errors"
	"syscall"

	"golang.org/x/sys/unix"
)

func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// isBroken reports a device error, and isCrowded that no more files can be opened.
func isBroken(err error) bool { return errors.Is(err, syscall.EIO) || errors.Is(err, syscall.ENXIO) }
func isCrowded(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// minRoom is the free space, in bytes, below which a failed write is attributed to a full disk.
const minRoom = 256 << 10

// noRoom reports whether the disk of a directory is full.
func noRoom(dir string) bool {
	var s unix.Statfs_t
	return unix.Statfs(dir, &s) == nil && int64(s.Bavail)*int64(s.Bsize) < minRoom
}

func isReadOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)
}
