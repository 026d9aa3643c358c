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
	defer os.Remove(f.Name())
	if err := f.Close(); err != nil {
		return err
	}
	s, err := openFile(ctx, f.Name(), true)
	if err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	return place(f.Name(), path)
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
