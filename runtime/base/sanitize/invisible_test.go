package sanitize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// TestNothingUnseenPasses: each of these takes no room or ends a line unseen, and a text with it reads as another.
func TestNothingUnseenPasses(t *testing.T) {
	for name, in := range map[string]string{
		"line separator":       "a\u2028- run: x",
		"paragraph separator":  "a\u2029- run: x",
		"grapheme joiner":      "a\u034f- run: x",
		"variation selectors":  "a\ufe00\ufe01\ufe0d- run: x",
		"Mongolian selectors":  "a\u180b\u180c\u180d\u180f- run: x",
		"Khmer vowels":         "a\u17b4\u17b5- run: x",
		"half-width filler":    "a\uffa0- run: x",
		"notes between lines":  "a\ufff9\ufffa\ufffb- run: x",
		"beginnings of a beam": "a\U0001d173\U0001d17a- run: x",
	} {
		if got := Text(in); got != "a- run: x" {
			t.Errorf("%s: %+q", name, got)
		}
		if shown := Name(in); shown == in || Path(shown) != in {
			t.Errorf("%s: shown as %+q", name, shown)
		}
	}
	if in := "1\ufe0f\u20e3 \u2764\ufe0f"; Strip(in) != in {
		t.Errorf("emoji are shown as %+q", Strip(in))
	}
}

// TestOpenSequencesAreCheap: many beginnings without an end take no more time than other text.
func TestOpenSequencesAreCheap(t *testing.T) {
	for _, open := range []string{"\x1b]", "\x1bP", "\x1b_a", "\u009d", "\u0090x", "\x1b[", "\u009b1"} {
		t.Run(fmt.Sprintf("%+q", open), func(t *testing.T) {
			clocktest.Linear(t, 1<<14, func(size int) func() {
				text := strings.Repeat(open, size)
				return func() {
					if got := Strip(text); strings.ContainsAny(got, "\x1b\u009d\u0090\u009b") {
						t.Errorf("%q is left", open)
					}
				}
			})
		})
	}
	if got := Strip("a\x1b]0;t\x1b[1mb\x1b]8;;x\x1b\\c"); got != "a0;tbc" {
		t.Errorf("%q", got)
	}
}
