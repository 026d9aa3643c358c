package eventlog

import (
	"os"
	"runtime"
)

// maxFile is the size at which a log file is renamed to FILE.1, replacing the previous one.
const maxFile = 16 << 20

// file is a log file that only its user can read. Several programs may write to it.
type file struct {
	path string
	most int64
	f    *os.File
	size int64 // as far as known: others may write too
}

func openFile(path string, most int64) (*file, error) {
	l := &file{path: path, most: most}
	return l, l.open()
}

func (l *file) open() error {
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	l.f, l.size = f, 0
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		l.size = info.Size()
	}
	return nil
}

// Write appends a line.
func (l *file) Write(p []byte) (int, error) {
	if l.f == nil { // reopening it failed
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	if l.size+int64(len(p)) > l.most {
		if err := l.rotate(); err != nil {
			return 0, err
		}
	}
	n, err := l.f.Write(p)
	l.size += int64(n)
	return n, err
}

// rotate rotates a full file, unless another program has done so. If it cannot be renamed,
// as in a process that has no access to its directory, its contents are discarded.
// Anything but a regular file is left as it is.
func (l *file) rotate() error {
	mine, err := l.f.Stat()
	if err != nil || !mine.Mode().IsRegular() {
		l.size = 0
		return err
	}
	if now, err := os.Lstat(l.path); err != nil || !os.SameFile(mine, now) {
		_ = l.f.Close()
		l.f = nil
		return l.open()
	}
	if l.size = mine.Size(); l.size < l.most/2 { // another program has truncated it
		return nil
	}
	if err := l.renameAside(); err == nil {
		return l.open()
	}
	if l.f == nil {
		if err := l.open(); err != nil {
			return err
		}
	}
	if err := l.f.Truncate(0); err != nil {
		return err
	}
	l.size = 0
	return nil
}

// renameAside renames the file to the name of the previous one. It closes the file first if the
// system requires that.
func (l *file) renameAside() error {
	if runtime.GOOS == "windows" {
		_ = l.f.Close()
		l.f = nil
	}
	if err := os.Rename(l.path, l.path+".1"); err != nil {
		return err
	}
	if l.f != nil {
		_ = l.f.Close()
		l.f = nil
	}
	return nil
}

func (l *file) Close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}
