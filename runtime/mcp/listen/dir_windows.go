package listen

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// ownDirectory creates dir. Windows has no modes; a directory below the user's profile is closed to others by its ACL.
func ownDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &Error{What: "cannot make the socket's directory", Err: err, Do: "choose a path below your profile"}
	}
	return nil
}

// isSocket reports whether a file is a socket: a reparse point, which Go versions report as a socket or as irregular.
func isSocket(info fs.FileInfo) bool { return info.Mode()&(fs.ModeSocket|fs.ModeIrregular) != 0 }

// lockFile takes an exclusive lock that ends with the process.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY)
	if err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{}); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
