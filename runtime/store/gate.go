package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// How long a server is left alone that could not be used.
const (
	restAway    = time.Second      // it may be there again any moment
	restRefused = 10 * time.Second // somebody has to do something
)

// gate keeps those who use a server from waiting for one that is away: after a failure one at a time tries it, and the
// others get the same failure at once.
type gate struct {
	mu      sync.Mutex
	failure error // nil: it works
	until   time.Time
	trying  bool
	answers uint64 // uses that the server has answered
}

// pass lets a use through, and returns how many were answered before it.
func (g *gate) pass(now time.Time) (answered uint64, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failure == nil {
		return g.answers, nil
	}
	if g.trying || now.Before(g.until) {
		return 0, g.failure
	}
	g.trying = true
	return g.answers, nil
}

// isSilent reports whether no use was answered since one passed.
func (g *gate) isSilent(answered uint64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.answers == answered
}

// leave ends a use that pass let through.
func (g *gate) leave(now time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.trying = false
	rest := restAway
	switch {
	case errors.Is(err, ErrSlow), errors.Is(err, context.Canceled): // says nothing of the server
		return
	case errors.Is(err, ErrAway), errors.Is(err, ErrCrowded):
	case errors.Is(err, ErrLogin), errors.Is(err, ErrNoDatabase), errors.Is(err, ErrUnsafe), errors.Is(err, ErrNewer), errors.Is(err, ErrForeign):
		rest = restRefused
	default:
		g.failure, g.answers = nil, g.answers+1
		return
	}
	g.failure, g.until = err, now.Add(rest)
}
