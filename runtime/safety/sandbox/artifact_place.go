package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// artifactAt is the location of an artifact directory. Every call looks it up again, so that a directory that was
// removed and recreated is found, and one that was replaced by a link is refused.
type artifactAt struct {
	work string // the working directory, absolute
	rel  string // a plain path in it; "" if work itself is a directory of the user's choice
}

func (a artifactAt) abs() string { return filepath.Join(a.work, filepath.FromSlash(a.rel)) }

// artifactPlace determines where a directory is. If it must not hold artifacts, the second result says why.
func artifactPlace(work, dir string, absolute bool) (artifactAt, string) {
	abs, err := filepath.Abs(work)
	if err != nil {
		return artifactAt{}, "the working directory is gone"
	}
	at, text := artifactAt{work: abs}, dir
	if filepath.IsAbs(dir) {
		if rel, err := filepath.Rel(abs, dir); err == nil && filepath.IsLocal(rel) {
			text = rel
		}
	}
	deny := &denyList{builtin: builtinDeny()}
	if rel := filepath.ToSlash(filepath.Clean(text)); filepath.IsLocal(filepath.FromSlash(rel)) {
		if at.rel = rel; rel != "." && !plainPath(rel) {
			return at, "invalid path"
		}
		if deny.denied(rel, kindDir) {
			return at, "it is, or lies in, a directory that holds secrets"
		}
		return at, deny.badRoot(at.abs(), filepath.Join(realSoFar(abs), filepath.FromSlash(rel)))
	}
	if !absolute {
		return at, "it lies outside the working directory, which only your own configuration may ask for; name a directory such as .handoffs"
	}
	if at.work = filepath.Clean(dir); !filepath.IsAbs(dir) {
		at.work = filepath.Join(abs, dir)
	}
	return at, deny.badRoot(at.work, realSoFar(at.work))
}

// realSoFar resolves the links in a path whose last components need not exist yet.
func realSoFar(abs string) string {
	for dir, rest := abs, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if found, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(found, rest)
		}
		if dir == filepath.Dir(dir) {
			return abs
		}
	}
}

// open returns a handle of the directory; create makes it if it is missing.
func (a artifactAt) open(create bool) (*os.Root, error) {
	if a.rel == "" && create {
		if err := os.MkdirAll(a.work, 0o700); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(a.work)
	if err != nil || a.rel == "" || a.rel == "." {
		return root, err
	}
	made := false
	for name := range strings.SplitSeq(a.rel, "/") {
		var next *os.Root
		next, made, err = enterReal(root, name, create)
		root.Close()
		if err != nil {
			return nil, a.explainLink(err)
		}
		root = next
	}
	if made || create && halfIgnored(root) {
		err = ignoreAll(root)
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// enterReal opens a directory in a directory; create makes it if it is missing. A link is refused, even one that
// takes the name in between.
func enterReal(dir *os.Root, name string, create bool) (next *os.Root, made bool, err error) {
	if create {
		switch err = dir.Mkdir(name, 0o700); {
		case err == nil:
			made = true
		case !errors.Is(err, fs.ErrExist):
			return nil, false, err
		}
	}
	t, err := treeOf(dir)
	if err != nil {
		return nil, false, err
	}
	if next, err = t.openRoot(dir, name); err == ErrNotFound {
		err = fs.ErrNotExist
	}
	return next, made, err
}

// treeOf wraps an open directory in a tree, to reuse the sandbox's way of opening without following links.
func treeOf(root *os.Root) (*portableTree, error) {
	info, err := root.Stat(".")
	return &portableTree{root: root, info: info, cross: true}, err
}

func (a artifactAt) explainLink(err error) error {
	if err == errLink {
		return &PathError{Root: "artifacts", Path: a.rel, Err: ErrOutside, Hint: "a link stands there; remove it, for notes are kept in real directories of the project only"}
	}
	return err
}

// halfIgnored removes the empty file that ignoreAll leaves behind on a full disk, and reports whether it did.
func halfIgnored(root *os.Root) bool {
	info, err := root.Lstat(gitignoreFile)
	return err == nil && info.Mode().IsRegular() && info.Size() == 0 && root.Remove(gitignoreFile) == nil
}

// ignoreAll keeps artifacts out of version control, for a directory that was made for them.
func ignoreAll(root *os.Root) error {
	f, err := root.OpenFile(gitignoreFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process made it at the same time
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString("*\n")
	return errors.Join(err, f.Close())
}
