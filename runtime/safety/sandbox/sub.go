package sandbox

import (
	"path/filepath"
	"strings"
)

// Sub returns a view of a directory below the root under a name of its own. Paths that the view takes and returns are
// relative to that directory and nothing outside it can be reached through it, but it is the same opened root: its deny
// list, its ignore files and its defaults apply as if the paths were written out in full. Nothing is opened, so nothing
// needs closing either: Close on a view closes the root. A directory that is reached through a link is refused.
func (r *Root) Sub(name, dir string) (*Root, error) {
	if !validRootName(name) {
		return nil, &PathError{Root: "root " + name, Path: dir, Err: ErrBadRoot, Hint: rootNameHint}
	}
	e, err := r.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case e.Link:
		return nil, &PathError{Root: r.name, Path: dir, Err: ErrOutside, Hint: "it is a link; name the directory that it leads to"}
	case !e.Dir:
		return nil, r.wrapError(dir, ErrNotDir)
	}
	view := *r
	view.name, view.base = name, r.fullPath(e.Path)
	if view.base == "." {
		view.base = ""
	}
	return &view, nil
}

// fullPath converts a cleaned path of the view to a path of the opened root.
func (r *Root) fullPath(path string) string {
	switch {
	case r.base == "":
		return path
	case path == "." || path == "":
		return r.base
	}
	return r.base + "/" + path
}

// viewPath converts a path of the opened root to a path of the view.
func (r *Root) viewPath(path string) string {
	switch {
	case r.base == "":
		return path
	case path == r.base:
		return "."
	}
	return strings.TrimPrefix(path, r.base+"/")
}

// toViewPaths converts the paths of entries to paths of the view.
func (r *Root) toViewPaths(entries []Entry) []Entry {
	if r.base != "" {
		for i := range entries {
			entries[i].Path = r.viewPath(entries[i].Path)
		}
	}
	return entries
}

// depth returns the number of components of the view's directory.
func (r *Root) depth() int {
	if r.base == "" {
		return 0
	}
	return strings.Count(r.base, "/") + 1
}

// Path returns the absolute path of the root's directory as it was opened, without links. It is meant for configuration
// and diagnosis by the user, not for replies.
func (r *Root) Path() string { return filepath.Join(r.path, filepath.FromSlash(r.base)) }
