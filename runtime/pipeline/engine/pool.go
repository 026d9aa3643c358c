package engine

import (
	"context"
	"sync/atomic"
)

// ErrBusy refuses a request at once when the pool and its queue are full.
var ErrBusy error = &busyError{}

type busyError struct{}

func (*busyError) Error() string {
	return "all workers are busy and the queue is full; try again in a moment, or raise pool.workers or pool.queue"
}

// Code is POOL_FULL.
func (*busyError) Code() string { return "POOL_FULL" }

// Pool is the server's fixed set of workers. Requests are admitted while
// there are fewer than workers+queue under way, or they need no worker; each of their roles and
// builtins takes one worker while it runs. Stages that run a pipeline hold no
// worker, so that a nested graph cannot wait for itself.
type Pool struct {
	workers int
	slots   chan struct{}
	room    int64
	inside  atomic.Int64
}

// NewPool makes a pool; fewer than one worker means one.
func NewPool(workers, queue int) *Pool {
	workers = max(workers, 1)
	return &Pool{workers: workers, slots: make(chan struct{}, workers), room: int64(workers + max(queue, 0))}
}

// admit lets a request in or refuses it without waiting.
func (p *Pool) admit() (release func(), err error) {
	if p.inside.Add(1) > p.room {
		p.inside.Add(-1)
		return nil, ErrBusy
	}
	return func() { p.inside.Add(-1) }, nil
}

// work runs fn on a worker, or returns the context's error when none came
// free in time.
func (p *Pool) work(ctx context.Context, fn func()) error {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-p.slots }()
	fn()
	return nil
}

// tasks bounds how many leaves of one request run at once. A nil tasks does
// not bound.
type tasks chan struct{}

func newTasks(n int) tasks {
	if n <= 0 {
		return nil
	}
	return make(tasks, n)
}

func (t tasks) do(ctx context.Context, fn func() error) error {
	if t == nil {
		return fn()
	}
	select {
	case t <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-t }()
	return fn()
}
