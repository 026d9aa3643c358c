package usage

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// moments are written so: calls of one second are told apart.
const moments = "2006-01-02 15:04:05.000"

// process names this process to others on its machine, and to nobody else: the digest
// needs the log's key.
func (t *Tracker) process() string {
	return t.machine() + "/" + strconv.Itoa(os.Getpid())
}

func (t *Tracker) machine() string { return t.digest([]byte("machine " + machine())) }

// gone reports whether a run was a process of this machine that is there no more. A number
// that another process has by now hides that, and then the run's silence tells.
func (t *Tracker) gone(r Run) bool {
	machine, number, ok := strings.Cut(r.Process, "/")
	pid, err := strconv.Atoi(number)
	return ok && err == nil && machine != "" && machine == t.machine() && !exists(pid)
}

// tellKilled says which runs were killed, when the log was opened and now and then from
// then on: one that was killed a moment ago on another machine is silent as any other.
func (t *Tracker) tellKilled() {
	t.writing.Lock()
	defer t.writing.Unlock()
	now := t.opt.Now()
	if t.log == nil || !t.asked.IsZero() && now.Sub(t.asked) < heartbeat {
		return
	}
	t.asked = now
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	list, _ := t.log.Unended(ctx, func(r Run) bool {
		return r.ID != t.run.ID && (r.Written.Before(now.Add(-presumedDead)) || t.gone(r))
	}) // who cannot be asked now is asked again
	for _, k := range list {
		t.opt.Say(k.String())
	}
}

// String says what is kept of the run, and what is not.
func (k Killed) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "an earlier run (%s, begun %s) ended without a word: its calls until %s are kept; those after that may be missing from what is learnt: one batch, of what came in %v and while that was written, and at most %d",
		k.ID, k.Started.UTC().Format(time.DateTime), k.Written.UTC().Format(moments), writeEvery, maxWaiting)
	if len(k.Last) == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "; of its %d sessions, the last calls that are kept:", k.Sessions)
	for i, c := range k.Last {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s call %d (%s) of %s", c.Session, c.Number, c.Name(), c.At.UTC().Format(moments))
	}
	if more := k.Sessions - len(k.Last); more > 0 {
		fmt.Fprintf(&b, ", and %d sessions more", more)
	}
	return b.String()
}
