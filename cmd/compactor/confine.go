package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/app/service"
)

// confine shuts this process out of all files that it does not need (Landlock),
// once it is known which these are. It cannot be taken back, so it is for the
// whole program only, never for a part of a test. writes are files that the
// command itself still has to make.
func (a *app) confine(svc *service.Service, writes ...string) {
	if a.confines {
		svc.Snapshot().Confine(writes...)
	}
}

// confineTo is confine for a command that asks about directories of its own in place
// of the configuration's roots. One that cannot be opened stays shut.
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

// dirOf is the directory of a file that is named, "" for none.
func dirOf(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Dir(file)
}
