package timeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// Store keeps sessions beyond the life of a process. It is safe for concurrent use.
type Store interface {
	Sessions(ctx context.Context, q Query) ([]Session, error)
	Session(ctx context.Context, id string) (Session, []Span, error)
	Savings(ctx context.Context, since time.Time, step time.Duration) ([]Saving, error)
	// Put keeps spans that have ended, and the current state of their sessions.
	Put(ctx context.Context, sessions []Session, spans []Span) error
	// Purge deletes older sessions, and the oldest beyond a number of sessions. A
	// CrowdedError reports that more were deleted for lack of room.
	Purge(ctx context.Context, before time.Time, sessions int) error
	Close() error
}

// CrowdedError reports that sessions were deleted before their time.
type CrowdedError struct {
	Sessions int
	Bytes    int64 // limit of the shelf
}

func (e *CrowdedError) Error() string {
	return fmt.Sprintf("the %d oldest sessions were let go: those that are kept take more than %d MiB", e.Sessions, e.Bytes>>20)
}

// LostError reports that spans did not reach a shelf that could not be written for a long time.
type LostError struct{ Spans int }

func (e *LostError) Error() string {
	return fmt.Sprintf("sessions are written again; %d steps of them were not kept meanwhile", e.Spans)
}

// Still returns a Reader for a shelf that nothing is written to.
func Still(shelf Store) Reader { return readOnly{shelf} }

type readOnly struct{ Store }

// Watch returns nothing until the context ends.
func (readOnly) Watch(ctx context.Context, _ string) <-chan Span {
	ch := make(chan Span)
	context.AfterFunc(ctx, func() { close(ch) })
	return ch
}

// Retention determines how long sessions stay on a shelf.
type Retention struct {
	For      time.Duration
	Sessions int
	Off      bool // nothing more is written to the shelf
}

// Limits and times of writing to a shelf.
const (
	maxWaiting = 8192 // spans; more are lost to the shelf, but not to memory
	maxSpare   = 2048 // spans; a larger buffer is released
	writeEvery = time.Second
	writeTime  = 3 * time.Second
	purgeEvery = 10 * time.Minute
)

// writer writes spans to a shelf in batches, a little later, so that emitters never wait for a disk.
type writer struct {
	shelf   Store
	keep    func() Retention
	off     bool   // Retention was off at some time since the last write; guarded by mu
	restart func() // forgets the sessions in memory
	say     func(error)
	stop    chan struct{}
	done    chan struct{}
	hurry   chan struct{} // there are waiters

	mu       sync.Mutex
	sessions map[string]Session
	spans    []Span
	spare    []Span // buffer for spans that arrive during a write
	lost     int    // spans that found no room
	said     bool
	crowded  bool // has been reported
	failed   error
	waiters  []chan error // each receives the outcome of the next write
	writing  sync.Mutex
}

// PersistTo writes spans that end from now on to a shelf, and closes it in the end. say is
// called once when writing fails.
func (r *Recorder) PersistTo(shelf Store, keep func() Retention, say func(error)) {
	w := &writer{shelf: shelf, keep: keep, say: say, restart: func() { r.forgetSessions(time.Now().Add(time.Hour)) }, stop: make(chan struct{}), done: make(chan struct{}), hurry: make(chan struct{}, 1), sessions: map[string]Session{}}
	r.mu.Lock()
	r.shelf = w
	for _, s := range r.sessions { // from before the shelf was open
		for _, span := range s.spans {
			if !span.Running {
				w.putSpan(s.Session, *span)
			}
		}
	}
	r.mu.Unlock()
	go w.run()
}

// flushedShelf returns the shelf with everything known so far on it; nil if there is none, or
// it cannot be written.
func (r *Recorder) flushedShelf(ctx context.Context) Store {
	r.mu.Lock()
	w := r.shelf
	if w != nil {
		for id, s := range r.sessions { // counts of running spans
			if len(s.open) > 0 {
				w.putSession(id, s.Session)
			}
		}
	}
	r.mu.Unlock()
	if w == nil || w.write(context.WithoutCancel(ctx)) != nil { // a reader that leaves must not fail a write that others need
		return nil
	}
	return w.shelf
}

// Unshelved records why there is no shelf.
func (r *Recorder) Unshelved(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unkept = err
}

// Unkept returns why sessions are only in memory for now; nil if they are kept as configured.
func (r *Recorder) Unkept() error {
	r.mu.Lock()
	w, err := r.shelf, r.unkept
	r.mu.Unlock()
	if w == nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

func (w *writer) putSession(id string, s Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.off = w.off || w.keep().Off; !w.off {
		w.sessions[id] = s
	}
}

func (w *writer) putSpan(session Session, s Span) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.off = w.off || w.keep().Off; w.off {
		return
	}
	w.sessions[session.ID] = session
	if len(w.spans) < maxWaiting {
		w.spans = append(w.spans, s)
	} else {
		w.lost++
	}
}

