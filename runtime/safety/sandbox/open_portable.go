package sandbox

import (
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
)

// portOpener keeps the handles of the directories on the way to the last file, so that several files in one directory
// cost one open each.
type portOpener struct {
	t     *portableTree
	names []string
	dirs  []*os.Root
}

func (o *portOpener) close() { o.closeBelow(0) }

func (o *portOpener) closeBelow(depth int) {
	for _, d := range o.dirs[depth:] {
		d.Close()
	}
	o.names, o.dirs = o.names[:depth], o.dirs[:depth]
}

// enterDir returns a handle of a directory. It is valid until the next call.
func (o *portOpener) enterDir(dir string) (*os.Root, error) {
	var names []string
	if dir != "." {
		names = strings.Split(dir, "/")
	}
	same := 0
	for same < len(names) && same < len(o.names) && names[same] == o.names[same] {
		same++
	}
	o.closeBelow(same)
	at := o.t.root
	if same > 0 {
		at = o.dirs[same-1]
	}
	for i, name := range names[same:] {
		next, err := o.t.openRoot(at, name)
		if err == ErrNotDir && same+i+1 < len(names) {
			err = ErrNotFound
		}
		if err != nil {
			return nil, err
		}
		o.names, o.dirs = append(o.names, name), append(o.dirs, next)
		at = next
	}
	return at, nil
}

// openRoot opens a directory in a directory and makes sure that no link was followed.
func (t *portableTree) openRoot(dir *os.Root, name string) (*os.Root, error) {
	before, err := t.lstat(dir, name)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, ErrNotDir
	}
	sub, err := dir.OpenRoot(name)
	if err != nil {
		return nil, osFault(err)
	}
	info, err := sub.Stat(".")
	switch {
	case err != nil || !os.SameFile(before, info):
		err = errLink
	case !sameDevice(t.info, info) && dirMadeUp(sub, t.info, info):
		err = ErrNotRegular
	default:
		return sub, nil
	}
	sub.Close()
	return nil, err
}

// dirMadeUp does what madeUp does, for a directory.
func dirMadeUp(dir *os.Root, root, info fs.FileInfo) bool {
	f, err := dir.Open(".")
	if err != nil {
		return true
	}
	defer f.Close()
	return madeUp(f, root, info)
}

func (o *portOpener) open(path string) (file, meta, error) {
	dir, name := splitPath(path)
	parent, err := o.enterDir(dir)
	if err != nil {
		return nil, meta{}, throughFile(err)
	}
	return o.t.openFile(parent, name)
}

func (t *portableTree) openFile(dir *os.Root, name string) (file, meta, error) {
	before, err := t.lstat(dir, name)
	switch {
	case err != nil:
		return nil, meta{}, err
	case before.IsDir():
		return nil, meta{}, ErrIsDir
	case !before.Mode().IsRegular():
		return nil, meta{}, ErrNotRegular
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, meta{}, osFault(err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = osFault(err)
	case !os.SameFile(before, info):
		err = errLink
	case madeUp(f, t.info, info):
		err = ErrNotRegular
	default:
		return osFile{f}, metaOfInfo(info), nil
	}
	f.Close()
	return nil, meta{}, err
}

func (o *portOpener) openDir(path string) (directory, error) {
	at, err := o.enterDir(path)
	if err != nil {
		return nil, err
	}
	f, err := at.Open(".")
	if err != nil {
		return nil, osFault(err)
	}
	return &portDir{t: o.t, root: at, f: f}, nil
}

// portDir is valid until the next open of its opener.
type portDir struct {
	t    *portableTree
	root *os.Root
	f    *os.File
}

func (d *portDir) close() { d.f.Close() }

func (d *portDir) list(l *listing, stop *atomic.Bool) error {
	for !stop.Load() {
		entries, err := d.f.ReadDir(1024)
		for _, e := range entries {
			if !l.add([]byte(e.Name()), kindOfType(e.Type())) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return osFault(err)
		}
	}
	return nil
}

func (d *portDir) stat(name string) (meta, error) {
	info, err := d.root.Lstat(name)
	if err != nil {
		return meta{}, osFault(err)
	}
	return metaOfInfo(info), nil
}

func (d *portDir) openFile(name string) (file, meta, error) { return d.t.openFile(d.root, name) }
