package engine

import (
	"context"
	"sync/atomic"
)

// ErrBusy rejects a request immediately because the pool and its queue are full.
var ErrBusy error = &busyError{}

type busyError struct{}

func (*busyError) Error() string {
	return "all workers are busy and the queue is full; try again in a moment, or raise pool.workers or pool.queue"
}

// Code returns POOL_FULL.
func (*busyError) Code() string { return "POOL_FULL" }

// Pool is the server's fixed set of workers. A request is admitted if fewer than workers+queue are
// in progress, or if it needs no worker; each of its roles and builtins takes one worker while it
// runs. Stages that run a pipeline hold no worker, so that a nested graph cannot wait for itself.
type Pool struct {
	workers int
	slots   chan struct{}
	room    int64
	inside  atomic.Int64
}

// NewPool returns a pool; fewer than one worker means one.
func NewPool(workers, queue int) *Pool {
	workers = max(workers, 1)
	return &Pool{workers: workers, slots: make(chan struct{}, workers), room: int64(workers + max(queue, 0))}
}

// admit accepts a request or rejects it without waiting.
func (p *Pool) admit() (release func(), err error) {
	if p.inside.Add(1) > p.room {
		p.inside.Add(-1)
		return nil, ErrBusy
	}
	return func() { p.inside.Add(-1) }, nil
}

// work runs fn on a worker, or returns the context's error if none became free in time.
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

// tasks limits how many leaves of one request run at once. A nil tasks sets no limit.
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
