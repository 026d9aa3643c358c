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

// ErrPassing is a program in a place that is cleaned up.
var ErrPassing = errors.New("is in a place that is cleaned up, so a client would not find it tomorrow")

// Command is the path by which a client starts this program: the name that the
// user's PATH or shell knows it by, where a link leads to it, since what a link
// leads to is replaced by an update; else the program itself.
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

// Lasting is an error where a program lies in the build cache of Go or below the
// directory for temporary files.
func Lasting(path string) error {
	dir := filepath.Dir(path)
	parts := strings.FieldsFunc(filepath.ToSlash(dir), func(r rune) bool { return r == '/' })
	inCache := slices.ContainsFunc(parts, func(p string) bool { return p == "go-build" || isBuildDir(p) })
	for _, passing := range []string{os.Getenv("GOCACHE"), os.TempDir()} {
		inCache = inCache || passing != "" && below(dir, passing)
	}
	if inCache {
		return fmt.Errorf("%s %w", path, ErrPassing)
	}
	return nil
}

// isBuildDir knows the directories go-build123 that `go run` and `go test` make.
func isBuildDir(name string) bool {
	digits, ok := strings.CutPrefix(name, "go-build")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Program checks that a command named by the user can be started, and makes it
// a path that holds wherever it is started.
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

func below(path, dir string) bool {
	for _, p := range []string{path, resolved(path)} {
		for _, d := range []string{dir, resolved(dir)} {
			if rel, err := filepath.Rel(d, p); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
}

func resolved(path string) string {
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
