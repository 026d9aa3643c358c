package listen

import (
	"os"
	"path/filepath"
	"testing"
)

// A socket is left to the process that holds its lock, which may just be beginning to listen.
func TestRemoveDead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "1.sock")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	unlock, err := lockFile(path + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	RemoveDead(path)
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("the socket of a process that lives: %v", err)
	}
	unlock()
	RemoveDead(path)
	for _, name := range []string{path, path + ".lock"} {
		if _, err := os.Lstat(name); !os.IsNotExist(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
