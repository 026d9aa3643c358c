//go:build unix

package store_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// What is no plain file is refused, whatever it leads to.
func TestPlacesThatAreNoFile(t *testing.T) {
	for name, c := range map[string]struct {
		lay  func(t *testing.T, path string) error
		says string
	}{
		"directory": {func(_ *testing.T, path string) error { return os.Mkdir(path, 0o700) }, "is a directory"},
		"pipe":      {func(_ *testing.T, path string) error { return syscall.Mkfifo(path, 0o600) }, "is a pipe"},
		"socket": {func(t *testing.T, path string) error {
			l, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { l.Close() })
			}
			return err
		}, "is a device or a socket"},
		"link to a store": {func(t *testing.T, path string) error {
			elsewhere := filepath.Join(t.TempDir(), "other.db")
			open(t, elsewhere).Close()
			return os.Symlink(elsewhere, path)
		}, "is a link"},
		"link to nothing": {func(t *testing.T, path string) error {
			return os.Symlink(filepath.Join(t.TempDir(), "made.db"), path)
		}, "is a link"},
		"link to a device": {func(_ *testing.T, path string) error { return os.Symlink(os.DevNull, path) }, "is a link"},
		"log that is a link": {func(t *testing.T, path string) error {
			open(t, path).Close()
			return os.Symlink(filepath.Join(t.TempDir(), "victim"), path+"-wal")
		}, "s-wal is a link"},
		"shared memory that is a link": {func(t *testing.T, path string) error {
			open(t, path).Close()
			return os.Symlink(filepath.Join(t.TempDir(), "victim"), path+"-shm")
		}, "s-shm is a link"},
		"a log that is a link, and no file": {func(t *testing.T, path string) error {
			return os.Symlink(filepath.Join(t.TempDir(), "victim"), path+"-wal")
		}, "s-wal is a link"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "s") // the path of a socket is short
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
			path := filepath.Join(dir, "s")
			if err := c.lay(t, path); err != nil {
				t.Fatal(err)
			}
			refused(t, path, store.ErrPlace, c.says)
		})
	}
}

// Where everybody may write, approvals could be taken away or forged.
func TestDirectoriesOfEverybody(t *testing.T) {
	for name, c := range map[string]struct {
		outer, inner os.FileMode
		refused      bool
	}{
		"own":                      {0o755, 0o700, false},
		"everybody":                {0o755, 0o777, true},
		"everybody, sticky":        {0o755, 0o777 | os.ModeSticky, true},
		"below everybody":          {0o777, 0o755, true},
		"below everybody, sticky":  {0o777 | os.ModeSticky, 0o755, false},
		"everybody, out of reach":  {0o700, 0o777, false},
		"group":                    {0o755, 0o775, false},
		"below everybody, private": {0o777, 0o700, true},
	} {
		t.Run(name, func(t *testing.T) {
			base, err := os.MkdirTemp("", "store") // below one that everybody may enter
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(base) })
			outer := filepath.Join(base, "outer")
			inner := filepath.Join(outer, "inner")
			if err := os.MkdirAll(inner, 0o700); err != nil {
				t.Fatal(err)
			}
			for at, mode := range map[string]os.FileMode{base: 0o755, outer: c.outer, inner: c.inner} {
				if err := os.Chmod(at, mode); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(inner, "s.db")
			if c.refused {
				refused(t, path, store.ErrPlace, "everybody may write")
				return
			}
			open(t, path).Close()
		})
	}
}

func TestFilesOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only the superuser can give files away")
	}
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for _, name := range []string{"theirs.db", "lies-theirs/s.db"} {
		at := filepath.Join(dir, name)
		open(t, at).Close()
		victim := at
		if filepath.Base(at) == "s.db" {
			victim = filepath.Dir(at)
		}
		if err := os.Chown(victim, 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "lies-theirs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := child(t, "theirs", dir).Output(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// A directory that is still to be made is judged by what lies above it, and is not made where it would be refused.
func TestDirectoriesToBeMade(t *testing.T) {
	for name, c := range map[string]struct {
		mode    os.FileMode
		refused bool
	}{"own": {0o755, false}, "everybody": {0o777, true}, "everybody, sticky": {0o777 | os.ModeSticky, false}} {
		t.Run(name, func(t *testing.T) {
			base, err := os.MkdirTemp("", "store")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(base) })
			outer := filepath.Join(base, "outer")
			if err := os.Mkdir(outer, 0o700); err != nil {
				t.Fatal(err)
			}
			for at, mode := range map[string]os.FileMode{base: 0o755, outer: c.mode} {
				if err := os.Chmod(at, mode); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(outer, "a", "b", "s.db")
			if err := store.Place(path); (err != nil) != c.refused {
				t.Errorf("%v", err)
			}
			if c.refused {
				refused(t, path, store.ErrPlace, "everybody may write")
				if _, err := os.Stat(filepath.Join(outer, "a")); err == nil {
					t.Error("its directory was made")
				}
				return
			}
			open(t, path).Close()
		})
	}
}
