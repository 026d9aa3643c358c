package event

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Stream hands events to those who want their kind. The zero value is ready, a
// nil Stream has no readers. It is safe for concurrent use.
type Stream struct {
	wanted   atomic.Uint32 // kinds that any reader wants
	followed atomic.Bool   // by a subscription that wants any but notes
	readers  atomic.Pointer[[]*reader]

	mu sync.Mutex // held while readers change
}

// reader is a subscription or a view.
type reader struct {
	kinds  atomic.Uint32
	begins atomic.Uint32 // kinds whose Begin a subscription is given
	sub    *Subscription
	view   func(Event) // where sub is nil
}

// Wants reports whether anybody reads events of this kind.
func (s *Stream) Wants(k Kind) bool { return s != nil && s.wanted.Load()&(1<<k) != 0 }

// Active reports whether a subscription reads events of requests. Views need no
// more than what they were made for.
func (s *Stream) Active() bool { return s != nil && s.followed.Load() }

// Emit hands an event to the readers that want it. It never waits for a
// subscription. What belongs to a request is emitted with the function Emit, by
// its context.
func (s *Stream) Emit(e Event) { s.hand(&e) }

// hand is Emit of an event that the caller does not need as it was. An event is large:
// it is copied once, into the queue.
func (s *Stream) hand(e *Event) {
	if !s.Wants(e.Kind) {
		return
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.bound()
	for _, r := range *s.readers.Load() {
		switch {
		case r.kinds.Load()&(1<<e.Kind) == 0:
		case r.sub == nil:
			r.view(*e)
		case e.Phase != Begin || r.begins.Load()&(1<<e.Kind) != 0:
			r.sub.put(e)
		}
	}
}

// View has fn called for each event of these kinds, on the goroutine that emits
// it. fn must be quick and emit nothing itself. stop ends that.
func (s *Stream) View(fn func(Event), list ...Kind) (stop func()) {
	r := &reader{view: fn}
	r.kinds.Store(setOf(list))
	s.add(r)
	return func() { s.remove(r) }
}

func (s *Stream) add(r *reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store(append(slices.Clone(s.list()), r))
}

func (s *Stream) remove(r *reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store(slices.DeleteFunc(slices.Clone(s.list()), func(x *reader) bool { return x == r }))
}

// renew takes over what readers want by now.
func (s *Stream) renew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store(s.list())
}

func (s *Stream) list() []*reader {
	if p := s.readers.Load(); p != nil {
		return *p
	}
	return nil
}

// store replaces the readers. mu is held.
func (s *Stream) store(list []*reader) {
	var wanted set
	followed := false
	for _, r := range list {
		wanted |= r.kinds.Load()
		followed = followed || r.sub != nil && r.kinds.Load()&^(1<<Note) != 0
	}
	s.readers.Store(&list) // before wanted: who sees a kind wanted finds the readers
	s.wanted.Store(wanted)
	s.followed.Store(followed)
}
