package upstream

import (
	"slices"
	"sync"
	"time"
)

// Starts bounds how many programs start at the same time: many that load at once on few cores all take longer than they
// may. Those that somebody waits for come first, the others in the order of their asking. nil bounds nothing.
//
// A turn is for the work of a start. A program that does none, because it hangs or waits for the network, loses its turn
// and goes on starting.
type Starts struct {
	mu    sync.Mutex
	limit int // 0: no bound
	going int
	queue []*turn
}

// When a program that starts counts as doing nothing.
const (
	lookAfter  = time.Second           // between two looks at its work
	minWork    = 50 * time.Millisecond // of a processor's time between two looks
	idleLooks  = 3                     // in a row with less
	blindLooks = 5                     // where its work cannot be seen
)

// turn is one start in the queue, or let go.
type turn struct {
	of     *Starts
	ready  chan struct{} // closed when it may begin
	urgent bool
	begun  bool
	over   bool
}

// Limit sets how many may start at the same time; 0 is any number.
func (q *Starts) Limit(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.limit = n
	q.next()
}

// enter queues up.
func (q *Starts) enter(urgent bool) *turn {
	t := &turn{of: q, ready: make(chan struct{}), urgent: urgent}
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

// next lets those begin for whom there is room. mu is held.
func (q *Starts) next() {
	for len(q.queue) > 0 && (q.limit <= 0 || q.going < q.limit) {
		i := max(0, slices.IndexFunc(q.queue, func(t *turn) bool { return t.urgent }))
		t := q.queue[i]
		q.queue = slices.Delete(q.queue, i, i+1)
		q.going++
		t.begun = true
		close(t.ready)
	}
}

// hurry says that somebody waits for it.
func (t *turn) hurry() {
	if t.of == nil {
		return
	}
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.urgent = true
}

// leave makes room for the next. It may be called again.
func (t *turn) leave() {
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
		t.of.queue = slices.DeleteFunc(t.of.queue, func(o *turn) bool { return o == t })
	}
	t.of.next()
}

// Worker is a Program that says how much processor time it has used, with all it started; false where that cannot be seen.
type Worker interface {
	Worked() (time.Duration, bool)
}

// watch takes the turn from a start that does nothing, or that takes longer than most. It returns when the start is over.
func (t *turn) watch(over <-chan struct{}, program func() Program, most time.Duration) {
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
		if work.rests(program()) {
			return
		}
	}
}

// watchedWork is what was seen of a program's work so far.
type watchedWork struct {
	used        time.Duration
	idle, blind int // looks
}

// rests looks at a program and reports whether it has done nothing for long.
func (w *watchedWork) rests(p Program) bool {
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
