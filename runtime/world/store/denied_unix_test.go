//go:build unix

package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// Directories and files that may not be written give an error that says so. The superuser may write all, so a child
// gives up its rights first.
func TestDenied(t *testing.T) {
	dir := t.TempDir()
	open(t, filepath.Join(dir, "s.db")).Close()
	for _, at := range []string{filepath.Dir(dir), dir} { // let another user come this far
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod(filepath.Join(dir, "s.db"), 0o444), os.Chmod(dir, 0o555)); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if out, err := child(t, "denied", dir).Output(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func denied(dir string) int {
	if os.Getuid() == 0 {
		if err := errors.Join(syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
			fmt.Println(err)
			return 0 // cannot be tried here
		}
	}
	for _, path := range []string{"s.db", "new.db", "new/s.db", "s.db/below.db"} {
		s, err := store.Open(context.Background(), filepath.Join(dir, path))
		if err == nil {
			err = s.PutPins(context.Background(), []store.Pin{{Server: "a", Tool: "b"}})
		}
		if !errors.Is(err, store.ErrDenied) {
			fmt.Printf("%s: %v\n", path, err)
			return 1
		}
	}
	return 0
}

// theirs opens, as a third user, what belongs to another.
func theirs(dir string) int {
	if err := errors.Join(syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
		fmt.Println(err)
		return 0 // cannot be tried here
	}
	for _, path := range []string{"theirs.db", "lies-theirs/s.db"} {
		if _, err := store.Open(context.Background(), filepath.Join(dir, path)); !errors.Is(err, store.ErrPlace) || !store.Withholds(err) {
			fmt.Printf("%s: %v\n", path, err)
			return 1
		}
	}
	return 0
}

// A file that may not grow: the write fails, what was there stays.
func TestFileMayNotGrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path)
	put(t, s, pins(3))
	s.Close()
	if out, err := child(t, "limited", path).Output(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if got := read(t, open(t, path), "files"); len(got) != 3 {
		t.Errorf("%d pins", len(got))
	}
}

func limited(path string) int {
	s, err := store.Open(context.Background(), path)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	limit := syscall.Rlimit{Cur: 64 << 10, Max: 64 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println(err)
		return 1
	}
	err = s.PutPins(context.Background(), pins(3000))
	if !errors.Is(err, store.ErrDisk) && !errors.Is(err, store.ErrFull) {
		fmt.Println(err)
		return 1
	}
	s.Close()
	return 0
}
