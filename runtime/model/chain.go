package model

import (
	"context"
	"errors"
)

// Chain is a model with its fallbacks, which are tried in turn if it does not answer.
type Chain struct {
	Limiters []*Limiter
}

// Try calls ask for one limiter after the other until one succeeds. It continues only
// after an error that another server may avoid: an expired context ends it for all, and
// so does a request that cannot be sent at all or that a replay does not have. It
// returns the first error.
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
		if ctx.Err() != nil || !tryNext(err) {
			break
		}
	}
	return first
}

func tryNext(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	return e.Kind != Unrecorded
}
