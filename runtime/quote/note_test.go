package quote

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/clocktest"
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

func TestUnmarkedIsLinear(t *testing.T) {
	clocktest.Linear(t, 1<<14, func(size int) func() {
		text := strings.Repeat("\n \n", size) + strings.Repeat("[compactor", size)
		return func() { Unmarked(text) }
	})
}
