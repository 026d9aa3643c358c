package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// checkPlace reports whether a file exists at path, and returns an error if it must not be opened: a link, a directory, a
// pipe, a device, a file of another user, a file that others could replace, or a file that is not our store. It opens
// nothing for writing: SQLite would replay the journal of a database before its origin could be checked.
func checkPlace(path string) (there bool, err error) {
	if err := safeDirectory(filepath.Dir(path)); err != nil {
		return false, &Error{path, ErrPlace, err}
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, noJournals(path)
	}
	if err != nil {
		return false, err
	}
	if err := checkPlain(info); err != nil {
		return true, &Error{path, ErrPlace, err}
	}
	for _, suffix := range journals {
		info, err := os.Lstat(path + suffix)
		if err != nil {
			continue // missing, or it cannot be opened either
		}
		if err := checkPlain(info); err != nil {
			return true, &Error{path, ErrPlace, fmt.Errorf("its journal %s %w", filepath.Base(path)+suffix, err)}
		}
	}
	return true, checkHeader(path)
}

// Place returns an error if no store may be opened or created at a URL. It creates nothing.
func Place(url string) error {
	_, path := splitURL(url)
	if OnServer(url) {
		return nil
	}
	_, err := checkPlace(path)
	return err
}

// journals are the suffixes of the files that SQLite puts next to a database.
var journals = []string{"-wal", "-shm", "-journal"}

// noJournals rejects links and other irregular journals without a database, as a new file would use them.
func noJournals(path string) error {
	for _, suffix := range journals {
		if info, err := os.Lstat(path + suffix); err == nil && !info.Mode().IsRegular() {
			return &Error{path, ErrPlace, fmt.Errorf("its journal %s %w", filepath.Base(path)+suffix, checkPlain(info))}
		}
	}
	return nil
}

// checkPlain rejects everything that is not a regular file of this user.
func checkPlain(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		return errors.New("is a link")
	case mode.IsDir():
		return errors.New("is a directory")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("is a pipe")
	case !mode.IsRegular():
		return errors.New("is a device or a socket")
	}
	return checkOwner(info)
}

// Offsets in the header of a SQLite database.
const (
	headerSize    = 100
	versionAt     = 60
	applicationAt = 68
)

var magic = []byte("SQLite format 3\x00")

// checkHeader checks the header of a file: only a file that is marked as a store, or evidently was one, may be opened.
func checkHeader(path string) error {
	head, size, err := headOf(path)
	if err != nil {
		return err
	}
	marked := len(head) == headerSize && binary.BigEndian.Uint32(head[applicationAt:]) == applicationID
	switch {
	case size == 0:
		return &Error{path, ErrDamaged, errors.New("it is empty")}
	case marked && bytes.HasPrefix(head, magic):
		return nil
	case marked, bytes.Count(head, []byte{0}) == len(head):
		return &Error{path, ErrDamaged, errors.New("its header is broken")}
	case !bytes.HasPrefix(head, magic) && filepath.Base(path) == defaultName: // no other program uses this name
		return &Error{path, ErrDamaged, errors.New("it is no SQLite database")}
	case !bytes.HasPrefix(head, magic):
		return &Error{path, ErrForeign, errors.New("it is no SQLite database")}
	case len(head) < headerSize:
		return &Error{path, ErrForeign, errors.New("its header is cut off")}
	}
	return &Error{path, ErrForeign, fmt.Errorf("its application id is %#x", binary.BigEndian.Uint32(head[applicationAt:]))}
}

// headOf reads the header of a file. It neither follows a link nor blocks on a pipe that may have replaced the file.
func headOf(path string) (head []byte, size int64, err error) {
	f, err := openPlain(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if err := checkPlain(info); err != nil {
		return nil, 0, &Error{path, ErrPlace, err}
	}
	head, err = io.ReadAll(io.LimitReader(f, headerSize))
	return head, info.Size(), err
}
