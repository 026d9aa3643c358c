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

// ArtifactDir is the one directory that is written to. It is flat: an artifact is a name, not a path. A file appears
// under its name complete or not at all, also when the process is killed or the disk is full. The directory is made,
// for its owner only, by the first Write. Methods may be called at the same time from several goroutines and processes.
type ArtifactDir struct {
	place artifactAt
	now   func() time.Time
}

// ArtifactOptions say what an artifact directory may be. The zero value is the safe default.
type ArtifactOptions struct {
	// Absolute allows a directory outside the working directory: it is the user's own word, not that of a project.
	Absolute bool
	// Now is the clock; nil stands for time.Now.
	Now func() time.Time
}

// MaxArtifact bounds an artifact in bytes.
const MaxArtifact = 16 << 20

// Files that are being written have names that start with tempPrefix. One that is older than tempAge was left by a
// process that died; younger ones may belong to another process that is writing just now.
const (
	tempPrefix = ".compactor-tmp-"
	tempAge    = time.Minute
)

// OpenArtifacts prepares a directory for artifacts; it need not exist. dir is relative to the working directory, or
// where opt says so any other. Below the working directory no link is followed, neither now nor by a later call: where
// one stands, calls fail and nothing is read or written. What a killed process left half written is removed.
//
// Refused with ErrBadRoot: a directory of the deny list, and one outside the working directory that opt does not allow.
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
		a.sweep(root)
		root.Close()
	}
	return a, nil
}

// Path is the absolute path of the directory.
func (a *ArtifactDir) Path() string { return a.place.abs() }

// Within is the directory below which artifacts are written: the working directory, which is there when the artifact
// directory is not yet, or a directory of the user's own choice.
func (a *ArtifactDir) Within() string { return a.place.work }

// open gives a handle of the directory; without create it is nil when there is none yet.
func (a *ArtifactDir) open(create bool) (*os.Root, error) {
	root, err := a.place.open(create)
	if errors.Is(err, fs.ErrNotExist) && !create {
		return nil, nil
	}
	return root, artifactError("", err)
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

// List gives the artifacts, sorted by name. Anything else in the directory is left out.
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

// sweep removes what killed processes left.
func (a *ArtifactDir) sweep(root *os.Root) {
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
