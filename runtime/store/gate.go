package store

import (
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
}

func (g *gate) pass(now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failure == nil {
		return nil
	}
	if g.trying || now.Before(g.until) {
		return g.failure
	}
	g.trying = true
	return nil
}

// left says how a use went that was let pass.
func (g *gate) left(now time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.trying = false
	rest := restAway
	switch {
	case errors.Is(err, ErrAway), errors.Is(err, ErrCrowded):
	case errors.Is(err, ErrLogin), errors.Is(err, ErrNoDatabase), errors.Is(err, ErrUnsafe), errors.Is(err, ErrNewer), errors.Is(err, ErrForeign):
		rest = restRefused
	default: // it has answered
		g.failure = nil
		return
	}
	g.failure, g.until = err, now.Add(rest)
}
