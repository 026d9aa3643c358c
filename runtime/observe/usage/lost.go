package usage

import (
	"fmt"
	"time"
)

// gap describes calls that were never written.
type gap struct {
	calls    int
	from, to time.Time
}

// addCall counts a call.
func (g *gap) addCall(c Call) {
	if g.calls++; g.from.IsZero() || c.At.Before(g.from) {
		g.from = c.At
	}
	if c.At.After(g.to) {
		g.to = c.At
	}
}

func (g gap) String() string {
	return fmt.Sprintf("%d calls, of %s to %s, are missing from what is learnt", g.calls, g.from.UTC().Format(moments), g.to.UTC().Format(moments))
}

// countLost counts a call that is never written. mu is held.
func (t *Tracker) countLost(c Call) {
	t.lost++
	t.unsaid.addCall(c)
}

// takeLost returns and resets the losses not reported yet.
func (t *Tracker) takeLost() gap {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.unsaid
	t.unsaid = gap{}
	return g
}

// tellLost reports calls that were never written although the log was writable. While it
// is not, they accumulate.
func (t *Tracker) tellLost() {
	if g := t.takeLost(); g.calls > 0 {
		t.opt.Say("calls came faster than they could be kept: " + g.String())
	}
}

// reportFailure reports once that nothing can be written. writing is held.
func (t *Tracker) reportFailure(err error) {
	if !t.failing {
		t.since = t.opt.Now()
		t.opt.Say(fmt.Sprintf("the use of tools cannot be kept for now, and waits: %d calls at most; ", maxWaiting) + err.Error())
	}
	t.failing = true
}

// reportRecovery reports that pending data has been written, and what had no room. writing is held.
func (t *Tracker) reportRecovery() {
	t.failing = false
	text := fmt.Sprintf("the use of tools is kept again; it could not be from %s to %s", t.since.UTC().Format(time.DateTime), t.opt.Now().UTC().Format(time.DateTime))
	if g := t.takeLost(); g.calls > 0 {
		t.opt.Say(text + ", and more came than could wait: " + g.String())
		return
	}
	t.opt.Say(text + ", and nothing is missing")
}

// giveUp reports what could not be written until the end. writing is held.
func (t *Tracker) giveUp() {
	t.mu.Lock()
	for _, c := range t.calls {
		t.countLost(c.Call)
	}
	t.calls = nil
	t.mu.Unlock()
	g := t.takeLost()
	switch {
	case g.calls == 0:
	case t.failing:
		t.opt.Say(fmt.Sprintf("the use of tools could not be kept from %s to the end: ", t.since.UTC().Format(time.DateTime)) + g.String())
	default:
		t.opt.Say("the use of tools was not kept at the end: " + g.String())
	}
}
