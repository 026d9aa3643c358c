package eventlog

import (
	"os"
)

// mostFile is how large a log file grows before it is put aside as FILE.1, in the
// place of the one that was.
const mostFile = 16 << 20

// file is a log file that only its user can read. Several programs may write to it.
type file struct {
	path string
	most int64
	f    *os.File
	size int64 // as far as we know: others may write too
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
	if l.f == nil { // it could not be opened anew
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	if l.size+int64(len(p)) > l.most {
		if err := l.turn(); err != nil {
			return 0, err
		}
	}
	n, err := l.f.Write(p)
	l.size += int64(n)
	return n, err
}

// turn puts a full file aside, unless another program has done so. What is no plain
// file goes on as it is.
func (l *file) turn() error {
	mine, err := l.f.Stat()
	if err != nil || !mine.Mode().IsRegular() {
		l.size = 0
		return err
	}
	now, err := os.Lstat(l.path)
	full := err == nil && os.SameFile(mine, now) && mine.Size() > l.most/2
	if err == nil && os.SameFile(mine, now) && !full {
		l.size = mine.Size()
		return nil
	}
	_ = l.f.Close() // before the name changes: Windows wants that
	l.f = nil
	if full {
		if err := os.Rename(l.path, l.path+".1"); err != nil {
			if again := l.open(); again != nil {
				return again
			}
			l.size = 0 // it grows until it can be put aside
			return nil
		}
	}
	return l.open()
}

func (l *file) Close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}
