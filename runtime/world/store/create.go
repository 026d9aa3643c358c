package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// create makes a store that only its owner can read, and its directory, where nothing is. What stands there is never
// written over. The file is made whole under
// another name: at its own it is never without its tables, so an empty file there has lost them.
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
	return place(f.Name(), path)
}

// checkpoint writes all of the journal into the file, which gets its name without it. Closing does the same, and does not
// say when it could not.
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

// place gives a file its name unless another process was faster; then theirs stands.
func place(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	if _, err := os.Lstat(to); err == nil {
		return nil
	}
	return os.Rename(from, to) // a file system without links
}
