package main

import (
	"path/filepath"

	"github.com/compactor-mcp/compactor/runtime/service"
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

// dirOf is the directory of a file that is named, "" for none.
func dirOf(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Dir(file)
}
