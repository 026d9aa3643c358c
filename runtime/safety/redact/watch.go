package redact

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Each text gets a bounded amount of work, so that the same text always has the same outcome. A unit is about the cost
// of one byte in a regular expression, some 30 ns: the limits mean at most 100 ms for each 100 KB, and two seconds in
// all. Source code and data need a tenth of that at most. The clock is the last resort, only for a text that has proved
// heavy: a busy machine must not make a light one disappear.
const (
	workBase    = 4 << 20
	workPerByte = 24
	workMax     = 64 << 20
	workHeavy   = 12 << 20
	checkEvery  = 256 << 10 // units of work between looks at the clock
	lookEvery   = 16 << 10  // units of work between checks of a value's context
	tickEvery   = 256 << 10 // and bytes of anything that is not work
	valueShare  = 8         // factor by which the work for a JSON value may exceed that for one text of its size
)

// hardStop is how long the clock allows for a heavy text. It is a variable for tests.
var hardStop = 2 * time.Second

// watch is the budget of one text.
type watch struct {
	left, check int       // units
	stop        time.Time // zero until work is spent: most texts are short and need none
	late        bool
	value       *meter // of the JSON value that contains the text; nil for a text on its own

	decoding bool // the current text is decoded base64 of another
}

func newWatch(size int) *watch {
	return &watch{left: min(workBase+workPerByte*size, workMax), check: workHeavy}
}

func (w *watch) spend(n int) {
	if w.stop.IsZero() {
		w.stop = time.Now().Add(hardStop)
	}
	if w.value != nil {
		w.value.spend(n)
	}
	w.left -= n
	if w.check -= n; w.check < 0 {
		w.check = checkEvery
		w.late = w.late || time.Now().After(w.stop)
	}
}

// spendSteps spends the work of a user rule of the given steps that is run over n bytes. The budget is charged for the
// usual case, a few active steps per byte; the clock is checked as if all steps were.
func (w *watch) spendSteps(n, steps int) {
	w.check -= n * steps
	w.spend(n * (usualUnits + steps/stepsPerUnit))
}

const (
	usualUnits   = 3
	stepsPerUnit = 16
	matchUnits   = 64 // the cost of a match of a user rule: there may be one at each byte
	visitUnits   = 2  // and of one of its keywords
)

func (w *watch) isOver() bool {
	return w.late || w.left < 0 || w.value != nil && w.value.err != nil
}

// meter is the budget of a JSON value: its strings are searched one by one, and each would have its own budget. It ends
// early with the context of the call that the value is for.
type meter struct {
	ctx         context.Context
	left, check int   // units
	ticks       int   // bytes until the context is checked
	err         error // why the value is withheld
}

var errTooMuch = errors.New("too much work to search for secrets")

func newMeter(ctx context.Context, size int) *meter {
	m := &meter{ctx: ctx, left: valueShare * newWatch(size).left, check: lookEvery, ticks: tickEvery}
	m.checkContext()
	return m
}

// watch returns the budget of one text of the value.
func (m *meter) watch(size int) *watch {
	m.checkContext()
	w := newWatch(size)
	w.value = m
	return w
}

func (m *meter) spend(n int) {
	if m.left -= n; m.left < 0 {
		m.fail(errTooMuch)
	}
	if m.check -= n; m.check < 0 {
		m.check = lookEvery
		m.checkContext()
	}
}

// tick counts n bytes that were read or copied, which costs about a nanosecond per byte and is not part of the budget.
// It reports whether the search is over. For a nil meter it never is.
func (m *meter) tick(n int) (over bool) {
	if m == nil {
		return false
	}
	if m.ticks -= n; m.ticks < 0 {
		m.ticks = tickEvery
		m.checkContext()
	}
	return m.err != nil
}

// Work in ticks: the cost of one value, or one place, in addition to its bytes.
const (
	placeTicks = 128
	formsTicks = 8 << 10 // to write a value in all notations
)

// checkContext fails the value if the context has ended.
func (m *meter) checkContext() {
	if err := m.ctx.Err(); err != nil {
		m.fail(fmt.Errorf("stopped before all was searched for secrets: %w", err))
	}
}

func (m *meter) fail(err error) {
	if m.err == nil {
		m.err = err
	}
}

// withheldID names the span of a text that was withheld as a whole.
const withheldID = "withheld"

// withholdText claims an entire text that could not be searched within its budget.
func withholdText(text string) []span {
	return []span{{0, len(text), &detector{id: withheldID, mask: withheldNotice(len(text), errTooMuch)}}}
}

// withheldNotice returns the text that replaces a withheld text and says why.
func withheldNotice(size int, why error) string {
	return fmt.Sprintf("%s (%d bytes: %v)", markFor(withheldID), size, why)
}
