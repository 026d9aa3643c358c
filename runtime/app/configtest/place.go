package configtest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// What a test names lies below the directory of its configuration: that came
// with it, and what is elsewhere is somebody else's. Names are resolved by the
// system below one handle, so that no link leads out.

// below opens the directory of a configuration for a name in it.
func below(dir, what, name string) (*os.Root, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("%s: %q is not below the directory of the configuration; name something in it", what, name)
	}
	return os.OpenRoot(dir)
}

// outside puts into words what a handle refuses.
func outside(what, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%s: %q cannot be reached below the directory of the configuration, where links out of it are not followed: %w", what, name, err)
}

// directory checks that a directory is one, and below.
func directory(dir, what, name string) (string, error) {
	root, err := below(dir, what, name)
	if err != nil {
		return "", err
	}
	defer root.Close()
	sub, err := root.OpenRoot(filepath.FromSlash(name))
	if err != nil {
		return "", outside(what, name, err)
	}
	return filepath.Join(dir, filepath.FromSlash(name)), sub.Close()
}

// text reads a file of at most max bytes.
func text(dir, what, name string, max int64) ([]byte, error) {
	root, err := below(dir, what, name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name)) // first: a pipe would be waited for
	if err != nil {
		return nil, outside(what, name, err)
	}
	if !info.Mode().IsRegular() || info.Size() > max {
		return nil, fmt.Errorf("%s: %q is not a file of at most %d MiB", what, name, max>>20)
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, outside(what, name, err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, max))
}

// target is a place to write to: its directory, made where it was not there, and
// its name in it. Neither is a link, nor leads through one.
type target struct {
	dir  *os.Root
	name string
}

func targetOf(dir, what, name string) (*target, error) {
	at, err := below(dir, what, name)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(path.Clean(filepath.ToSlash(name)), "/")
	for _, part := range parts[:len(parts)-1] {
		next, err := step(at, part)
		_ = at.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", what, name, err)
		}
		at = next
	}
	last := parts[len(parts)-1]
	if info, err := at.Lstat(last); err == nil && !info.Mode().IsRegular() {
		_ = at.Close()
		return nil, fmt.Errorf("%s: %q is something else than a file, and is not written over", what, name)
	}
	return &target{at, last}, nil
}

// step enters a directory that is no link.
func step(at *os.Root, name string) (*os.Root, error) {
	if err := at.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	info, err := at.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is a link or no directory, and nothing is written through it", name)
	}
	return at.OpenRoot(name)
}

// write puts a text there, whole or not at all.
func (t *target) write(data []byte) error {
	part := t.name + ".part"
	_ = t.dir.Remove(part)
	f, err := t.dir.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = t.dir.Rename(part, t.name)
	}
	if err != nil {
		_ = t.dir.Remove(part)
	}
	return err
}

func (t *target) close() { _ = t.dir.Close() }
