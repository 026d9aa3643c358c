package service

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox/landlock"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// States of a run.
const (
	runWaiting = "waiting" // for another run to end
	runRunning = "running"
	runDone    = "done"
	runFailed  = "failed"
	runStopped = "stopped" // with the process; the next process continues it
)

// indexRun is a run over a collection.
type indexRun struct {
	ID             string
	State          string
	Started, Ended time.Time
	Report         library.Report
	Err            error
}

// Limits of a background run, which shares the machine with calls.
const (
	backWorkers = 1
	backMemory  = 16 << 20              // bytes of new postings
	backPause   = 50 * time.Millisecond // the longest pause per step while a call runs
)

// indexing runs over collections in the background, one at a time.
type indexing struct {
	svc  *Service
	log  *slog.Logger
	ctx  context.Context
	wg   sync.WaitGroup
	turn chan struct{} // semaphore: one run at a time

	mu      sync.Mutex
	closed  bool
	runs    map[string]*indexRun // the last run of each collection, by file
	said    map[string]string    // the last logged problem of each collection, by file
	watches map[string]*watch    // by file
	moved   map[string]string    // the directory target for which a reload was last started, by file
}

// Background indexes and warms collections: those that the configuration watches, those that callers request, and
// runs that an earlier process accepted and did not complete. stop ends this and waits for runs in progress.
func (s *Service) Background(ctx context.Context, log *slog.Logger) (stop func()) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(ctx)
	x := &indexing{svc: s, log: log, ctx: ctx, turn: make(chan struct{}, 1), runs: map[string]*indexRun{}, said: map[string]string{}, watches: map[string]*watch{}, moved: map[string]string{}}
	s.indexing.Store(x)
	x.wg.Go(x.follow)
	return func() {
		x.mu.Lock()
		x.closed = true
		x.mu.Unlock()
		cancel()
		x.wg.Wait()
		s.indexing.CompareAndSwap(x, nil)
	}
}

// ErrRunning says that this or another process is already running over the collection.
var ErrRunning = errors.New("a run over the collection is under way")

// request is stored until its run is done.
type request struct {
	ID    string `json:"id"`
	Retry bool   `json:"retry,omitempty"`
	All   bool   `json:"all,omitempty"`
}

// start begins a run that continues even if the caller has gone. If the process ends
// first, the next one continues it.
func (x *indexing) start(c Collection, ask request) (*indexRun, error) {
	if ask.ID == "" {
		var id [8]byte
		_, _ = rand.Read(id[:]) // never fails
		ask.ID = hex.EncodeToString(id[:])
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if r := x.runs[c.File]; x.closed || r != nil && r.Ended.IsZero() {
		return nil, ErrRunning
	}
	what, _ := json.Marshal(ask) // strings and booleans cannot fail
	if err := store.KeepRequest(c.File, what); err != nil {
		return nil, err
	}
	r := &indexRun{ID: ask.ID, State: runWaiting, Started: time.Now()}
	x.runs[c.File] = r
	x.wg.Go(func() { x.run(c.Name, c.File, library.Options{Retry: ask.Retry, All: ask.All}, r) })
	return &indexRun{ID: r.ID, State: r.State, Started: r.Started}, nil
}

// run waits for its turn, and then indexes the collection as it is configured at that time.
func (x *indexing) run(name, file string, opt library.Options, r *indexRun) {
	select {
	case x.turn <- struct{}{}:
		defer func() { <-x.turn }()
	case <-x.ctx.Done():
		x.end(file, r, library.Report{}, x.ctx.Err())
		return
	}
	x.mu.Lock()
	r.State = runRunning
	x.mu.Unlock()
	snap := x.svc.acquire()
	defer snap.lease.release()
	i := slices.IndexFunc(snap.Collections(), func(c Collection) bool { return c.Name == name && c.File == file })
	if i < 0 {
		x.end(file, r, library.Report{}, errors.New("it is not in the configuration any more"))
		return
	}
	c := snap.Collections()[i]
	report, err := x.indexCollection(snap, c, opt)
	x.end(file, r, report, err)
	x.emitResult(snap, c, r.ID, report, err, true)
}

// end records how a run ended. If the process is stopping, the request stays stored for the next one.
func (x *indexing) end(file string, r *indexRun, report library.Report, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r.Ended, r.Report, r.Err, r.State = time.Now(), report, err, runDone
	switch {
	case x.ctx.Err() != nil && err != nil:
		r.State = runStopped
		return
	case err != nil:
		r.State = runFailed
	}
	store.DropRequest(file)
}

// runOf returns the last run of this process over a collection.
func (x *indexing) runOf(c Collection) (indexRun, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if r := x.runs[c.File]; r != nil {
		return *r, true
	}
	return indexRun{}, false
}

// emitResult emits the result of a run and logs a problem once. A look without changes emits
// nothing.
func (x *indexing) emitResult(snap *Snapshot, c Collection, id string, r library.Report, err error, asked bool) {
	if err != nil && x.ctx.Err() != nil {
		return
	}
	x.mu.Lock()
	known := x.said[c.File]
	x.said[c.File] = ""
	if err != nil {
		x.said[c.File] = err.Error()
	}
	x.mu.Unlock()
	if err != nil && err.Error() == known || err == nil && !r.Published && !asked {
		return
	}
	e := event.Event{Kind: event.Index, Name: c.Name, Outcome: event.OK, Elapsed: r.Took, Message: "collection indexed",
		Attrs: []slog.Attr{slog.Any("version", event.ID(r.Version)), slog.Int("documents", r.Documents), slog.Int("added", r.Added), slog.Int("changed", r.Changed), slog.Int("removed", r.Removed), slog.Int("failed", len(r.Failed)), slog.Int64("took_ms", r.Took.Milliseconds())}}
	if id != "" {
		e.Attrs = append(e.Attrs, slog.Any("run", event.ID(id)))
	}
	if err != nil {
		e.Message, e.Outcome, e.Error, e.Attrs = "collection not indexed", event.Failed, snap.Egress.Line(err.Error()), nil
	}
	x.svc.events.Emit(e)
}

// errMoved says that a directory resolves to another path than when the configuration
// was checked, for example after a pull that replaced it by a link.
var errMoved = errors.New("a directory of it leads elsewhere than when the configuration was read")

// indexCollection runs over a collection once. A damaged index is deleted and rebuilt, which is
// possible because it derives from the documents alone. The caller holds turn.
func (x *indexing) indexCollection(snap *Snapshot, c Collection, opt library.Options) (library.Report, error) {
	r, err := x.tryIndex(snap, c, opt)
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, index.ErrDamaged) {
		x.log.Warn("the index of a collection is damaged and is rebuilt", "collection", c.Name, "error", err)
		asked, kept := store.Request(c.File)
		if err = store.RemoveLibrary(x.ctx, c.File); err == nil {
			if kept {
				_ = store.KeepRequest(c.File, asked) // without it, only the continuation after a restart is lost
			}
			r, err = x.tryIndex(snap, c, opt)
		}
	}
	if r.Published {
		debug.FreeOSMemory() // a run needs much memory that an idle process does not
	}
	return r, err
}

