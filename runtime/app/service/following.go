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

// How often collections are looked at: a look costs a glance at each file, so that it is
// seldomer where there are many. Polling works in containers and on network disks, where
// notifications of files do not.
const (
	lookEvery   = 2 * time.Second
	lookShare   = 50 // a look may take one of so many parts of the time
	lookSeldom  = time.Minute
	warmEvery   = 10 * time.Second
	standBy     = 15 * time.Second // between tries to take a collection over that another process watches
	settleFirst = 500 * time.Millisecond
)

// watch is a collection that is followed.
type watch struct {
	release func()    // nil: another process follows it
	next    time.Time // of the next look, or try
	looked  bool      // it was checked for damage
	told    bool      // that another process follows it
}

// follow looks at collections until the end.
func (x *indexing) follow() {
	defer x.letGo(nil)
	if !x.wait(settleFirst) { // who starts the server waits for it
		return
	}
	x.resume()
	for {
		snap := x.svc.acquire()
		some := snap.Collections()
		x.letGo(some)
		x.warm(snap, some)
		next := warmEvery
		for _, c := range some {
			if c.Watch && c.File != "" && snap.opt.Extractors != nil {
				next = min(next, x.look(snap, c))
			}
		}
		snap.lease.release()
		if len(some) == 0 {
			next = 0 // until the configuration is another
		}
		if !x.wait(next) {
			return
		}
	}
}

// wait waits so long, or for ever for 0, or until the configuration is another.
func (x *indexing) wait(d time.Duration) bool {
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

// resume goes on with runs that an earlier process was asked for and did not end.
func (x *indexing) resume() {
	snap := x.svc.acquire()
	defer snap.lease.release()
	for _, c := range snap.Collections() {
		what, is := store.Request(c.File)
		if !is || c.File == "" || snap.opt.Extractors == nil {
			continue
		}
		var ask request
		_ = json.Unmarshal(what, &ask) // what a full disk has cut is a run all the same
		if _, err := x.start(c, ask); err == nil {
			x.log.Info("going on with a run that was interrupted", "collection", c.Name)
		}
	}
}

// look indexes what has changed, where this process follows the collection. It returns
// when to look again.
func (x *indexing) look(snap *Snapshot, c Collection) time.Duration {
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
	if w.release == nil && !x.take(c, w) {
		w.next = time.Now().Add(standBy)
		return standBy
	}
	select {
	case x.turn <- struct{}{}:
		defer func() { <-x.turn }()
	default: // a run that was asked for is under way
		return lookEvery
	}
	start := time.Now()
	r, err := x.index(snap, c, library.Options{Trust: w.looked})
	every := max(lookEvery, min(lookShare*time.Since(start), lookSeldom))
	if r.Published {
		every = lookEvery
	}
	w.next = time.Now().Add(every)
	if errors.Is(err, library.ErrOwned) { // somebody indexes it now, which is as good
		return every
	}
	w.looked = err == nil
	x.tell(snap, c, "", r, err, false)
	if r.Published {
		x.warm(snap, []Collection{c})
	}
	return every
}

// take makes this process the one that follows a collection, or says once that another is.
func (x *indexing) take(c Collection, w *watch) bool {
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

// letGo ends the watch of collections that are not among some.
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

// warm reads the indexes of collections, the smallest first, as far as the configuration
// has room for them. What is in memory already is brought up to its newest version.
func (x *indexing) warm(snap *Snapshot, some []Collection) {
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
			continue // it is not indexed yet, or who searches is told what is wrong
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

// indexSize is how large the index of the published version is, in bytes.
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
