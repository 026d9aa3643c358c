package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// ArtifactDir is the only directory that is written to. It is flat: an artifact is a name, not a path. A file appears
// complete or not at all, even if the process is killed or the disk is full. The first Write makes the directory, with
// access for its owner only. Methods may be called concurrently from several goroutines and processes.
type ArtifactDir struct {
	place artifactAt
	now   func() time.Time
}

// ArtifactOptions define what an artifact directory may be. The zero value is the safe default.
type ArtifactOptions struct {
	// Absolute allows a directory outside the working directory. Only the user may set it, never a project.
	Absolute bool
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// MaxArtifact bounds an artifact in bytes.
const MaxArtifact = 16 << 20

// Names of files that are being written start with tempPrefix. One that is older than tempAge was left by a process
// that died; a younger one may belong to another process that is still writing.
const (
	tempPrefix = ".compactor-tmp-"
	tempAge    = time.Minute
)

// OpenArtifacts prepares a directory for artifacts, which need not exist. dir is relative to the working directory; opt
// may allow any other directory. Below the working directory no link is followed, neither now nor by a later call: if
// there is one, calls fail and nothing is read or written. Half-written files of killed processes are removed.
//
// A directory on the deny list, and one outside the working directory that opt does not allow, is ErrBadRoot.
func OpenArtifacts(work, dir string, opt ArtifactOptions) (*ArtifactDir, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	at, why := artifactPlace(work, dir, opt.Absolute)
	if why != "" {
		return nil, &PathError{Root: "artifacts", Path: dir, Err: ErrBadRoot, Hint: why}
	}
	a := &ArtifactDir{at, opt.Now}
	if root, err := a.open(false); err == nil && root != nil {
		a.removeStale(root)
		root.Close()
	}
	return a, nil
}

// Path returns the absolute path of the directory.
func (a *ArtifactDir) Path() string { return a.place.abs() }

// Within returns the directory below which artifacts are written: the working directory, which exists even before the
// artifact directory does, or else the directory of the user's choice.
func (a *ArtifactDir) Within() string { return a.place.work }

// open returns a handle of the directory, or nil if it does not exist and create is false.
func (a *ArtifactDir) open(create bool) (*os.Root, error) {
	root, err := a.place.open(create)
	if errors.Is(err, fs.ErrNotExist) && !create {
		return nil, nil
	}
	return root, artifactError("", err)
}

// Read returns the content of an artifact.
func (a *ArtifactDir) Read(ctx context.Context, name string) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	root, err := a.open(false)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return nil, artifactError(name, ErrNotFound)
	}
	defer root.Close()
	if !validArtifactName(name) {
		return nil, artifactError(name, ErrNotFound)
	}
	t, err := treeOf(root)
	if err != nil {
		return nil, artifactError(name, err)
	}
	f, m, err := t.openFile(root, name)
	if err != nil {
		return nil, artifactError(name, notLink(err))
	}
	defer f.close()
	data, err := readAll(f, m.size, MaxArtifact, nil, false)
	return data, artifactError(name, err)
}

// List returns the artifacts, sorted by name. Anything else in the directory is left out.
func (a *ArtifactDir) List(ctx context.Context) ([]Entry, error) {
	root, err := a.open(false)
	if err != nil || root == nil {
		return nil, err
	}
	defer root.Close()
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

// removeStale removes the temporary files of killed processes.
func (a *ArtifactDir) removeStale(root *os.Root) {
	names, _ := namesIn(root)
	for _, name := range names {
		if !strings.HasPrefix(name, tempPrefix) {
			continue
		}
		info, err := root.Lstat(name)
		if err == nil && info.Mode().IsRegular() && a.now().Sub(info.ModTime()) > tempAge {
			root.Remove(name)
		}
	}
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
