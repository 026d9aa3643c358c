package event_test

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

func TestTraceparent(t *testing.T) {
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	for _, c := range []struct{ name, header, want string }{
		{"version 0", "00-" + trace + "-00f067aa0ba902b7-01", trace},
		{"not sampled", "00-" + trace + "-00f067aa0ba902b7-00", trace},
		{"a later version", "cc-" + trace + "-00f067aa0ba902b7-01-what-will-be", trace},
		{"a later version, no longer", "cc-" + trace + "-00f067aa0ba902b7-01", trace},
		{"a later version without a dash", "cc-" + trace + "-00f067aa0ba902b7-01.what", ""},
		{"version 0 with more", "00-" + trace + "-00f067aa0ba902b7-01-x", ""},
		{"version ff", "ff-" + trace + "-00f067aa0ba902b7-01", ""},
		{"capitals", "00-" + strings.ToUpper(trace) + "-00f067aa0ba902b7-01", ""},
		{"no trace", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", ""},
		{"no parent", "00-" + trace + "-0000000000000000-01", ""},
		{"short", "00-" + trace, ""},
		{"nothing", "", ""},
		{"words", strings.Repeat("x", 55), ""},
	} {
		if got := event.Traceparent(c.header); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// FuzzTraceparent holds that nothing but a trace id comes out.
func FuzzTraceparent(f *testing.F) {
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x")
	f.Fuzz(func(t *testing.T, header string) {
		got := event.Traceparent(header)
		if got != "" && (len(got) != 32 || strings.Trim(got, "0123456789abcdef") != "" || strings.Trim(got, "0") == "" || header[3:35] != got) {
			t.Errorf("%q of %q", got, header)
		}
	})
}

func TestOpaque(t *testing.T) {
	a, b := event.HashID("one"), event.HashID("two")
	if a == b || a != event.HashID("one") || len(a) != 16 || event.HashID("") != "" {
		t.Errorf("%s %s", a, b)
	}
}
