package server

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// freeBody is what each body may have beside the budget: a small message is read whoever else uses that up.
const freeBody = 32 << 10

// errCrowded refuses a body for which the budget has no room.
var errCrowded crowded

// crowded is a type for who reads bodies in other packages: see Crowded.
type crowded struct{}

func (crowded) Error() string {
	return "the messages of others that are on their way take all room: send it again in a moment, or less at a time"
}

// Crowded tells this error from those of a connection.
func (crowded) Crowded() {}

// bodies share one budget of bytes, from their arrival until their requests are answered. When it is used up the largest
// that is still arriving gives way, so that large ones which never end keep out nobody who sends less.
type bodies struct {
	mu       sync.Mutex
	changed  sync.Cond
	free     int64
	leaving  int64          // held by those that have given way and are not gone yet
	arriving map[*body]bool // those that can give way
}

func newBodies(budget int) *bodies {
	b := &bodies{free: int64(budget), arriving: map[*body]bool{}}
	b.changed.L = &b.mu
	return b
}

// body charges the budget for what of it has arrived, not for what was announced.
type body struct {
	io.ReadCloser
	of   *bodies
	rc   *http.ResponseController
	size int64
	held int64 // of the budget
	cut  bool  // it gives way, or was refused
}

// bounded charges the bodies of requests to the budget until next returns.
func (all *bodies) bounded(next http.Handler, q *quiet) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		b := &body{ReadCloser: r.Body, of: all, rc: http.NewResponseController(w)}
		r.Body = b
		defer func() {
			if all.leave(b) {
				q.begin() // a request that was never whole has taken memory too
				q.end()
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if !b.of.take(b, int64(n), err != nil) {
		return 0, errCrowded
	}
	return n, err
}

// take charges what has arrived of a body. One that has ended gives way no more.
func (all *bodies) take(b *body, n int64, ended bool) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	b.size += n
	if !b.cut {
		if need := b.size - freeBody - b.held; need > 0 && all.room(b, need) {
			all.free -= need
			b.held += need
			all.arriving[b] = true
		}
	}
	if ended {
		delete(all.arriving, b)
	}
	return !b.cut
}

// room waits for that much to be free. Where none can give way that holds more than b would, it cuts off b itself.
func (all *bodies) room(b *body, need int64) bool {
	for all.free < need && !b.cut {
		if all.free+all.leaving >= need {
			all.changed.Wait() // not for long: those that leave read no more
			continue
		}
		largest, most := b, b.held+need
		for other := range all.arriving {
			if other.held > most {
				largest, most = other, other.held
			}
		}
		all.cut(largest)
	}
	return !b.cut
}

// cut ends the reading of a body. Its request is answered at once, which gives back what it holds.
func (all *bodies) cut(b *body) {
	b.cut = true
	delete(all.arriving, b)
	all.leaving += b.held
	_ = b.rc.SetReadDeadline(time.Unix(1, 0))
	all.changed.Broadcast() // b itself may wait
}

// leave gives back what a body holds, and reports whether that was anything.
func (all *bodies) leave(b *body) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.arriving, b)
	if b.cut {
		all.leaving -= b.held
	}
	all.free += b.held
	all.changed.Broadcast()
	return b.held > 0
}
