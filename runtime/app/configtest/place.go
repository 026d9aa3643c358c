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

// The paths that a test names lie below the directory of its configuration: what is in
// there came with it, anything else belongs to someone else. The system resolves the
// names below an os.Root, so that no link leads out.

// openBelow opens dir for access to name, which must be a local path.
func openBelow(dir, what, name string) (*os.Root, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, fmt.Errorf("%s: %q is not below the directory of the configuration; name something in it", what, name)
	}
	return os.OpenRoot(dir)
}

// explainRefusal wraps the error of an os.Root that refused to open a path. It returns an fs.ErrNotExist unchanged.
func explainRefusal(what, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%s: %q cannot be reached below the directory of the configuration, where links out of it are not followed: %w", what, name, err)
}

// checkDirectory checks that name is a directory below dir, and returns its path.
func checkDirectory(dir, what, name string) (string, error) {
	root, err := openBelow(dir, what, name)
	if err != nil {
		return "", err
	}
	defer root.Close()
	sub, err := root.OpenRoot(filepath.FromSlash(name))
	if err != nil {
		return "", explainRefusal(what, name, err)
	}
	return filepath.Join(dir, filepath.FromSlash(name)), sub.Close()
}

// readText reads a file of at most max bytes.
func readText(dir, what, name string, max int64) ([]byte, error) {
	root, err := openBelow(dir, what, name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name)) // before Open, which would block on a named pipe
	if err != nil {
		return nil, explainRefusal(what, name, err)
	}
	if !info.Mode().IsRegular() || info.Size() > max {
		return nil, fmt.Errorf("%s: %q is not a file of at most %d MiB", what, name, max>>20)
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, explainRefusal(what, name, err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, max))
}

// target is a place to write to: its directory, created if missing, and the file name
// in it. Neither is a link, nor reached through one.
type target struct {
	dir  *os.Root
	name string
}

func targetOf(dir, what, name string) (*target, error) {
	at, err := openBelow(dir, what, name)
	if err != nil {
		return nil, err
	}
	parts := strings.Split(path.Clean(filepath.ToSlash(name)), "/")
	for _, part := range parts[:len(parts)-1] {
		next, err := enterDirectory(at, part)
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

// enterDirectory enters the directory name below at, creating it if missing. It refuses links.
func enterDirectory(at *os.Root, name string) (*os.Root, error) {
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

// write replaces the file atomically.
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
