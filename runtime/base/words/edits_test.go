package words

import (
	"strings"
	"testing"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		most, want int
	}{
		{"", "", 2, 0}, {"pool", "pool", 2, 0}, {"pool", "poll", 2, 1}, {"pool", "spool", 2, 1}, {"pool", "", 4, 4},
		{"pool", "opol", 2, 1}, {"kitten", "sitting", 3, 3}, {"kitten", "sitting", 2, 3}, {"abcdef", "uvwxyz", 2, 3},
		{"größe", "grosse", 9, 3}, {"größe", "größn", 0, 1}, {"日本", "日木", 1, 1}, {"pool", "poll", 0, 1}, {"a", "a", -1, 0},
		{strings.Repeat("ab", 50), strings.Repeat("ab", 49) + "ba", 3, 1},
	} {
		if got := Edits(c.a, c.b, c.most); got != c.want {
			t.Errorf("Edits(%q, %q, %d) = %d, want %d", c.a, c.b, c.most, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates []string
		most       int
		want       string
	}{
		{"explorr", []string{"writer", "explorer"}, 2, "explorer"},
		{"roels", []string{"roots", "roles"}, 2, "roles"},
		{"on-error", []string{"needs", "On_Error"}, 0, "On_Error"},
		{"same", []string{"same", "sane"}, 1, "sane"},
		{"bat", []string{"cat", "hat"}, 1, "cat"},
		{"cat", []string{"dog"}, 2, ""},
		{"", []string{"a"}, 0, ""},
		{strings.Repeat("a", 65), []string{strings.Repeat("a", 64)}, 3, ""},
	} {
		if got := Nearest(c.name, c.candidates, c.most); got != c.want {
			t.Errorf("Nearest(%q, %q, %d) = %q, want %q", c.name, c.candidates, c.most, got, c.want)
		}
	}
}

// FuzzEdits: a distance is the same both ways and for each limit, at most the
// longer length and at least the difference of the lengths.
func FuzzEdits(f *testing.F) {
	f.Add("kitten", "sitting", 2)
	f.Add("größe", "grosse", 0)
	f.Add("ab", "ba", 9)
	f.Fuzz(func(t *testing.T, a, b string, most int) {
		if len(a) > 200 || len(b) > 200 || most < 0 || most > 400 {
			return
		}
		all := Edits(a, b, 400)
		if got := Edits(b, a, 400); got != all {
			t.Errorf("%q to %q is %d, back %d", a, b, all, got)
		}
		if got := Edits(a, b, most); got != min(all, most+1) {
			t.Errorf("%q to %q is %d, with at most %d it is %d", a, b, all, most, got)
		}
		x, y := len([]rune(a)), len([]rune(b))
		if all > max(x, y) || all < x-y || all < y-x {
			t.Errorf("%q to %q is %d", a, b, all)
		}
	})
}
