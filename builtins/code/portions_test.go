package code

import (
	"testing"
)

func TestFirstLines(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"a\nb\n", 9, "a\nb\n"}, {"a\nbcd\n", 4, "a\n"}, {"a\nb\nc", 4, "a\nb\n"}, {"abcdef", 3, "abc"}, {"", 0, ""}} {
		if got := string(firstLines([]byte(c.text), c.n)); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestPortions(t *testing.T) {
	share := portions{room: optionBytes}
	read := 0
	for range 5 {
		read += share.take(1 << 20)
	}
	if most := optionBytes + 5*minPart; read > most || share.cut == 0 {
		t.Errorf("%d bytes read, want %d at most; %d files cut", read, most, share.cut)
	}
}
