package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// How long a server that could not be used is left alone.
const (
	restAway    = time.Second      // it may be back any moment
	restRefused = 10 * time.Second // a person has to act
)

// gate keeps callers from waiting for a server that is away: after a failure, one
// caller at a time tries it, and all others get the same failure at once.
type gate struct {
	mu      sync.Mutex
	failure error // nil: it works
	until   time.Time
	trying  bool
	answers uint64 // number of answered uses
}

// checkOpen returns the number of answered uses, or the failure while the gate is closed.
func (g *gate) checkOpen(now time.Time) (answered uint64, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.answers, g.closedError(now)
}

func (g *gate) closedError(now time.Time) error {
	if g.failure != nil && (g.trying || now.Before(g.until)) {
		return g.failure
	}
	return nil
}

// admitUse admits a use, or returns the failure while the gate is closed.
func (g *gate) admitUse(now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.closedError(now); err != nil {
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

// leave ends a use that pass admitted.
func (g *gate) leave(now time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.trying = false
	g.recordOutcome(now, err)
}

// fail records the failure of a use that could not begin.
func (g *gate) fail(now time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.recordOutcome(now, err)
}

func (g *gate) recordOutcome(now time.Time, err error) {
	rest := restAway
	switch {
	case errors.Is(err, ErrSlow), errors.Is(err, context.Canceled): // says nothing about the server
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
