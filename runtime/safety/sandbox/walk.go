package sandbox

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// WalkStats counts what a walk or a listing saw. An ignored or denied directory counts as one, without its contents.
type WalkStats struct {
	Files, Dirs int  // listed; directories: entered
	Ignored     int  // left out by an ignore file or by default
	Denied      int  // left out by the deny list
	Oversize    int  // listed, but larger than the root's limit; Files does not ask for sizes and leaves it at 0
	Links       int  // not followed
	Special     int  // pipes, sockets, devices
	Unreadable  int  // directories that could not be opened, and names whose path is too long
	Cut         bool // the result is incomplete: the context ended, or a limit was reached

	Closed []string // directories that exist but could not be read, at most maxClosed; only walks fill it
}

// maxClosed limits the unreadable directories that are named.
const maxClosed = 100

func (s *WalkStats) add(o WalkStats) {
	s.Files += o.Files
	s.Dirs += o.Dirs
	s.Ignored += o.Ignored
	s.Denied += o.Denied
	s.Oversize += o.Oversize
	s.Links += o.Links
	s.Special += o.Special
	s.Unreadable += o.Unreadable
	s.Cut = s.Cut || o.Cut
	s.Closed = append(s.Closed, o.Closed[:min(len(o.Closed), maxClosed-len(s.Closed))]...)
}

// maxFiles limits the files of one walk, and thereby its memory.
const maxFiles = 1 << 20

// Files lists every visible regular file below a directory, sorted bytewise by Path, which contains no links. Only Path
// is set: looking up each file's size and time would cost half as much as the walk, and Scan does it anyway. under is
// relative to the root; "." or "" means all of it. It may name a file, and it may be ignored: what is requested by name
// is listed. If ctx ends, or after 1,048,576 files, the files found so far are returned with stats.Cut set and no
// error.
func (r *Root) Files(ctx context.Context, under string) ([]Entry, WalkStats, error) {
	start, err := awaitCall(ctx, r.core, func() (walkStart, error) { return r.startWalk(under) })
	switch {
	case ctx.Err() != nil:
		return nil, WalkStats{Cut: true}, nil
	case err != nil:
		return nil, WalkStats{}, r.wrapError(under, err)
	case start.at.meta.kind != kindDir:
		return r.oneFile(start.at)
	}
	if err := r.core.acquire(); err != nil {
		return nil, WalkStats{}, r.wrapError(under, err)
	}
	defer r.core.release()
	entries, stats, err := newWalker(r, start).run(ctx)
	if err != nil {
		return nil, stats, r.wrapError(under, r.orGone(err))
	}
	for i, path := range stats.Closed {
		stats.Closed[i] = r.viewPath(path)
	}
	slices.Sort(stats.Closed)
	return r.toViewPaths(entries), stats, nil
}

func (r *Root) oneFile(at place) ([]Entry, WalkStats, error) {
	stats := WalkStats{Files: 1}
	if at.meta.size > r.opt.MaxFileSize {
		stats.Oversize++
	}
	return []Entry{entryOf(r.viewPath(at.path), at.meta, false)}, stats, nil
}

// walker is one walk: workers take directories from a shared stack and push the directories they find.
type walker struct {
	root   *Root
	start  string
	habits habits
	stop   atomic.Bool

	mu    sync.Mutex
	wake  sync.Cond
	stack []dirJob
	busy  int
	found map[string]found // by directory
	files int
	stats WalkStats
	lost  error // why the first directory could not be read
	over  bool  // results are no longer accepted
}

type dirJob struct {
	path  string
	scope scope
}

func newWalker(r *Root, start walkStart) *walker {
	w := &walker{root: r, start: start.at.path, habits: start.habits, found: map[string]found{}, stack: []dirJob{{start.at.path, start.scope}}}
	w.wake.L = &w.mu
	return w
}

// run walks with a few workers. Those that hang in the file system when ctx ends are abandoned, with their results.
func (w *walker) run(ctx context.Context) ([]Entry, WalkStats, error) {
	defer context.AfterFunc(ctx, w.stopAll)()
	group := startWorkers(w.root.core, workerCount(0), func(int) { w.visitDirs() })
	group.wait(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	if ctx.Err() != nil {
		w.stats.Cut = true
	}
	return gatherSorted(w.found, w.start, make([]Entry, 0, w.files)), w.stats, w.lost
}

func (w *walker) stopAll() {
	w.stop.Store(true)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wake.Broadcast()
}

func (w *walker) visitDirs() {
	defer w.stopAll() // the first worker to end found nothing left to do; after a panic the others must not wait for it
	o := w.root.core.tree.opener()
	defer o.close()
	v := visit{walker: w}
	for {
		job, ok := w.nextJob()
		if !ok {
			return
		}
		v.listDir(o, job)
		w.addResults(&v)
	}
}

func (w *walker) nextJob() (dirJob, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.stack) == 0 && w.busy > 0 && !w.stop.Load() {
		w.wake.Wait()
	}
	if len(w.stack) == 0 || w.stop.Load() {
		return dirJob{}, false
	}
	job := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	w.busy++
	return job, true
}

// addResults hands over the results of one directory.
func (w *walker) addResults(v *visit) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.busy--
	if !w.over {
		if room := maxFiles - w.files; len(v.files) > room {
			v.files, v.stats.Files, v.stats.Cut = v.files[:room], room, true
			w.stop.Store(true)
		}
		names := make([]string, len(v.dirs))
		for i, d := range v.dirs {
			names[i] = d.path
			w.stack = append(w.stack, v.dirs[len(v.dirs)-1-i]) // the first one is to be taken next
		}
		w.found[v.path] = found{v.files, names}
		w.files += len(v.files)
		w.stats.add(v.stats)
	}
	if len(v.dirs) > 0 || w.busy == 0 {
		w.wake.Broadcast()
	}
}
