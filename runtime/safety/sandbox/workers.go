package sandbox

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// grace is how long a finished context waits for workers that may hang in the file system. The promise to return within
// 100 ms of a cancellation depends on it.
const grace = 40 * time.Millisecond

// workerGroup is a fixed number of goroutines that work on one root.
type workerGroup struct {
	core *core
	size int
	left chan struct{} // receives one value from each worker that ended

	mu    sync.Mutex
	panic any // of a worker, to be raised again in the caller's goroutine
}

// workerCount returns the number of workers: want, or one per processor for 0. More than 16 only cause more seeks.
func workerCount(want int) int {
	if want <= 0 {
		want = runtime.GOMAXPROCS(0)
	}
	return min(want, 16)
}

func startWorkers(c *core, size int, work func(worker int)) *workerGroup {
	w := &workerGroup{core: c, size: size, left: make(chan struct{}, size)}
	for i := range size {
		go func() {
			defer func() { w.left <- struct{}{} }()
			defer func() {
				if p := recover(); p != nil {
					w.mu.Lock()
					w.panic = p
					w.mu.Unlock()
				}
			}()
			work(i)
		}()
	}
	return w
}

// wait returns when all workers have ended, or shortly after ctx has. Abandoned workers keep the root's descriptor open
// until they end; ok is false then.
func (w *workerGroup) wait(ctx context.Context) (ok bool) {
	ended := 0
	for done := ctx.Done(); ended < w.size; {
		select {
		case <-w.left:
			ended++
		case <-done:
			done = nil
			if ended += w.waitBriefly(w.size - ended); ended < w.size {
				w.abandonWorkers(w.size - ended)
				return false
			}
		}
	}
	w.raisePanic()
	return true
}

// raisePanic repeats a worker's panic in the caller's goroutine, where a recover may be waiting for it.
func (w *workerGroup) raisePanic() {
	w.mu.Lock()
	p := w.panic
	w.mu.Unlock()
	if p != nil {
		panic(p)
	}
}

// waitBriefly waits a moment for n workers and returns how many ended.
func (w *workerGroup) waitBriefly(n int) int {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for came := range n {
		select {
		case <-w.left:
		case <-timer.C:
			return came
		}
	}
	return n
}

// abandonWorkers keeps the root open for workers that hang, and counts them as stuck until they end.
func (w *workerGroup) abandonWorkers(n int) {
	w.core.hold()
	w.core.stuck.Add(int32(n))
	go func() {
		defer w.core.release()
		for range n {
			<-w.left
			w.core.stuck.Add(-1)
		}
	}()
}
