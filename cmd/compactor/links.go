package main

import (
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// linkPlaces makes links to files of the places that a terminal shows, where it is
// known to make any.
func linkPlaces(w io.Writer, roots *sandbox.Set) {
	if t, ok := w.(*terminal); ok && t.asks {
		t.SetLinks(func(place string) string { return fileURL(roots, place) })
	}
}

// fileURL is where the file of a reference is; "" where the roots do not say.
func fileURL(roots *sandbox.Set, place string) string {
	root, rel, err := roots.Resolve(contract.ParseReference(place).Path)
	if err != nil {
		return ""
	}
	path := filepath.ToSlash(filepath.Join(root.Path(), filepath.FromSlash(rel)))
	if path == "" || path[0] != '/' { // a drive
		path = "/" + path
	}
	host, _ := os.Hostname() // without one it is this machine as well
	u := url.URL{Scheme: "file", Host: host, Path: path}
	return u.String()
}
