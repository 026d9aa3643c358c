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

// Shelf keeps sessions beyond a process. It is safe for concurrent use.
type Shelf interface {
	Sessions(ctx context.Context, q Query) ([]Session, error)
	Session(ctx context.Context, id string) (Session, []Span, error)
	Savings(ctx context.Context, since time.Time, step time.Duration) ([]Saving, error)
	// Put keeps spans that have ended, and what is known of their sessions by now.
	Put(ctx context.Context, sessions []Session, spans []Span) error
	// Purge lets go of what is older, and of the oldest beyond a number of sessions. A
	// CrowdedError says that more went, for want of room.
	Purge(ctx context.Context, before time.Time, sessions int) error
	Close() error
}

// CrowdedError says that sessions were let go before their time.
type CrowdedError struct {
	Sessions int
	Bytes    int64 // that a shelf may have
}

func (e *CrowdedError) Error() string {
	return fmt.Sprintf("the %d oldest sessions were let go: those that are kept take more than %d MiB", e.Sessions, e.Bytes>>20)
}

// LostError says that spans did not come to a shelf that could not be written for long.
type LostError struct{ Spans int }

func (e *LostError) Error() string {
	return fmt.Sprintf("sessions are written again; %d steps of them were not kept meanwhile", e.Spans)
}

// Still is a shelf that nothing is written to, as a Reader.
func Still(shelf Shelf) Reader { return still{shelf} }

type still struct{ Shelf }

// Watch gives nothing until the context ends.
func (still) Watch(ctx context.Context, _ string) <-chan Span {
	ch := make(chan Span)
	context.AfterFunc(ctx, func() { close(ch) })
	return ch
}

// Keeping says how long sessions stay on a shelf.
type Keeping struct {
	For      time.Duration
	Sessions int
	Off      bool // nothing more comes to the shelf
}

// Bounds and times of writing to a shelf.
const (
	maxWaiting = 8192 // spans; more are lost to the shelf, not to memory
	maxSpare   = 2048 // spans; room for more is given back
	writeEvery = time.Second
	writeTime  = 3 * time.Second
	purgeEvery = 10 * time.Minute
)

// writer hands spans to a shelf, many at once and a little later, so that nobody who
// emits waits for a disk.
type writer struct {
	shelf   Shelf
	keep    func() Keeping
	off     bool   // since the last write, Keeping said so; mu is held
	restart func() // forgets the sessions in memory
	say     func(error)
	stop    chan struct{}
	done    chan struct{}

	mu       sync.Mutex
	sessions map[string]Session
	spans    []Span
	spare    []Span // takes what comes while spans are written
	lost     int    // spans that found no room
	said     bool
	crowded  bool // that was said
	failed   error
	writing  sync.Mutex
}

// Shelve has what ends from now on written to a shelf, which it closes in the end.
// say is told once when writing does not work.
func (r *Recent) Shelve(shelf Shelf, keep func() Keeping, say func(error)) {
	w := &writer{shelf: shelf, keep: keep, say: say, restart: func() { r.forgetSessions(time.Now().Add(time.Hour)) }, stop: make(chan struct{}), done: make(chan struct{}), sessions: map[string]Session{}}
	r.mu.Lock()
	r.shelf = w
	for _, s := range r.sessions { // what came before the shelf was open
		for _, span := range s.spans {
			if !span.Running {
				w.put(s.Session, *span)
			}
		}
	}
	r.mu.Unlock()
	go w.run()
}

// shelved is the shelf with all that is known by now on it; nil where there is none
// that can be written.
func (r *Recent) shelved(ctx context.Context) Shelf {
	r.mu.Lock()
	w := r.shelf
	if w != nil {
		for id, s := range r.sessions { // counts of what still runs
			if len(s.open) > 0 {
				w.touch(id, s.Session)
			}
		}
	}
	r.mu.Unlock()
	if w == nil || w.write(ctx) != nil {
		return nil
	}
	return w.shelf
}

// Unshelved notes why there is no shelf.
func (r *Recent) Unshelved(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unkept = err
}

// Unkept returns why sessions are in memory alone for now, nil where they are kept as is
// wanted.
func (r *Recent) Unkept() error {
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

func (w *writer) touch(id string, s Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.off = w.off || w.keep().Off; !w.off {
		w.sessions[id] = s
	}
}

func (w *writer) put(session Session, s Span) {
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
			_ = w.write(context.Background())
		case <-purge.C:
			w.purge()
		case <-w.stop:
			return
		}
	}
}

func (w *writer) purge() {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	k := w.keep()
	if err := w.shelf.Purge(ctx, time.Now().Add(-k.For), k.Sessions); err != nil {
		w.tell(err)
	}
}

// write hands over what waits. What the shelf cannot take waits again.
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
		w.again(spans)
		return errors.New("sessions are not kept")
	}
	if len(sessions) == 0 {
		w.again(spans)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	err := w.shelf.Put(ctx, slices.Collect(maps.Values(sessions)), spans)
	if err == nil {
		w.recovered()
		w.again(spans)
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
	w.tell(err)
	return err
}

// forget drops what waits of sessions whose last event came before a moment. It returns
// when nothing of them is on its way.
func (w *writer) forget(before time.Time) {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.DeleteFunc(w.sessions, func(_ string, s Session) bool { return s.Last.Before(before) })
	w.spans = slices.DeleteFunc(w.spans, func(s Span) bool { _, waits := w.sessions[s.Session]; return !waits })
}

// again keeps the room that spans took, for others.
func (w *writer) again(spans []Span) {
	if cap(spans) > maxSpare {
		return
	}
	clear(spans)
	w.mu.Lock()
	w.spare = spans[:0]
	w.mu.Unlock()
}

// recovered says what was lost while the shelf could not be written.
func (w *writer) recovered() {
	if lost := w.reset(); lost > 0 && w.say != nil {
		w.say(&LostError{lost})
	}
}

// reset takes note that nothing is wrong, and returns how many spans were lost until now.
func (w *writer) reset() (lost int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lost, w.lost, w.said, w.failed = w.lost, 0, false, nil
	return lost
}

// tell says once that the shelf does not work, and once that it is crowded.
func (w *writer) tell(err error) {
	w.mu.Lock()
	what := &w.said
	if crowded := (*CrowdedError)(nil); errors.As(err, &crowded) {
		what = &w.crowded
	} else {
		w.failed = err
	}
	said := *what
	*what = true
	w.mu.Unlock()
	if !said && w.say != nil {
		w.say(err)
	}
}

// close writes what waits and closes the shelf.
func (w *writer) close() {
	close(w.stop)
	<-w.done
	_ = w.write(context.Background())
	_ = w.shelf.Close()
}
