package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// create creates a store that only its owner can read, and its directory, unless something exists at path; that is
// never overwritten. The file is built under another name, so that it never appears at path without its tables: an
// empty file there must have lost them.
func create(ctx context.Context, path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := safeDirectory(dir); err != nil {
		return &Error{path, ErrPlace, err}
	}
	f, err := os.CreateTemp(dir, ".new-*.db") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		for _, end := range append([]string{""}, journals...) {
			_ = os.Remove(f.Name() + end)
		}
	}()
	if err := f.Close(); err != nil {
		return err
	}
	s, err := openFile(ctx, f.Name(), true)
	if err != nil {
		return err
	}
	err = s.checkpoint(ctx)
	if closed := s.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return placeFile(f.Name(), path)
}

// checkpoint writes the journal into the file, which is about to get its final name
// without the journal. Closing does the same, but does not report failure.
func (s *Store) checkpoint(ctx context.Context) error {
	var busy, left, moved int
	if err := s.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &left, &moved); err != nil {
		return s.explain(err)
	}
	if busy != 0 {
		return s.fault(ErrBusy, errors.New("its journal could not be emptied"))
	}
	return nil
}

// placeFile gives a file its final name, unless another process was faster; then that one's file stays.
func placeFile(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	return os.Rename(from, to) // for file systems without hard links
}
