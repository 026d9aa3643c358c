package upstream

import (
	"slices"
	"sync"
	"time"
)

// Starts limits how many programs start at the same time: if many load at once on few cores, all exceed their time.
// Starts that a caller waits for go first, the others in order of request. A nil Starts has no limit.
//
// A turn is for the work of a start. A program that does none, because it hangs or waits for the network, loses its
// turn and continues to start.
type Starts struct {
	mu    sync.Mutex
	limit int // 0: no limit
	going int
	queue []*startSlot
}

// When a starting program counts as idle.
const (
	lookAfter  = time.Second           // interval between checks of its work
	minWork    = 50 * time.Millisecond // processor time between two checks
	idleLooks  = 3                     // consecutive checks with less
	blindLooks = 5                     // checks if its work cannot be measured
)

// startSlot is one start, queued or under way.
type startSlot struct {
	of     *Starts
	ready  chan struct{} // closed when it may begin
	urgent bool
	begun  bool
	over   bool
}

// Limit sets how many may start at the same time; 0 means no limit.
func (q *Starts) Limit(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.limit = n
	q.next()
}

// enter queues a start.
func (q *Starts) enter(urgent bool) *startSlot {
	t := &startSlot{of: q, ready: make(chan struct{}), urgent: urgent}
	if q == nil {
		close(t.ready)
		return t
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.queue = append(q.queue, t)
	q.next()
	return t
}

// next lets starts begin while there is room. The caller holds mu.
func (q *Starts) next() {
	for len(q.queue) > 0 && (q.limit <= 0 || q.going < q.limit) {
		i := max(0, slices.IndexFunc(q.queue, func(t *startSlot) bool { return t.urgent }))
		t := q.queue[i]
		q.queue = slices.Delete(q.queue, i, i+1)
		q.going++
		t.begun = true
		close(t.ready)
	}
}

// hurry marks a start that a caller waits for.
func (t *startSlot) hurry() {
	if t.of == nil {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.urgent = true
}

// leave makes room for the next start. It may be called again.
func (t *startSlot) leave() {
	if t.of == nil {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	if t.over {
		return
	}
	t.over = true
	if t.begun {
		t.of.going--
	} else {
		t.of.queue = slices.DeleteFunc(t.of.queue, func(o *startSlot) bool { return o == t })
	}
	t.of.next()
}

// Worker is a Program that reports the processor time used by it and all it started; false if that is unknown.
type Worker interface {
	Worked() (time.Duration, bool)
}

// watch ends the turn of a start that is idle, or that takes longer than most. It returns when the start is over.
func (t *startSlot) watch(over <-chan struct{}, program func() Program, most time.Duration) {
	tick := time.NewTicker(lookAfter)
	defer tick.Stop()
	defer t.leave()
	late := time.NewTimer(most)
	defer late.Stop()
	var work watchedWork
	for {
		select {
		case <-over:
			return
		case <-late.C:
			return
		case <-tick.C:
		}
		if work.isIdle(program()) {
			return
		}
	}
}

// watchedWork records the observed work of a program.
type watchedWork struct {
	used        time.Duration
	idle, blind int // checks
}

// isIdle checks a program and reports whether it has been idle for too long.
func (w *watchedWork) isIdle(p Program) bool {
	worker, ok := p.(Worker)
	if ok {
		var used time.Duration
		if used, ok = worker.Worked(); ok {
			if used-w.used >= minWork {
				w.idle = -1
			}
			w.used = used
			w.idle++
		}
	}
	if !ok {
		w.blind++
	}
	return w.idle >= idleLooks || w.blind >= blindLooks
}
