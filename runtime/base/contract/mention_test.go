package contract

import "testing"

func TestMentions(t *testing.T) {
	for text, want := range map[string]bool{
		"`A` (a.go:1) does":       true,
		"it is in a.go:1.":        true,
		"a.go:1: it is":           true,
		"called from a.go:1, b":   true,
		"a.go:12":                 false,
		"a.go:1:3":                false,
		"b/a.go:1":                false,
		"data.go:1 and then":      false,
		"data.go:1, but a.go:1 t": true,
		"":                        false,
	} {
		if got := Mentions(text, "a.go:1"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if Mentions("see README.md:4", "README.md") || !Mentions("see README.md", "README.md") || Mentions("x", "") {
		t.Error("a file is not a line of it")
	}
}
