package sandbox

import (
	"errors"
	"io/fs"
	"slices"
)

// visit is one worker's visit to a directory. Its memory is reused for the next one, except for the files it found.
type visit struct {
	*walker
	path  string
	names listing
	files []Entry
	dirs  []dirJob
	stats WalkStats
}

// listDir lists one directory: it collects the visible files in files and the directories to enter in dirs.
func (v *visit) listDir(o opener, job dirJob) {
	v.path, v.files, v.dirs, v.stats = job.path, nil, v.dirs[:0], WalkStats{}
	d, err := o.openDir(job.path)
	if err != nil {
		v.countUnreadable(job, err)
		return
	}
	defer d.close()
	v.names.reset(job.path)
	if err := d.list(&v.names, &v.stop); err != nil {
		v.countUnreadable(job, err)
		return
	}
	v.names.seal()
	in := job.scope
	if !v.root.opt.NoIgnore {
		has := v.names.ruleFiles()
		if has.gitFile && job.path != v.start && v.root.isWorktree(job.path, d) {
			v.stats.Ignored++
			return
		}
		in = in.enterDir(job.path, d, has)
	}
	v.stats.Dirs++
	v.stats.Cut = v.names.full
	for i := range v.names.items {
		if v.stop.Load() {
			break
		}
		v.addEntry(i, in)
	}
	sortByPath(v.files, len(v.names.prefix))
	slices.SortFunc(v.dirs, func(a, b dirJob) int { return compareDirs(a.path, b.path) })
}

// countUnreadable counts a directory that cannot be read. If the walk starts there, the error is its only result.
func (v *visit) countUnreadable(job dirJob, err error) {
	v.stats.Unreadable++
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNotFound) {
		v.stats.Closed = append(v.stats.Closed, job.path)
	}
	if job.path == v.start {
		v.mu.Lock()
		defer v.mu.Unlock()
		v.lost = err
	}
}

func (v *visit) addEntry(i int, in scope) {
	path, name, k := v.names.path(i), v.names.name(i), v.names.items[i].kind
	switch v.root.classifyName(path, name, k, in, v.habits) {
	case ignoredName:
		v.stats.Ignored++
		return
	case deniedName:
		v.stats.Denied++
		return
	case trackedName:
		in.trackedOnly = true // applies if it is a directory
	}
	switch {
	case k == kindLink:
		v.stats.Links++
	case k == kindSpecial:
		v.stats.Special++
	case len(path) > maxPath:
		v.stats.Unreadable++
	case k == kindDir:
		v.dirs = append(v.dirs, dirJob{path, in})
	default:
		if v.files == nil {
			v.files = make([]Entry, 0, len(v.names.items)-i)
		}
		v.stats.Files++
		v.files = append(v.files, Entry{Path: path})
	}
}

// sight tells whether a name is shown.
type sight int

const (
	visibleName sight = iota
	trackedName       // ignored, but shown because git tracks it
	ignoredName
	deniedName
)

// classifyName classifies a name in a directory that is itself visible. A denied name is denied whatever ignore files say.
func (r *Root) classifyName(path, name string, k kind, in scope, h habits) sight {
	switch {
	case h.skips(name, k):
		return ignoredName
	case r.deniedIn(path, k):
		return deniedName
	}
	return in.classify(path, name, k)
}
