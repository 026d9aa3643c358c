package server

import (
	"sync"
	"time"
)

// quiet calls a function when no request has run for a while: what work took can then be given back.
type quiet struct {
	after time.Duration

	mu      sync.Mutex
	running int
	timer   *time.Timer // nil: nobody wants to know
}

// watch begins the first while.
func (q *quiet) watch(do func(), after time.Duration) {
	if do != nil {
		q.after, q.timer = after, time.AfterFunc(after, do)
	}
}

func (q *quiet) begin() {
	if q.timer == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running++
	q.timer.Stop()
}

func (q *quiet) end() {
	if q.timer == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running--; q.running == 0 {
		q.timer.Reset(q.after)
	}
}

// close ends the watch. It is the last call.
func (q *quiet) close() {
	if q.timer != nil {
		q.timer.Stop()
	}
}
