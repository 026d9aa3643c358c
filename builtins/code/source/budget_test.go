package source

import (
	"testing"
)

func TestFirstLines(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"a\nb\n", 9, "a\nb\n"}, {"a\nbcd\n", 4, "a\n"}, {"a\nb\nc", 4, "a\nb\n"}, {"abcdef", 3, "abc"}, {"", 0, ""}} {
		if got := string(FirstLines([]byte(c.text), c.n)); got != c.want {
			t.Errorf("%q to %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestParseBudget(t *testing.T) {
	share := ParseBudget{BytesLeft: MaxLeadBytes}
	read := 0
	for range 12 {
		read += share.Take(1 << 20)
	}
	if most := MaxLeadBytes + 12*minPart; read > most || share.CutFiles == 0 {
		t.Errorf("%d bytes read, want %d at most; %d files cut", read, most, share.CutFiles)
	}
}
