package githistory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// Limits of a tree that is written out, so that a repository cannot fill the disk.
const (
	maxFile  = 32 << 20 // bytes per file
	maxTree  = 4 << 30  // bytes of all files
	maxFiles = 1_000_000
)

// Layout maintains the files of one commit in a directory. Switching to another commit
// writes and removes only what differs. It leaves out names that could escape the
// directory or that mean something to version control, links, submodules, files of more
// than 32 MiB, and files that a partial clone lacks.
type Layout struct {
	repo    *Repo
	objects *Objects
	root    *os.Root
	files   map[string]file
	bytes   int64
}

type file struct {
	id   string
	size int64
	out  bool // known but left out
}

// Layout starts with the empty directory dir, which must exist.
func (r *Repo) Layout(ctx context.Context, dir string) (*Layout, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	o, err := r.Objects(ctx)
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return &Layout{repo: r, objects: o, root: root, files: map[string]file{}}, nil
}

// Close stops git and closes the directory; the files stay.
func (l *Layout) Close() {
	l.objects.Close()
	_ = l.root.Close()
}

// Root returns the directory, for reading the files.
func (l *Layout) Root() *os.Root { return l.root }

// To changes the files to the tree of a commit.
func (l *Layout) To(ctx context.Context, commit string) error {
	want, err := l.repo.tree(ctx, commit)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		if f := l.files[name]; want[name] != f.id {
			if err := l.remove(name, f); err != nil {
				return err
			}
		}
	}
	var names, ids []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if l.files[name].id != want[name] {
			names, ids = append(names, name), append(ids, want[name])
		}
	}
	return l.objects.each(ids, func(i int, kind string, size int64, r io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return l.write(names[i], file{id: ids[i], size: size, out: kind != "blob" || size > maxFile}, r)
	})
}

func (l *Layout) write(name string, f file, r io.Reader) error {
	if !f.out {
		if l.bytes+f.size > maxTree {
			return fmt.Errorf("the tree has more than %d GiB; name a directory in it with --root", maxTree>>30)
		}
		err := l.create(name, r)
		if errors.Is(err, errUnusable) {
			f.out = true
		} else if err != nil {
			return err
		} else {
			l.bytes += f.size
		}
	}
	l.files[name] = f
	return nil
}

// errUnusable says that a file of that name cannot be created, because of the operating
// system or of other files in the tree.
var errUnusable = errors.New("no such name here")

func (l *Layout) create(name string, r io.Reader) error {
	if dir := path.Dir(name); dir != "." {
		if err := l.root.MkdirAll(dir, 0o700); err != nil {
			return asUnusable(err)
		}
	}
	w, err := l.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return asUnusable(err)
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

// asUnusable returns errUnusable, unless the disk is full.
func asUnusable(err error) error {
	if isFull(err) {
		return err
	}
	return errUnusable
}

func (l *Layout) remove(name string, f file) error {
	delete(l.files, name)
	if f.out {
		return nil
	}
	if err := l.root.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	l.bytes -= f.size
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if l.root.Remove(dir) != nil { // not empty
			break
		}
	}
	return nil
}

// tree maps the names of a commit's regular files below the opened directory to their object names.
func (r *Repo) tree(ctx context.Context, commit string) (map[string]string, error) {
	if !isName(commit) {
		return nil, fmt.Errorf("%.60q is not a commit name", commit)
	}
	object := commit
	if r.prefix != "" {
		object += ":" + strings.TrimSuffix(r.prefix, "/")
	}
	out, err := r.git.output(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", object)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		meta, name, ok := strings.Cut(entry, "\t")
		f := strings.Fields(meta)
		if !ok || len(f) != 3 || f[1] != "blob" || !isRegular(f[0]) && f[0] != "100664" || !isUsableName(name) {
			continue
		}
		if files[name] = f[2]; len(files) > maxFiles {
			return nil, fmt.Errorf("the tree has more than %d files; name a directory in it with --root", maxFiles)
		}
	}
	return files, nil
}

// isUsableName reports whether a name stays below the directory on every operating system and
// is not reserved for version control.
func isUsableName(name string) bool {
	if name == "" || len(name) > 4000 || strings.ContainsAny(name, "\\\x00") || windows && strings.ContainsAny(name, `:*?"<>|`) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "", part == ".", part == "..", strings.EqualFold(part, ".git"):
			return false
		}
	}
	return true
}

// Files calls fn with every regular file of at most max bytes in a commit's tree, in
// name order. fn may keep the text.
func (r *Repo) Files(ctx context.Context, o *Objects, commit string, max int64, fn func(name string, text []byte) error) error {
	tree, err := r.tree(ctx, commit)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(tree))
	ids := make([]string, len(names))
	for i, n := range names {
		ids[i] = tree[n]
	}
	return o.each(ids, func(i int, kind string, size int64, in io.Reader) error {
		if kind != "blob" || size > max {
			return ctx.Err()
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		return fn(names[i], text)
	})
}
