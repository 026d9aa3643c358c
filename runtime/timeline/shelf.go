package timeline

import (
	"context"
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
	// Purge lets go of what is older, and of the oldest beyond a number of sessions.
	Purge(ctx context.Context, before time.Time, sessions int) error
	Close() error
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
}

// Bounds and times of writing to a shelf.
const (
	mostWaiting = 8192 // spans; more are lost to the shelf, not to memory
	writeEvery  = time.Second
	writeTime   = 3 * time.Second
	purgeEvery  = 10 * time.Minute
)

// writer hands spans to a shelf, many at once and a little later, so that nobody who
// emits waits for a disk.
type writer struct {
	shelf Shelf
	keep  func() Keeping
	say   func(error)
	stop  chan struct{}
	done  chan struct{}

	mu       sync.Mutex
	sessions map[string]Session
	spans    []Span
	said     bool
	writing  sync.Mutex
}

// Shelve has what ends from now on written to a shelf, which it closes in the end.
// say is told once when writing does not work.
func (r *Recent) Shelve(shelf Shelf, keep func() Keeping, say func(error)) {
	w := &writer{shelf: shelf, keep: keep, say: say, stop: make(chan struct{}), done: make(chan struct{}), sessions: map[string]Session{}}
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

func (w *writer) touch(id string, s Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sessions[id] = s
}

func (w *writer) put(session Session, s Span) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sessions[session.ID] = session
	if len(w.spans) < mostWaiting {
		w.spans = append(w.spans, s)
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
	sessions, spans := w.sessions, w.spans
	w.sessions, w.spans = map[string]Session{}, nil
	w.mu.Unlock()
	if len(sessions) == 0 {
		return nil
	}
	list := make([]Session, 0, len(sessions))
	for _, s := range sessions {
		list = append(list, s)
	}
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	err := w.shelf.Put(ctx, list, spans)
	if err == nil {
		return nil
	}
	w.mu.Lock()
	w.spans = append(spans, w.spans...)
	w.spans = w.spans[:min(len(w.spans), mostWaiting)]
	for id, s := range sessions {
		if _, newer := w.sessions[id]; !newer {
			w.sessions[id] = s
		}
	}
	w.mu.Unlock()
	w.tell(err)
	return err
}

// tell says once that the shelf does not work.
func (w *writer) tell(err error) {
	w.mu.Lock()
	said := w.said
	w.said = true
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
