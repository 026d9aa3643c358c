package event

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Stream passes events to the readers that want their kind. The zero value is ready to
// use, a nil Stream has no readers. It is safe for concurrent use.
type Stream struct {
	wanted   atomic.Uint32 // kinds that any reader wants
	followed atomic.Bool   // by a subscription that wants other kinds than notes
	readers  atomic.Pointer[[]*reader]

	mu sync.Mutex // held while readers change
}

// reader is a subscription or a view.
type reader struct {
	kinds  atomic.Uint32
	begins atomic.Uint32 // kinds whose Begin a subscription receives
	sub    *Subscription
	view   func(Event) // set if sub is nil
}

// Wants reports whether anything reads events of this kind.
func (s *Stream) Wants(k Kind) bool { return s != nil && s.wanted.Load()&(1<<k) != 0 }

// Active reports whether a subscription reads events of requests. Views need nothing
// beyond the kinds they were created for.
func (s *Stream) Active() bool { return s != nil && s.followed.Load() }

// Emit passes an event to the readers that want it. It never waits for a subscription.
// Events of a request are emitted with the function Emit, by their context.
func (s *Stream) Emit(e Event) { s.deliver(&e) }

// deliver emits an event that the caller no longer needs unchanged. An event is large: it
// is copied only once, into the queue.
func (s *Stream) deliver(e *Event) {
	if !s.Wants(e.Kind) {
		return
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.dropLongTexts()
	for _, r := range *s.readers.Load() {
		switch {
		case r.kinds.Load()&(1<<e.Kind) == 0:
		case r.sub == nil:
			r.view(*e)
		case e.Phase != Begin || r.begins.Load()&(1<<e.Kind) != 0:
			r.sub.enqueue(e)
		}
	}
}

// Observe calls fn for each event of these kinds, on the emitter's goroutine. fn must be
// quick and must not emit events itself. stop ends the view.
func (s *Stream) Observe(fn func(Event), list ...Kind) (stop func()) {
	r := &reader{view: fn}
	r.kinds.Store(setOf(list))
	s.add(r)
	return func() { s.remove(r) }
}

func (s *Stream) add(r *reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setReaders(append(slices.Clone(s.readerList()), r))
}

func (s *Stream) remove(r *reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setReaders(slices.DeleteFunc(slices.Clone(s.readerList()), func(x *reader) bool { return x == r }))
}

// recompute recomputes what readers want.
func (s *Stream) recompute() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setReaders(s.readerList())
}

func (s *Stream) readerList() []*reader {
	if p := s.readers.Load(); p != nil {
		return *p
	}
	return nil
}

// setReaders replaces the readers. The caller holds mu.
func (s *Stream) setReaders(list []*reader) {
	var wanted set
	followed := false
	for _, r := range list {
		wanted |= r.kinds.Load()
		followed = followed || r.sub != nil && r.kinds.Load()&^(1<<Note) != 0
	}
	s.readers.Store(&list) // before wanted: whoever sees a kind wanted must find the readers
	s.wanted.Store(wanted)
	s.followed.Store(followed)
}
