package sandbox

import (
	"path/filepath"
	"strings"
)

const (
	maxLinks = 40 // links in one path; Linux stops at 40 as well
	maxRaces = 8  // attempts to resolve a path that keeps changing
)

// place is a path without links, and what it leads to.
type place struct {
	path string
	meta meta
	link bool // the requested path went through a link
}

// locate resolves a requested path. Denied names are refused by the name without links, and before anything is opened.
// The caller then opens place.path in a way that follows no link, so a link that is swapped in between makes that open
// fail with errLink.
func (r *Root) locate(asked string) (place, error) {
	path, wantDir, err := cleanPath(asked)
	if err != nil {
		return place{}, err
	}
	path = r.fullPath(path)
	at := place{path: path}
	for range maxRaces {
		if err == errLink { // the links changed while they were followed
			at.path = path
		}
		if r.deniedAs(at.path, kindFile) && r.deniedAs(at.path, kindDir) {
			return at, ErrDenied
		}
		at.meta, err = r.core.tree.stat(at.path)
		if err == errLink {
			at.link = true
			at.path, err = r.expandLinks(path)
			if err == nil || err == errLink {
				continue
			}
		}
		return at, r.checkPlace(at, err, wantDir)
	}
	return at, ErrNotRegular
}

// checkPlace checks what was found against the rules. A missing file with a denied name is denied, not missing.
func (r *Root) checkPlace(at place, err error, wantDir bool) error {
	switch {
	case err != nil && (r.deniedAs(at.path, kindFile) || r.deniedAs(at.path, kindDir)):
		return ErrDenied
	case err != nil:
		return r.orGone(err)
	case r.deniedAs(at.path, at.meta.kind):
		return ErrDenied
	case at.meta.kind == kindSpecial:
		return ErrNotRegular
	case wantDir && at.meta.kind != kindDir:
		return ErrNotFound
	}
	return nil
}

// expandLinks expands the links in a path. Its result is only a proposal: the caller checks it and then opens it without
// following links. Every link must be relative and stay inside the root, in a view inside the view's directory; that
// directory itself must not be reached through a link. On an error, the string is the path at fault.
func (r *Root) expandLinks(path string) (string, error) {
	done, todo := []string{}, strings.Split(path, "/")
	for links := 0; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			if len(done) <= r.depth() {
				return path, ErrOutside
			}
			done = done[:len(done)-1]
			continue
		}
		here := strings.Join(append(done[:len(done):len(done)], name), "/")
		if r.deniedAs(here, kindFile) && r.deniedAs(here, kindDir) {
			return here, ErrDenied // links in a denied directory must not be distinguishable either
		}
		target, isLink, err := r.core.tree.readlink(here)
		if err != nil {
			return here, err
		}
		if !isLink {
			done = append(done, name)
			continue
		}
		if links++; links > maxLinks {
			return path, ErrNotRegular
		}
		if len(done) < r.depth() || foreignLink(target) {
			return path, ErrOutside
		}
		todo = append(strings.Split(filepath.ToSlash(target), "/"), todo...)
	}
	if len(done) == 0 {
		return ".", nil
	}
	return strings.Join(done, "/"), nil
}

// foreignLink reports whether a link's text is anything but a relative path. An absolute link is refused even if it
// leads inside: the kernel refuses it too, and moving a root must not change what can be read.
func foreignLink(target string) bool {
	slashed := filepath.ToSlash(target)
	return slashed == "" || slashed[0] == '/' || filepath.VolumeName(target) != "" || strings.IndexByte(target, 0) >= 0
}
