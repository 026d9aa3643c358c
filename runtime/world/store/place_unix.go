//go:build unix

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// openPlain opens for reading, follows no link and waits for no writer of a pipe.
func openPlain(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}

// owned refuses what belongs to neither this user nor the superuser. The superuser may use what is anybody's: in a
// container the files of the user outside of it are not its own.
func owned(info fs.FileInfo) error {
	own, ok := info.Sys().(*syscall.Stat_t)
	if me := uint32(os.Geteuid()); ok && me != 0 && own.Uid != me && own.Uid != 0 {
		return errors.New("belongs to another user")
	}
	return nil
}

// Bits of a mode that let everybody in, and make changes.
const (
	everybodyEnters = 0o001
	everybodyWrites = 0o002
)

// safeDirectory refuses a directory in which somebody else may put another file in the place of ours: approvals are in it.
// One that is not there is made by us: what counts is what lies above it.
func safeDirectory(dir string) error {
	made := false
	real, err := filepath.EvalSymlinks(dir)
	for errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		made, dir = true, filepath.Dir(dir)
		real, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil // what is wrong shows when the file is opened
	}
	var open error
	for at := real; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return nil
		}
		mode, holds := info.Mode(), at == real && !made
		switch {
		case holds && owned(info) != nil:
			return fmt.Errorf("lies in %s, which belongs to another user", at)
		case mode.Perm()&everybodyWrites != 0 && (holds || mode&fs.ModeSticky == 0) && open == nil:
			open = fmt.Errorf("lies in or below %s, where everybody may write", at)
		}
		if mode.Perm()&everybodyEnters == 0 && owned(info) == nil {
			open = nil // whatever is below it, nobody else comes there
		}
		if at == filepath.Dir(at) {
			return open
		}
	}
}

// ownerOnly says that what create makes can be read by nobody else.
const ownerOnly = true
