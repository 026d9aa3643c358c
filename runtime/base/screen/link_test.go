package screen

import (
	"bytes"
	"testing"
)

func TestLinks(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"TERM": "xterm-256color"}, false},
		{map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "6800"}, true},
		{map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "4205"}, false},
		{map[string]string{"TERM": "xterm-kitty"}, true},
		{map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, true},
		{map[string]string{"TERM": "screen-256color", "VTE_VERSION": "6800"}, false},
		{map[string]string{"TERM": "xterm-kitty", "TMUX": "/tmp/x"}, false},
		{map[string]string{"TERM": "xterm-kitty", "FORCE_HYPERLINK": "0"}, false},
		{map[string]string{"TERM": "xterm", "FORCE_HYPERLINK": "1"}, true},
		{map[string]string{"TERM": "dumb", "WT_SESSION": "1"}, false},
	} {
		get := func(name string) string { return c.env[name] }
		if got := Links(get, true); got != c.want {
			t.Errorf("%v: %v", c.env, got)
		}
		if Links(get, false) {
			t.Errorf("%v: links in a pipe", c.env)
		}
	}
}

// A link takes no columns, and what could steer the terminal makes none.
func TestPlacesAreLinks(t *testing.T) {
	for _, c := range []struct {
		colour bool
		target string
		want   string
	}{
		{true, "file:///a", "one \x1b]8;;file:///a\x1b\\\x1b[36ma.go:12\x1b[0m\x1b]8;;\x1b\\\ntwo\n"},
		{false, "file:///a", "one \x1b]8;;file:///a\x1b\\a.go:12\x1b]8;;\x1b\\\ntwo\n"},
		{true, "", "one \x1b[36ma.go:12\x1b[0m\ntwo\n"},
		{false, "file:///a\x1b\\", "one a.go:12\ntwo\n"},
	} {
		var b bytes.Buffer
		w := NewWrapper(&b, 12, c.colour)
		w.SetLinks(func(place string) string {
			if place != "a.go:12" {
				t.Errorf("asked for %q", place)
			}
			return c.target
		})
		_, _ = w.Write([]byte("one "))
		_ = w.Paint(Place, "a.go:12")
		_, _ = w.Write([]byte(" two\n"))
		if b.String() != c.want {
			t.Errorf("%q, want %q", b.String(), c.want)
		}
	}
}
