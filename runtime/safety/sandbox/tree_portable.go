package sandbox

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// portableTree builds the boundary from os.Root, which keeps every open inside but follows links that stay inside, and
// so would open a denied name through an innocent one. Therefore each component is opened separately, and what was
// opened must be the very file that the name referred to just before, and not a link.
type portableTree struct {
	root  *os.Root
	info  fs.FileInfo
	cross bool
}

func newPortableTree(path string, crossDevice bool) (tree, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, osFault(err)
	}
	info, err := root.Stat(".")
	if err != nil {
		root.Close()
		return nil, osFault(err)
	}
	return &portableTree{root, info, crossDevice}, nil
}

func (t *portableTree) stat(path string) (meta, error) {
	o := t.newOpener()
	defer o.close()
	if path == "." {
		return metaOfInfo(t.info), nil
	}
	dir, name := splitPath(path)
	parent, err := o.enterDir(dir)
	if err != nil {
		return meta{}, throughFile(err)
	}
	info, err := t.lstat(parent, name)
	if err != nil {
		return meta{}, err
	}
	return metaOfInfo(info), nil
}

// lstat describes a name in a directory. A link is errLink, another device ErrOutside.
func (t *portableTree) lstat(dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case err != nil:
		return nil, osFault(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !t.cross && !sameDevice(t.info, info):
		return nil, ErrOutside
	}
	return info, nil
}

func (t *portableTree) readlink(path string) (string, bool, error) {
	o := t.newOpener()
	defer o.close()
	dir, name := splitPath(path)
	parent, err := o.enterDir(dir)
	if err != nil {
		return "", false, throughFile(err)
	}
	if _, err := t.lstat(parent, name); err != errLink {
		return "", false, err
	}
	target, err := parent.Readlink(name)
	if err != nil {
		return "", false, osFault(err)
	}
	return target, true, nil
}

func (t *portableTree) gone() bool {
	_, err := t.root.Stat(".")
	return errors.Is(err, fs.ErrNotExist) || err == nil && linkCount(t.root) == 0
}

func (t *portableTree) self() (fs.FileInfo, error) { return t.root.Stat(".") }

func (t *portableTree) close() error           { return t.root.Close() }
func (t *portableTree) opener() opener         { return t.newOpener() }
func (t *portableTree) newOpener() *portOpener { return &portOpener{t: t} }

type osFile struct{ f *os.File }

func (f osFile) close() { f.f.Close() }

func (f osFile) read(p []byte) (int, error) {
	n, err := f.f.Read(p)
	if err == io.EOF {
		return 0, nil
	}
	if err != nil {
		return 0, osFault(err)
	}
	return n, nil
}

func metaOfInfo(info fs.FileInfo) meta {
	return meta{kind: kindOfType(info.Mode().Type()), size: info.Size(), modTime: info.ModTime().UTC()}
}

func kindOfType(t fs.FileMode) kind {
	switch {
	case t.IsRegular():
		return kindFile
	case t.IsDir():
		return kindDir
	case t&fs.ModeSymlink != 0:
		return kindLink
	}
	return kindSpecial
}

// throughFile turns the error for a path that goes through a file into ErrNotFound.
func throughFile(err error) error {
	if err == ErrNotDir {
		return ErrNotFound
	}
	return err
}

// osFault returns the sentinel for an error of package os. os.Root reports only in words that a path leaves it; by then
// the path was plain and each component examined, so this takes a race and is errLink: the caller starts over.
func osFault(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid), isNotDir(err):
		return ErrNotFound
	case errors.Is(err, fs.ErrPermission):
		return ErrUnreadable
	case strings.Contains(err.Error(), "path escapes"):
		return errLink
	}
	return ErrUnreadable
}
