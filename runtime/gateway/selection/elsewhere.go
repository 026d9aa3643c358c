package selection

import (
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// How often it is looked for what other processes keep, and how seldom where that fails.
const (
	lookEvery  = 2 * time.Second
	lookSeldom = time.Minute
)

// follower learns the calls that other processes keep in the same log, soon after.
type follower struct {
	l    *Learner
	at   usage.Position
	next *time.Timer
	wait time.Duration

	unread bool // what was kept before could not be read
}

// newFollower begins at what is kept by now: the rest is read whole.
func newFollower(l *Learner) *follower {
	f := &follower{l: l, at: usage.Position{}, wait: lookEvery, next: time.NewTimer(lookEvery)}
	f.took(l.from.Since(l.life, f.at, nil))
	return f
}

func (f *follower) look() {
	if f.unread {
		err := f.l.from.Since(f.l.life, f.at, nil)
		if f.unread = err != nil; !f.unread {
			f.l.relearn()
		}
		f.took(err)
		return
	}
	f.took(f.l.from.Since(f.l.life, f.at, func(s usage.Session, calls []usage.Call) error { return f.l.observe(f.l.known, s, calls) }))
}

// took says when it is looked again. A log that is away is said by who writes to it.
func (f *follower) took(err error) {
	f.wait = min(2*f.wait, lookSeldom)
	if err == nil {
		f.wait = lookEvery
	}
	f.next.Reset(f.wait)
}
