package model

import (
	"context"
	"errors"
)

// Chain is a model with those that are tried in turn when it does not answer.
type Chain struct {
	Limiters []*Limiter
}

// Try calls ask for one limiter after the other until one succeeds. It goes on
// only after what another server may do better: time that is over is over for
// all, and what cannot be said at all cannot be said to the next. The error is
// that of the first.
func (l *Chain) Try(ctx context.Context, ask func(*Limiter) error) error {
	var first error
	for _, g := range l.Limiters {
		err := ask(g)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
		if ctx.Err() != nil || !another(err) {
			break
		}
	}
	return first
}

func another(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Kind != Unrecorded
}
