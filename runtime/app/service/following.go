package service

import (
	"context"
	"encoding/json"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// How often collections are scanned for changes. A scan stats every file, so large
// collections are scanned less often. Polling also works in containers and on network
// disks, where file notifications do not.
const (
	lookEvery   = 2 * time.Second
	lookShare   = 50 // a scan may take 1/lookShare of the time
	lookSeldom  = time.Minute
	warmEvery   = 10 * time.Second
	standBy     = 15 * time.Second // between attempts to take over a collection that another process follows
	settleFirst = 500 * time.Millisecond
)

// watch is the state of a followed collection.
type watch struct {
	release func()    // nil: another process follows it
	next    time.Time // time of the next scan, or attempt to take over
	looked  bool      // it was checked for damage
	told    bool      // it was logged that another process follows it
}

// follow scans the collections in a loop until the context ends.
func (x *indexing) follow() {
	defer x.letGo(nil)
	if !x.waitForChange(settleFirst) { // whoever starts the server waits for it
		return
	}
	x.resume()
	for {
		snap := x.svc.acquire()
		some := snap.Collections()
		x.letGo(some)
		x.warmIndexes(snap, some)
		next := warmEvery
		for _, c := range some {
			if c.Watch && c.File != "" && snap.opt.Extractors != nil {
				next = min(next, x.indexIfDue(snap, c))
			}
		}
		snap.lease.release()
		if len(some) == 0 {
			next = 0 // wait for a change of the configuration
		}
		if !x.waitForChange(next) {
			return
		}
	}
}

// waitForChange sleeps for d (0: no limit) or until the configuration changes. It returns false once the context has ended.
func (x *indexing) waitForChange(d time.Duration) bool {
	var after <-chan time.Time
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		after = t.C
	}
	select {
	case <-x.ctx.Done():
		return false
	case <-x.svc.reread:
	case <-after:
	}
	return x.ctx.Err() == nil
}

// resume continues runs that an earlier process had accepted and did not complete.
func (x *indexing) resume() {
	snap := x.svc.acquire()
	defer snap.lease.release()
	for _, c := range snap.Collections() {
		what, is := store.Request(c.File)
		if !is || c.File == "" || snap.opt.Extractors == nil {
			continue
		}
		var ask request
		_ = json.Unmarshal(what, &ask) // a request cut off by a full disk still means a run
		if _, err := x.start(c, ask); err == nil {
			x.log.Info("going on with a run that was interrupted", "collection", c.Name)
		}
	}
}

// indexIfDue indexes the changes of a collection if this process follows it, and returns the
// time until the next look.
func (x *indexing) indexIfDue(snap *Snapshot, c Collection) time.Duration {
	x.mu.Lock()
	w := x.watches[c.File]
	if w == nil {
		w = &watch{}
		x.watches[c.File] = w
	}
	x.mu.Unlock()
	if left := time.Until(w.next); left > 0 {
		return left
	}
	if w.release == nil && !x.takeOver(c, w) {
		w.next = time.Now().Add(standBy)
		return standBy
	}
	select {
	case x.turn <- struct{}{}:
		defer func() { <-x.turn }()
	default: // a requested run is under way
		return lookEvery
	}
	start := time.Now()
	r, err := x.indexCollection(snap, c, library.Options{Trust: w.looked})
	every := max(lookEvery, min(lookShare*time.Since(start), lookSeldom))
	if r.Published {
		every = lookEvery
	}
	w.next = time.Now().Add(every)
	if errors.Is(err, library.ErrOwned) { // another process is indexing it, which is as good
		return every
	}
	w.looked = err == nil
	x.emitResult(snap, c, "", r, err, false)
	if r.Published {
		x.warmIndexes(snap, []Collection{c})
	}
	return every
}

// takeOver makes this process follow a collection; if another process does, it logs that once.
func (x *indexing) takeOver(c Collection, w *watch) bool {
	release, err := store.WatchLibrary(x.ctx, c.File)
	if err == nil {
		if w.told {
			x.log.Info("following a collection that another process followed", "collection", c.Name)
		}
		w.release = release
		return true
	}
	if !w.told && x.ctx.Err() == nil {
		if errors.Is(err, library.ErrOwned) {
			x.log.Info("another process follows the collection; this one takes over when that ends", "collection", c.Name)
		} else {
			x.log.Warn("the collection is not followed", "collection", c.Name, "error", err)
		}
		w.told = true
	}
	return false
}

// letGo ends the watches of all collections except those in some that are still watched.
func (x *indexing) letGo(some []Collection) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for file, w := range x.watches {
		if slices.ContainsFunc(some, func(c Collection) bool { return c.File == file && c.Watch }) {
			continue
		}
		if w.release != nil {
			w.release()
		}
		delete(x.watches, file)
	}
}

// warmIndexes loads the indexes of collections into memory, the smallest first, up to the configured size. Indexes that are
// in memory already are updated to their newest version.
func (x *indexing) warmIndexes(snap *Snapshot, some []Collection) {
	most, taken := snap.Plan.Config.Cache.Indexes, int64(0)
	type sized struct {
		Collection
		size int64
		warm bool
	}
	var list []sized
	read := false
	for _, c := range some {
		l, shelf, err := x.svc.libraries.open(x.ctx, c)
		if err != nil {
			continue // not indexed yet, or a search will report the problem
		}
		warm, err := l.Warm(x.ctx)
		if err != nil {
			continue
		}
		size, err := indexSize(x.ctx, shelf)
		if err == nil {
			list = append(list, sized{c, size, warm})
		}
	}
	slices.SortFunc(list, func(a, b sized) int { return int(min(max(a.size-b.size, -1), 1)) })
	for _, c := range list {
		if taken += c.size; c.warm {
			continue
		}
		l, _, err := x.svc.libraries.open(x.ctx, c.Collection)
		if err != nil || taken > most && !l.Loaded() || x.ctx.Err() != nil {
			continue
		}
		if err := l.Load(x.ctx); err != nil && x.ctx.Err() == nil {
			x.log.Debug("the index of a collection was not read", "collection", c.Name, "error", err)
		}
		read = true
	}
	if read {
		debug.FreeOSMemory()
	}
}

// indexSize returns the size of the index of the published version, in bytes.
func indexSize(ctx context.Context, shelf library.Shelf) (n int64, err error) {
	err = shelf.View(ctx, func(v library.View) error {
		list, err := v.Segments(ctx, false)
		for _, s := range list {
			n += s.Bytes
		}
		return err
	})
	return n, err
}
