package event

import (
	"context"
	"sync"
	"time"
)

// Subscription is a reader with a queue of its own. One goroutine reads it.
type Subscription struct {
	stream *Stream
	reader *reader
	size   int
	ease   time.Duration
	wake   chan struct{}
	full   chan struct{} // ends the pause of rest

	mu     sync.Mutex
	ring   []Event // grows to size
	head   int     // index of the oldest pending event
	count  int     // pending events
	queued int     // events in total that were queued
	gap    int     // lost since the newest pending event
	lost   int     // in total
	closed bool
}

// Subscribe returns a subscription to events of these kinds. At most size events are
// pending; further ones are dropped and counted. It must be closed.
func (s *Stream) Subscribe(size int, list ...Kind) *Subscription {
	sub := &Subscription{stream: s, size: max(size, 1), wake: make(chan struct{}, 1), full: make(chan struct{}, 1)}
	sub.reader = &reader{sub: sub}
	sub.reader.kinds.Store(setOf(list))
	sub.reader.begins.Store(setOf(list))
	s.add(sub.reader)
	return sub
}

// Batch makes Next pause before it reads what has arrived, so that a burst wakes the
// reader only once and costs emitters less. The pause ends early when the queue is half
// full. It must be called before the first Next.
func (s *Subscription) Batch(d time.Duration) { s.ease = d }

// Want changes the subscribed kinds.
func (s *Subscription) Want(list ...Kind) {
	s.reader.kinds.Store(setOf(list))
	s.reader.begins.Store(setOf(list))
	s.stream.recompute()
}

// Begins restricts the kinds whose Begin is delivered. By default every Begin
// is; a sink that records only how things end does not need it.
func (s *Subscription) Begins(list ...Kind) { s.reader.begins.Store(setOf(list)) }

// enqueue queues an event, or counts it as dropped.
func (s *Subscription) enqueue(e *Event) {
	s.mu.Lock()
	switch {
	case s.closed:
	case s.count == s.size:
		s.gap++
		s.lost++
	default:
		if s.count == len(s.ring) {
			s.growRing()
		}
		at := &s.ring[(s.head+s.count)%len(s.ring)]
		*at = *e
		at.Dropped, s.gap = s.gap, 0
		s.count++
		s.queued++
	}
	first, hurry := s.count == 1, s.count == (s.size+1)/2
	s.mu.Unlock()
	if first || hurry { // otherwise the reader was woken already
		wakeUp(s.wake)
	}
	if hurry {
		wakeUp(s.full)
	}
}

// growRing makes room for more. The caller holds mu.
func (s *Subscription) growRing() {
	next := make([]Event, min(max(2*len(s.ring), 16), s.size))
	n := copy(next, s.ring[s.head:])
	copy(next[n:], s.ring[:s.head])
	s.ring, s.head = next, 0
}

// wakeUp wakes the receiver of a channel, now or on its next receive.
func wakeUp(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// Next waits for the next event. It returns false if ctx ends, or if the subscription
// was closed and no event is pending.
func (s *Subscription) Next(ctx context.Context) (Event, bool) {
	for {
		if e, ok, closed := s.pop(); ok || closed {
			return e, ok
		}
		select {
		case <-s.wake:
			s.waitEase(ctx)
		case <-ctx.Done():
			return Event{}, false
		}
	}
}

// waitEase pauses for the duration set by Batch.
func (s *Subscription) waitEase(ctx context.Context) {
	if s.ease <= 0 {
		return
	}
	t := time.NewTimer(s.ease)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.full:
	case <-ctx.Done():
	}
}

// Hurry ends the pause of Batch, and returns how many events were queued until now, read or not.
func (s *Subscription) Hurry() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count > 0 {
		wakeUp(s.full)
	}
	return s.queued
}

func (s *Subscription) pop() (e Event, ok, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == 0 {
		return Event{}, false, s.closed
	}
	e, s.ring[s.head] = s.ring[s.head], Event{}
	s.head = (s.head + 1) % len(s.ring)
	s.count--
	return e, true, false
}

// Dropped returns how many events were lost in total.
func (s *Subscription) Dropped() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// Gap returns how many events were lost at the end, where no later event reports them.
func (s *Subscription) Gap() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gap
}

// Close ends the subscription. Pending events can still be read.
func (s *Subscription) Close() {
	s.stream.remove(s.reader)
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	wakeUp(s.wake)
	wakeUp(s.full)
}
