package usage

import (
	"slices"
	"testing"
)

func TestCalledIn(t *testing.T) {
	for body, want := range map[string][]string{
		"return self.go(other)":               {"go"},
		"func send() {\n\tgo_(x, raw())\n}\n": {"send", "go_", "raw"},
		"if (ready) { run(); }":               {"run"},
		"a.b.c(d)(e)":                         {"c"},
		"x := y[z]":                           nil,
	} {
		var got []string
		for _, c := range calledIn(body) {
			got = append(got, c.name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
}
