package selection

import (
	"context"
	"errors"
	"reflect"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Relearn forgets everything and learns the current log. It returns when that is done: deleted sessions are no longer
// known. If nothing is stored beyond this process, its own knowledge is all there is, and is kept.
func (l *Learner) Relearn(ctx context.Context) error {
	if !l.started.Load() {
		return nil // nothing was learned yet
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

// relearn replaces the learned state with the contents of the log. Queued calls are in the log by then, or were
// deleted.
func (l *Learner) relearn() {
	waiting := make([]heard, len(l.calls))
	for i := range waiting {
		waiting[i] = <-l.calls
	}
	fresh := l.emptyKnown()
	err := l.readLog(fresh)
	l.mu.Lock()
	if err != nil {
		for _, h := range waiting {
			l.known.observe(h.session, h.call, l.opt.Now())
		}
	}
	switch {
	case errors.Is(err, usage.ErrUnkept):
		l.known.applySettings(fresh.how)
	case err == nil:
		l.known = fresh
	}
	l.mu.Unlock()
	if err != nil && !errors.Is(err, usage.ErrUnkept) && l.life.Err() == nil {
		l.opt.Say("what sessions used cannot be read again, so lists of tools go by what was known: " + err.Error())
	}
	l.forgetFirsts()
}

// settingsChanged reports whether the settings have changed since learning.
func (l *Learner) settingsChanged() bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return !reflect.DeepEqual(l.known.how, l.opt.Learning())
}
