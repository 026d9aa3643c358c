package redact

import (
	"fmt"
	"time"
)

// A text gets a bounded amount of work, so that the same text always has the same outcome. A unit is about what one byte
// costs in a regular expression, some 30 ns: the sum stands for at most 100 ms in each 100 KB, and two seconds in all.
// Source code and data need a tenth of it at most. The clock is the last stop, for a text that has proved heavy only: a
// busy machine must not make a light one disappear.
const (
	workBase    = 4 << 20
	workPerByte = 24
	workMax     = 64 << 20
	workHeavy   = 12 << 20
	checkEvery  = 256 << 10 // look at the clock after so much work
)

// hardStop is how long the clock gives a heavy text. It is a variable for tests.
var hardStop = 2 * time.Second

// watch is the budget of one text.
type watch struct {
	left, check int       // units
	stop        time.Time // zero until work is spent: most texts are short and ask for none
	late        bool

	decoding bool // the text at hand was base64 in another
}

func newWatch(size int) *watch {
	return &watch{left: min(workBase+workPerByte*size, workMax), check: workHeavy}
}

func (w *watch) spend(n int) {
	if w.stop.IsZero() {
		w.stop = time.Now().Add(hardStop)
	}
	w.left -= n
	if w.check -= n; w.check < 0 {
		w.check = checkEvery
		w.late = w.late || time.Now().After(w.stop)
	}
}

// charge is spend for a user rule of so many steps that is run over n bytes. The budget pays for what is usual, a few
// steps at work at each byte; the clock is looked at as if all of them were.
func (w *watch) charge(n, steps int) {
	w.check -= n * steps
	w.spend(n * (usualUnits + steps/stepsPerUnit))
}

const (
	usualUnits   = 3
	stepsPerUnit = 16
	matchUnits   = 64 // what a match of a user rule counts as: there may be one at each byte
	visitUnits   = 2  // and a keyword of one
)

func (w *watch) over() bool { return w.late || w.left < 0 }

// withheldID names the span of a text that was withheld whole.
const withheldID = "withheld"

// withheld claims a whole text that could not be searched within its budget.
func withheld(text string) []span {
	notice := fmt.Sprintf("%s (%d bytes: too much work to search for secrets)", placeholder(withheldID), len(text))
	return []span{{0, len(text), &detector{id: withheldID, mask: notice}}}
}
