package install

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ErrPassing is the error for a program in a place that is cleaned up.
var ErrPassing = errors.New("is in a place that is cleaned up, so a client would not find it tomorrow")

// Command returns the path by which a client should start this program. It prefers the
// path through PATH or the path as typed, even if that is a link, because an update
// replaces what the link points to. Otherwise it returns the executable itself.
func Command(arg0 string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, name := range []string{filepath.Base(arg0), arg0} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if path, err = filepath.Abs(path); err == nil && sameFile(path, self) && Lasting(path) == nil {
			return path, nil
		}
	}
	return self, Lasting(self)
}

// Lasting returns an error if a program lies in Go's build cache or below the directory
// for temporary files.
func Lasting(path string) error {
	dir := filepath.Dir(path)
	parts := strings.FieldsFunc(filepath.ToSlash(dir), func(r rune) bool { return r == '/' })
	inCache := slices.ContainsFunc(parts, func(p string) bool { return p == "go-build" || isBuildDir(p) })
	for _, passing := range []string{os.Getenv("GOCACHE"), os.TempDir()} {
		inCache = inCache || passing != "" && isBelow(dir, passing)
	}
	if inCache {
		return fmt.Errorf("%s %w", path, ErrPassing)
	}
	return nil
}

// isBuildDir reports whether name is a directory such as go-build123, which `go run` and `go test` create.
func isBuildDir(name string) bool {
	digits, ok := strings.CutPrefix(name, "go-build")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Program checks that a command given by the user can be started, and makes its path
// absolute, so that it works from any directory.
func Program(path string) (string, error) {
	found, err := exec.LookPath(path)
	if err != nil && !errors.Is(err, exec.ErrDot) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return "", fmt.Errorf("%s: may not be executed: chmod +x it, or name another", path)
		}
		return "", fmt.Errorf("%s: there is no such program", path)
	}
	return filepath.Abs(found)
}

func isBelow(path, dir string) bool {
	for _, p := range []string{path, resolveLinks(path)} {
		for _, d := range []string{dir, resolveLinks(dir)} {
			if rel, err := filepath.Rel(d, p); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

func resolveLinks(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
