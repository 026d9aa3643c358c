package selection

import (
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Intervals for checking what other processes log: lookSeldom is the maximum after failures.
const (
	lookEvery  = 2 * time.Second
	lookSeldom = time.Minute
)

// follower learns the calls that other processes write to the same log, with a short delay.
type follower struct {
	l    *Learner
	at   usage.Position
	next *time.Timer
	wait time.Duration

	unread bool // the earlier log could not be read
}

// newFollower starts at the current end of the log: the part before that is read as a whole.
func newFollower(l *Learner) *follower {
	f := &follower{l: l, at: usage.Position{}, wait: lookEvery, next: time.NewTimer(lookEvery)}
	f.scheduleNext(l.from.Since(l.life, f.at, nil))
	return f
}

func (f *follower) readNew() {
	if f.unread {
		err := f.l.from.Since(f.l.life, f.at, nil)
		if f.unread = err != nil; !f.unread {
			f.l.relearn()
		}
		f.scheduleNext(err)
		return
	}
	f.scheduleNext(f.l.from.Since(f.l.life, f.at, func(s usage.Session, calls []usage.Call) error { return f.l.observe(f.l.known, s, calls) }))
}

// scheduleNext schedules the next check. An unavailable log is reported by its writer.
func (f *follower) scheduleNext(err error) {
	f.wait = min(2*f.wait, lookSeldom)
	if err == nil {
		f.wait = lookEvery
	}
	f.next.Reset(f.wait)
}
