package usage

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// moments is the time format of messages: it distinguishes calls within one second.
const moments = "2006-01-02 15:04:05.000"

// processID identifies this process to others on its machine only: the digest requires the log's key.
func (t *Tracker) processID() string {
	return t.machineID() + "/" + strconv.Itoa(os.Getpid())
}

func (t *Tracker) machineID() string { return t.digest([]byte("machine " + machine())) }

// gone reports whether a run was a process of this machine that no longer exists. A reused
// process number hides that; then the silence of the run reveals it.
func (t *Tracker) gone(r Run) bool {
	machine, number, ok := strings.Cut(r.Process, "/")
	pid, err := strconv.Atoi(number)
	return ok && err == nil && machine != "" && machine == t.machineID() && !exists(pid)
}

// tellKilled reports which runs were killed, when the log is opened and periodically
// afterwards: a run that was just killed on another machine is at first only silent.
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
	}) // on failure it is tried again later
	for _, k := range list {
		t.opt.Say(k.String())
	}
}

// String describes what is kept of the run, and what is not.
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
