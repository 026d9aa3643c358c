package selection

import (
	"context"
	"errors"
	"reflect"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Relearn forgets all and learns anew what is kept now. It returns when that is done:
// what was deleted is known no more. Where nothing is kept beyond this process, that is
// all that it knows, and stays.
func (l *Learner) Relearn(ctx context.Context) error {
	if !l.started.Load() {
		return nil // nothing was learnt yet
	}
	done := make(chan struct{})
	select {
	case l.again <- done:
	case <-ctx.Done():
		return ctx.Err()
	case <-l.life.Done():
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.life.Done():
		return nil
	}
}

// relearn takes what is kept in the place of what is known. Calls that wait are kept by
// then, or were deleted.
func (l *Learner) relearn() {
	waiting := make([]heard, len(l.calls))
	for i := range waiting {
		waiting[i] = <-l.calls
	}
	fresh := l.nothing()
	err := l.learn(fresh)
	l.mu.Lock()
	if err != nil {
		for _, h := range waiting {
			l.known.observe(h.session, h.call, l.opt.Now())
		}
	}
	switch {
	case errors.Is(err, usage.ErrUnkept):
		l.known.relearnt(fresh.how)
	case err == nil:
		l.known = fresh
	}
	l.mu.Unlock()
	if err != nil && !errors.Is(err, usage.ErrUnkept) && l.life.Err() == nil {
		l.opt.Say("what sessions used cannot be read again, so lists of tools go by what was known: " + err.Error())
	}
	l.forgetFirsts()
}

// otherwise reports whether what is known was learnt by other rules than are said now.
func (l *Learner) otherwise() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return !reflect.DeepEqual(l.known.how, l.opt.Learning())
}
