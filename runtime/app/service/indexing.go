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

// The states of a run.
const (
	runWaiting = "waiting" // for another to end
	runRunning = "running"
	runDone    = "done"
	runFailed  = "failed"
	runStopped = "stopped" // with the process; the next one goes on
)

// indexRun is a run over a collection.
type indexRun struct {
	ID             string
	State          string
	Started, Ended time.Time
	Report         library.Report
	Err            error
}

// Bounds of a run in the background, beside calls.
const (
	backWorkers = 1
	backMemory  = 16 << 20              // bytes of new postings
	backPause   = 50 * time.Millisecond // longest, at each step, while a call runs
)

// indexing runs over collections in the background, one at a time.
type indexing struct {
	svc  *Service
	log  *slog.Logger
	ctx  context.Context
	wg   sync.WaitGroup
	turn chan struct{} // whose run it is

	mu      sync.Mutex
	closed  bool
	runs    map[string]*indexRun // the last of each collection, by file
	said    map[string]string    // the last problem of each that was logged, by file
	watches map[string]*watch    // by file
	moved   map[string]string    // where directories led that a reload was for, by file
}

// Background indexes and warms collections until stop, which waits for what runs: what
// the configuration says to watch, what a caller asked for, and what an earlier process
// was asked for and did not end.
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

// ErrRunning says that a run over the collection is under way, in this process or another.
var ErrRunning = errors.New("a run over the collection is under way")

// request is what is kept of a run until it is done.
type request struct {
	ID    string `json:"id"`
	Retry bool   `json:"retry,omitempty"`
	All   bool   `json:"all,omitempty"`
}

// start begins a run that goes on when who asked is gone. A process that ends before it
// is done leaves it to the next.
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
	what, _ := json.Marshal(ask) // texts and truths
	if err := store.KeepRequest(c.File, what); err != nil {
		return nil, err
	}
	r := &indexRun{ID: ask.ID, State: runWaiting, Started: time.Now()}
	x.runs[c.File] = r
	x.wg.Go(func() { x.run(c.Name, c.File, library.Options{Retry: ask.Retry, All: ask.All}, r) })
	return &indexRun{ID: r.ID, State: r.State, Started: r.Started}, nil
}

// run waits for its turn and runs over a collection as it is configured by then.
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
	report, err := x.index(snap, c, opt)
	x.end(file, r, report, err)
	x.tell(snap, c, r.ID, report, err, true)
}

// end notes how a run ended. What was stopped with the process stays asked for.
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

// runOf is the last run of this process over a collection.
func (x *indexing) runOf(c Collection) (indexRun, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if r := x.runs[c.File]; r != nil {
		return *r, true
	}
	return indexRun{}, false
}

// tell emits what a run came to, and logs a problem once. A look that found nothing new
// is no news.
func (x *indexing) tell(snap *Snapshot, c Collection, id string, r library.Report, err error, asked bool) {
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

// errMoved says that a directory leads elsewhere than when the configuration was read and
// judged, as after a pull that has put a link in its place.
var errMoved = errors.New("a directory of it leads elsewhere than when the configuration was read")

// index runs over a collection once. A file that is damaged is begun anew: all of it can
// be made again of the documents. turn is held.
func (x *indexing) index(snap *Snapshot, c Collection, opt library.Options) (library.Report, error) {
	r, err := x.once(snap, c, opt)
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, index.ErrDamaged) {
		x.log.Warn("the index of a collection is damaged and is rebuilt", "collection", c.Name, "error", err)
		asked, kept := store.Request(c.File)
		if err = store.RemoveLibrary(x.ctx, c.File); err == nil {
			if kept {
				_ = store.KeepRequest(c.File, asked) // without it the run is not gone on with
			}
			r, err = x.once(snap, c, opt)
		}
	}
	if r.Published {
		debug.FreeOSMemory() // a run takes much that waiting does not need
	}
	return r, err
}

func (x *indexing) once(snap *Snapshot, c Collection, opt library.Options) (library.Report, error) {
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
			x.again(snap, c, root.Path())
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
		runtime.LockOSThread() // and never unlocked: the thread ends, whose priority is low
		lowPriority()
		r, err := in.Run(x.ctx, opt)
		out <- ended{r, err}
	}()
	r := <-out
	return r.Report, r.error
}

// again has the configuration read and judged once more, where a directory leads
// elsewhere: whether it may be read there, its user has not said.
func (x *indexing) again(snap *Snapshot, c Collection, leads string) {
	x.mu.Lock()
	known := x.moved[c.File] == leads
	x.moved[c.File] = leads
	x.mu.Unlock()
	if !known && snap == x.svc.Snapshot() {
		x.wg.Go(func() { _, _ = x.svc.Reload(x.ctx, snap.opt) }) // which tells how it ended
	}
}

// giveWay lets calls go first, for a moment at each step.
func (x *indexing) giveWay() {
	for until := time.Now().Add(backPause); x.svc.engine.Load().Busy > 0 && time.Now().Before(until); {
		select {
		case <-x.ctx.Done():
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// leads are where the directories of collections lead to now, for a process that indexes:
// nothing else is read later under their names.
func (o Options) leads(dirs []string) map[string]string {
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