func (x *indexing) tryIndex(snap *Snapshot, c Collection, opt library.Options) (library.Report, error) {
	shelf, err := store.OpenLibrary(x.ctx, c.File)
	if err != nil {
		return library.Report{}, err
	}
	defer shelf.Close()
	in, done, err := snap.Indexer(c, shelf)
	if err != nil {
		if landlock.InForce() {
			err = fmt.Errorf("%w (a directory that was not there when compactor serve began is shut out: start it again)", err)
		}
		return library.Report{}, err
	}
	defer done()
	for i, root := range in.Roots {
		if leads := snap.leads[c.Directories[i]]; leads != root.Path() {
			x.reloadOnce(snap, c, root.Path())
			return library.Report{}, fmt.Errorf("collection %s: %w", c.Name, errMoved)
		}
	}
	in.Extractors = snap.opt.Extractors(c.Reading)
	in.Workers, in.Memory = backWorkers, backMemory
	in.Progress = func(library.Step) { x.giveWay() }
	type ended struct {
		library.Report
		error
	}
	out := make(chan ended, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the low-priority thread ends with the goroutine
		lowPriority()
		r, err := in.Run(x.ctx, opt)
		out <- ended{r, err}
	}()
	r := <-out
	return r.Report, r.error
}

// reloadOnce reloads the configuration and checks consent again after a directory was found
// to resolve elsewhere: the user has not allowed it to be read there.
func (x *indexing) reloadOnce(snap *Snapshot, c Collection, leads string) {
	x.mu.Lock()
	known := x.moved[c.File] == leads
	x.moved[c.File] = leads
	x.mu.Unlock()
	if !known && snap == x.svc.Snapshot() {
		x.wg.Go(func() { _, _ = x.svc.Reload(x.ctx, snap.opt) }) // Reload reports its own outcome
	}
}

// giveWay pauses for a moment at each step while calls are running.
func (x *indexing) giveWay() {
	for until := time.Now().Add(backPause); x.svc.engine.Load().Busy > 0 && time.Now().Before(until); {
		select {
		case <-x.ctx.Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// resolveDirectories maps the directories of collections to their current link targets, for a process that indexes. A directory is
// not read once it resolves to another target.
func (o Options) resolveDirectories(dirs []string) map[string]string {
	if o.Extractors == nil {
		return nil
	}
	out := map[string]string{}
	for _, dir := range dirs {
		if to, err := filepath.EvalSymlinks(dir); err == nil {
			out[dir] = to
		}
	}
	return out
}
