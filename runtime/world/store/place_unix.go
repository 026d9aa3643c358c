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

// openPlain opens a file for reading. It does not follow links, or wait for the writer of a pipe.
func openPlain(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}

// checkOwner rejects files that belong neither to this user nor to root. Root may use any
// file: in a container, files of the host's user do not belong to it.
func checkOwner(info fs.FileInfo) error {
	own, ok := info.Sys().(*syscall.Stat_t)
	if me := uint32(os.Geteuid()); ok && me != 0 && own.Uid != me && own.Uid != 0 {
		return errors.New("belongs to another user")
	}
	return nil
}

// Permission bits of others: entering and writing a directory.
const (
	everybodyEnters = 0o001
	everybodyWrites = 0o002
)

// safeDirectory rejects a directory in which another user could replace our file, which contains approvals. A missing
// directory will be created by us, so its ancestors decide.
func safeDirectory(dir string) error {
	made := false
	real, err := filepath.EvalSymlinks(dir)
	for errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
		made, dir = true, filepath.Dir(dir)
		real, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil // the problem shows when the file is opened
	}
	var open error
	for at := real; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return nil
		}
		mode, holds := info.Mode(), at == real && !made
		switch {
		case holds && checkOwner(info) != nil:
			return fmt.Errorf("lies in %s, which belongs to another user", at)
		case mode.Perm()&everybodyWrites != 0 && (holds || mode&fs.ModeSticky == 0) && open == nil:
			open = fmt.Errorf("lies in or below %s, where everybody may write", at)
		}
		if mode.Perm()&everybodyEnters == 0 && checkOwner(info) == nil {
			open = nil // no other user can get below this directory
		}
		if at == filepath.Dir(at) {
			return open
		}
	}
}

// ownerOnly says that files from create cannot be read by other users.
const ownerOnly = true
