package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/service"
)

// confine restricts this process (Landlock) to the files that it needs, once these are known.
// It cannot be undone, so it is for the whole program only, never for a part of a test.
// writes are files that the command itself still has to create.
func (a *app) confine(svc *service.Service, writes ...string) {
	if a.confines {
		svc.Snapshot().Confine(writes...)
	}
}

// confineTo confines a command that works on given directories instead of the configuration's
// roots. A directory that cannot be opened stays inaccessible.
func (a *app) confineTo(loaded *service.Snapshot, dirs []string, writes ...string) {
	if !a.confines {
		return
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool {
		info, err := os.Stat(dir)
		return err != nil || !info.IsDir()
	})
	there := loaded
	if other, err := loaded.Elsewhere(map[string][]string{"code": dirs}); err == nil {
		defer other.Close()
		there = other
	}
	there.Confine(writes...)
}

// dirOf returns the directory of a file, or "" if no file is named.
func dirOf(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Dir(file)
}
