package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// ArtifactDir is the one directory that is written to. It is flat: an artifact is a name, not a path. A file appears
// under its name complete or not at all, also when the process is killed or the disk is full. The directory is made,
// for its owner only, by the first Write. Methods may be called at the same time from several goroutines and processes.
type ArtifactDir struct {
	path       string
	base, name string // of one that must be below base itself; "" for one that may be anywhere
	now        func() time.Time

	mu   sync.Mutex
	root *os.Root // nil until the directory exists
}

// MaxArtifact bounds an artifact in bytes.
const MaxArtifact = 16 << 20

// Files that are being written have names that start with tempPrefix. One that is older than tempAge was left by a
// process that died; younger ones may belong to another process that is writing just now.
const (
	tempPrefix = ".compactor-tmp-"
	tempAge    = time.Minute
)

// OpenArtifacts prepares a directory for artifacts; it need not exist. What a killed process left half written in it is
// removed. A directory of the deny list is refused. now is the clock; nil stands for time.Now.
func OpenArtifacts(path string, now func() time.Time) (*ArtifactDir, error) {
	if now == nil {
		now = time.Now
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, artifactError("", err)
	}
	return prepareArtifacts(&ArtifactDir{path: abs, now: now}, path)
}

// OpenArtifactsBelow is OpenArtifacts for a directory of a project, which is named from base and must be there itself:
// a link on the way to it, which a repository may bring along, is not followed. Nothing is read through one, and writing
// is refused.
func OpenArtifactsBelow(base, name string) (*ArtifactDir, error) {
	abs, err := filepath.Abs(base)
	if err != nil {
		return nil, artifactError("", err)
	}
	name = filepath.Clean(name)
	return prepareArtifacts(&ArtifactDir{path: filepath.Join(abs, name), base: abs, name: name, now: time.Now}, name)
}

func prepareArtifacts(a *ArtifactDir, path string) (*ArtifactDir, error) {
	abs := a.path
	if why := artifactPlace(abs); why != "" {
		return nil, &PathError{Root: "artifacts", Path: path, Err: ErrBadRoot, Hint: why}
	}
	root, err := a.open(false)
	if err != nil || root == nil {
		return a, err
	}
	return a, a.sweep(root)
}

// artifactPlace says why a directory may not take artifacts. Of a directory that does not exist yet, the part that does
// is looked at by its real name too.
func artifactPlace(abs string) string {
	real := abs
	for dir, rest := abs, ""; ; dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest) {
		if found, err := filepath.EvalSymlinks(dir); err == nil {
			real = filepath.Join(found, rest)
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	deny := &denyList{builtin: builtinDeny()}
	return deny.badRoot(abs, real)
}

// Path is the absolute path of the directory.
func (a *ArtifactDir) Path() string { return a.path }

// Close lets go of the directory. Later calls open it again.
func (a *ArtifactDir) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.root == nil {
		return nil
	}
	err := a.root.Close()
	a.root = nil
	return err
}

// openDir opens the directory, and makes it before where that is asked for.
func (a *ArtifactDir) openDir(create bool) (*os.Root, error) {
	if a.base == "" {
		if create {
			if err := os.MkdirAll(a.path, 0o700); err != nil {
				return nil, err
			}
		}
		return os.OpenRoot(a.path)
	}
	base, err := os.OpenRoot(a.base)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	for at := a.name; at != "."; at = filepath.Dir(at) {
		if info, err := base.Lstat(at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if !create {
				return nil, fs.ErrNotExist
			}
			return nil, &PathError{Root: "artifacts", Path: at, Err: ErrBadRoot, Hint: "it is a link, and nothing is written through one: put a directory in its place"}
		}
	}
	if create {
		if err := base.MkdirAll(a.name, 0o700); err != nil {
			return nil, err
		}
	}
	return base.OpenRoot(a.name)
}

// open gives a handle of the directory; without create it is nil when there is none yet.
func (a *ArtifactDir) open(create bool) (*os.Root, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.root != nil {
		return a.root, nil
	}
	root, err := a.openDir(create)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return nil, nil
	case err != nil:
		return nil, artifactError("", err)
	}
	a.root = root
	return root, nil
}

// Read gives the content of an artifact.
func (a *ArtifactDir) Read(ctx context.Context, name string) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	root, err := a.open(false)
	if err != nil {
		return nil, err
	}
	if root == nil || !validArtifactName(name) {
		return nil, artifactError(name, ErrNotFound)
	}
	info, err := root.Stat(".")
	if err != nil {
		return nil, artifactError(name, err)
	}
	t := &portableTree{root: root, info: info, cross: true}
	f, m, err := t.openFile(root, name)
	if err != nil {
		return nil, artifactError(name, notLink(err))
	}
	defer f.close()
	data, err := readAll(f, m.size, MaxArtifact, nil, false)
	return data, artifactError(name, err)
}

// List gives the artifacts, sorted by name. Anything else in the directory is left out.
func (a *ArtifactDir) List(ctx context.Context) ([]Entry, error) {
	root, err := a.open(false)
	if err != nil || root == nil {
		return nil, err
	}
	names, err := namesIn(root)
	if err != nil {
		return nil, artifactError("", err)
	}
	var entries []Entry
	for _, name := range names {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		info, err := root.Lstat(name)
		if err == nil && info.Mode().IsRegular() && validArtifactName(name) {
			entries = append(entries, entryOf(name, metaOfInfo(info), false))
		}
	}
	return entries, nil
}

// sweep removes what killed processes left.
func (a *ArtifactDir) sweep(root *os.Root) error {
	names, err := namesIn(root)
	if err != nil {
		return artifactError("", err)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, tempPrefix) {
			continue
		}
		info, err := root.Lstat(name)
		if err == nil && info.Mode().IsRegular() && a.now().Sub(info.ModTime()) > tempAge {
			root.Remove(name)
		}
	}
	return nil
}

func namesIn(root *os.Root) ([]string, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}
