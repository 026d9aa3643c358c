package sanitize

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

func TestUnmarked(t *testing.T) {
	for in, want := range map[string]string{
		"[compactor: page 1 of 2]":                      "(compactor: page 1 of 2]",
		"a\n  [Compactor : x]\r[compactor:y]":           "a\n  (Compactor : x]\r(compactor:y]",
		"> [\u200bcompactor: x]":                        "> (\u200bcompactor: x]",
		"a\u2028[compactor: x]\u0085[COMPACTOR: x]":     "a\u2028(compactor: x]\u0085(COMPACTOR: x]",
		`const noteBegins = "[compactor: "`:             ``,
		"see [compactor](https://example.com): it is\n": ``,
		"[compactors: x]":                               ``,
	} {
		if want == "" {
			want = in
		}
		if got := Unmarked(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestUnmarkedPart(t *testing.T) {
	for _, c := range []struct {
		text string
		from int
		want string
	}{
		{"[compactor: a]", 0, "[compactor: a]"},
		{"x [compactor: a]", 1, " (compactor: a]"},
		{"x [compactor: a]\n[compactor: b]", 2, "(compactor: a]\n[compactor: b]"},
		{"x\n[compactor: a]", 2, "[compactor: a]"},
		{"x\u2028[compactor: a]", 4, "[compactor: a]"},
		{"x", 1, ""},
	} {
		if got := UnmarkedPart(c.text, c.from, len(c.text)); got != c.want {
			t.Errorf("%q from %d: %q, want %q", c.text, c.from, got, c.want)
		}
	}
}

func TestUnmarkedIsLinear(t *testing.T) {
	clocktest.Linear(t, 1<<14, func(size int) func() {
		text := strings.Repeat("\n \n", size) + strings.Repeat("[compactor", size)
		return func() { Unmarked(text) }
	})
}