func (w *writer) run() {
	defer close(w.done)
	tick, purge := time.NewTicker(writeEvery), time.NewTicker(purgeEvery)
	defer tick.Stop()
	defer purge.Stop()
	w.purge()
	for {
		select {
		case <-tick.C:
			w.writeForWaiters()
		case <-w.hurry:
			w.writeForWaiters()
		case <-purge.C:
			w.purge()
		case <-w.stop:
			return
		}
	}
}

// writeForWaiters writes pending data for all who wait at once. A write that another caller has begun is awaited first, so
// that data of waiters that it took is written, or pending again.
func (w *writer) writeForWaiters() {
	w.mu.Lock()
	waiters := w.waiters
	w.waiters = nil
	w.mu.Unlock()
	err := w.write(context.Background())
	for _, ch := range waiters {
		ch <- err
	}
}

// flush waits until pending data is written. It does not wait for a shelf that failed the last time.
func (w *writer) flush(ctx context.Context) error {
	ch := make(chan error, 1)
	w.mu.Lock()
	failed := w.failed
	if failed == nil {
		w.waiters = append(w.waiters, ch)
	}
	w.mu.Unlock()
	if failed != nil {
		return failed
	}
	select {
	case w.hurry <- struct{}{}:
	default:
	}
	select {
	case err := <-ch:
		return err
	case <-w.done: // what is pending is written by close
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) purge() {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	k := w.keep()
	if err := w.shelf.Purge(ctx, time.Now().Add(-k.For), k.Sessions); err != nil {
		w.reportError(err, false)
	}
}

// write writes pending data. What the shelf cannot take is pending again.
func (w *writer) write(ctx context.Context) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mu.Lock()
	was, off := w.off, w.keep().Off
	w.off = off
	w.mu.Unlock()
	if was && !off { // what was seen meanwhile stays off the shelf
		w.restart()
	}
	w.mu.Lock()
	sessions, spans := w.sessions, w.spans
	w.sessions, w.spans, w.spare = map[string]Session{}, w.spare, nil
	w.mu.Unlock()
	if off || was {
		w.reset()
		w.reuseBuffer(spans)
		return errors.New("sessions are not kept")
	}
	if len(sessions) == 0 {
		w.reuseBuffer(spans)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	err := w.shelf.Put(ctx, slices.Collect(maps.Values(sessions)), spans)
	if err == nil {
		w.reportLost()
		w.reuseBuffer(spans)
		return nil
	}
	w.mu.Lock()
	w.spans = append(spans, w.spans...)
	w.lost += max(0, len(w.spans)-maxWaiting)
	w.spans = w.spans[:min(len(w.spans), maxWaiting)]
	for id, s := range sessions {
		if _, newer := w.sessions[id]; !newer {
			w.sessions[id] = s
		}
	}
	w.mu.Unlock()
	w.reportError(err, true)
	return err
}

// forget drops pending data of sessions whose last event came before a moment. It returns
// when none of it is being written.
func (w *writer) forget(before time.Time) {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.DeleteFunc(w.sessions, func(_ string, s Session) bool { return s.Last.Before(before) })
	w.spans = slices.DeleteFunc(w.spans, func(s Span) bool { _, waits := w.sessions[s.Session]; return !waits })
}

// reuseBuffer keeps the buffer of spans for reuse.
func (w *writer) reuseBuffer(spans []Span) {
	if cap(spans) > maxSpare {
		return
	}
	clear(spans)
	w.mu.Lock()
	w.spare = spans[:0]
	w.mu.Unlock()
}

// reportLost reports what was lost while the shelf could not be written.
func (w *writer) reportLost() {
	if lost := w.reset(); lost > 0 && w.say != nil {
		w.say(&LostError{lost})
	}
}

// reset records that nothing is wrong, and returns the number of spans lost until now.
func (w *writer) reset() (lost int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lost, w.lost, w.said, w.failed = w.lost, 0, false, nil
	return lost
}

// reportError reports once that the shelf does not work, and once that it is crowded. lost means that spans could not be
// written.
func (w *writer) reportError(err error, lost bool) {
	w.mu.Lock()
	what := &w.said
	if crowded := (*CrowdedError)(nil); errors.As(err, &crowded) {
		what = &w.crowded
	} else if lost {
		w.failed = err
	}
	said := *what
	*what = true
	w.mu.Unlock()
	if !said && w.say != nil {
		w.say(err)
	}
}

// close writes pending data and closes the shelf.
func (w *writer) close() {
	close(w.stop)
	<-w.done
	_ = w.write(context.Background())
	_ = w.shelf.Close()
}
