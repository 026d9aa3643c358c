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

// look returns how many uses were answered so far, or the failure that keeps others out now.
func (g *gate) look(now time.Time) (answered uint64, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.answers, g.closed(now)
}

func (g *gate) closed(now time.Time) error {
	if g.failure != nil && (g.trying || now.Before(g.until)) {
		return g.failure
	}
	return nil
}

// pass lets a use through.
func (g *gate) pass(now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.closed(now); err != nil {
		return err
	}
	g.trying = g.failure != nil
	return nil
}

// isSilent reports whether no use was answered since a look.
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
	g.judge(now, err)
}

// fail keeps others out after a use that could not even begin.
func (g *gate) fail(now time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.judge(now, err)
}

func (g *gate) judge(now time.Time, err error) {
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
