package server

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// freeBody is what each body may use in addition to the budget: small messages are read even if others use that up.
const freeBody = 32 << 10

// errCrowded rejects a body for which the budget has no room.
var errCrowded crowded

// crowded is a type so that readers of bodies in other packages can recognize it: see Crowded.
type crowded struct{}

func (crowded) Error() string {
	return "the messages of others that are on their way take all room: send it again in a moment, or less at a time"
}

// Crowded distinguishes this error from those of a connection.
func (crowded) Crowded() {}

// bodies share a budget of bytes, from their arrival until their requests are answered. When it is used up, the largest
// one still arriving is cut off, so that large bodies that never end do not block smaller ones.
type bodies struct {
	mu       sync.Mutex
	changed  sync.Cond
	free     int64
	leaving  int64          // held by bodies that were cut off and are not gone yet
	arriving map[*body]bool // bodies that can be cut off
}

func newBodies(budget int) *bodies {
	b := &bodies{free: int64(budget), arriving: map[*body]bool{}}
	b.changed.L = &b.mu
	return b
}

// body charges the budget for the bytes that have arrived, not for those announced.
type body struct {
	io.ReadCloser
	of   *bodies
	rc   *http.ResponseController
	size int64
	held int64 // bytes of the budget
	cut  bool  // it was cut off or rejected
}

// boundBodies charges request bodies to the budget until next returns.
func (all *bodies) boundBodies(next http.Handler, q *quiet) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		b := &body{ReadCloser: r.Body, of: all, rc: http.NewResponseController(w)}
		r.Body = b
		defer func() {
			if all.release(b) {
				q.begin() // an incomplete request has used memory too
				q.end()
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if !b.of.charge(b, int64(n), err != nil) {
		return 0, errCrowded
	}
	return n, err
}

// charge charges the bytes that have arrived of a body. Once it has ended it cannot be cut off any more.
func (all *bodies) charge(b *body, n int64, ended bool) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	b.size += n
	if !b.cut {
		if need := b.size - freeBody - b.held; need > 0 && all.waitForRoom(b, need) {
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

// waitForRoom waits for need bytes to be free. If no other body holds more than b would, it cuts off b itself.
func (all *bodies) waitForRoom(b *body, need int64) bool {
	for all.free < need && !b.cut {
		if all.free+all.leaving >= need {
			all.changed.Wait() // not for long: those that leave do not read any more
			continue
		}
		largest, most := b, b.held+need
		for other := range all.arriving {
			if other.held > most {
				largest, most = other, other.held
			}
		}
		all.cutOff(largest)
	}
	return !b.cut
}

// cutOff stops reading a body. Its request is then answered at once, which releases what it holds.
func (all *bodies) cutOff(b *body) {
	b.cut = true
	delete(all.arriving, b)
	all.leaving += b.held
	_ = b.rc.SetReadDeadline(time.Unix(1, 0))
	all.changed.Broadcast() // b itself may be waiting
}

// release releases what a body holds, and reports whether that was anything.
func (all *bodies) release(b *body) bool {
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
