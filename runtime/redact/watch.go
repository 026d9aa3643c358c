package redact

import (
	"fmt"
	"strings"
	"time"
)

// A text gets a bounded amount of work, counted in bytes handed to regular expressions, so that the same text always
// has the same outcome. The clock is only the last stop. The sum stands for about 50 ms in each 100 KB.
const (
	workBase    = 4 << 20
	workPerByte = 24
	hardStop    = 2 * time.Second
	checkEvery  = 256 << 10 // look at the clock after so much work
)

// watch is the budget of one text.
type watch struct {
	left, check int
	stop        time.Time
	late        bool
}

func newWatch(size int) *watch {
	return &watch{left: workBase + workPerByte*size, check: checkEvery, stop: time.Now().Add(hardStop)}
}

func (w *watch) spend(n int) {
	w.left -= n
	if w.check -= n; w.check < 0 {
		w.check = checkEvery
		w.late = w.late || time.Now().After(w.stop)
	}
}

func (w *watch) over() bool { return w.late || w.left < 0 }

// withheldID names the span of a text that was withheld whole.
const withheldID = "withheld"

// withhold replaces a whole text that could not be searched within its budget.
func withhold(text string) (string, []Span) {
	notice := fmt.Sprintf("%s (%d bytes: too much work to search for secrets)", placeholder(withheldID), len(text))
	return notice + strings.Repeat("\n", strings.Count(text, "\n")), []Span{{Rule: withheldID, End: len(text)}}
}
