package main

import (
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// linkPlaces makes each place a link to its file, in a terminal that is known to support links.
func linkPlaces(w io.Writer, roots *sandbox.Set) {
	if t, ok := w.(*terminal); ok && t.asks {
		t.SetLinks(func(place string) string { return fileURL(roots, place) })
	}
}

// fileURL returns the URL of the file of a reference, or "" if the roots do not contain it.
func fileURL(roots *sandbox.Set, place string) string {
	root, rel, err := roots.Resolve(contract.ParseReference(place).Path)
	if err != nil {
		return ""
	}
	path := filepath.ToSlash(filepath.Join(root.Path(), filepath.FromSlash(rel)))
	if path == "" || path[0] != '/' { // a Windows drive
		path = "/" + path
	}
	host, _ := os.Hostname() // an empty host means this machine as well
	u := url.URL{Scheme: "file", Host: host, Path: path}
	return u.String()
}
