package server

import (
	"sync"
	"time"
)

// quiet calls a function when no request has run for a while, so that resources can be released.
type quiet struct {
	after time.Duration

	mu      sync.Mutex
	running int
	timer   *time.Timer // nil: no function was set
}

// watch starts the first period.
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

// close ends the watch. No other method may be called after it.
func (q *quiet) close() {
	if q.timer != nil {
		q.timer.Stop()
	}
}
