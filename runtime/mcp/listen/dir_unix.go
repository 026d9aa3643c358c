//go:build unix

package listen

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownDirectory creates dir, or checks that it is ours and closed to others: anyone who can enter it could replace our
// socket with another one between bind and chmod.
func ownDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &Error{What: "cannot make the socket's directory", Err: err, Do: "choose a path below your home directory"}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return &Error{What: "cannot look at the socket's directory", Err: err, Do: "choose a path below your home directory"}
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if ok && int(stat.Uid) != os.Geteuid() {
		return &Error{What: dir + " belongs to another user", Do: "choose a directory of your own"}
	}
	if info.Mode().Perm()&0o077 != 0 {
		return &Error{What: fmt.Sprintf("others can enter %s (mode %04o)", dir, info.Mode().Perm()),
			Do: "choose a directory of mode 0700, or one that does not exist yet"}
	}
	return nil
}

func isSocket(info fs.FileInfo) bool { return info.Mode()&fs.ModeSocket != 0 }

// lockFile takes an exclusive lock that ends with the process. The file is not removed, since several processes may create
// a socket with that name: a third could then lock a new file while a second still has the old one open.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
