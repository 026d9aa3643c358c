package answer_test

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

func TestFindQuote(t *testing.T) {
	const text = "A pool keeps twelve. Short.\n\nA pool keeps twelve."
	for _, c := range []struct {
		quote string
		near  int
		want  int // -1 for none
	}{
		{"A pool keeps twelve.", 0, 0},
		{"A pool keeps twelve.", 29, 29},
		{"A pool keeps twelve.", 7, 0},
		{"Short.", -1, 21},
		{"Short.", 1 << 40, 21},
		{text, 0, 0},
		{text + ".", 0, -1},
		{"A pool keeps eleven.", 0, -1},
		{"", 0, -1},
	} {
		got, ok := answer.FindQuote(text, answer.Digest(c.quote), len(c.quote), c.near)
		if ok != (c.want >= 0) || ok && got != c.want {
			t.Errorf("%q near %d: %d, %v; want %d", c.quote, c.near, got, ok, c.want)
		}
	}
	for _, digest := range []string{"", strings.Repeat("0", 32), strings.Repeat("z", 32), answer.Digest("Short.")[:16] + strings.Repeat("0", 16)} {
		if at, ok := answer.FindQuote(text, digest, 6, 0); ok {
			t.Errorf("digest %q is found at %d", digest, at)
		}
	}
}

// A part of a text is found where it stands.
func FuzzFindQuote(f *testing.F) {
	f.Add("aaaaab", uint(1), uint(3))
	f.Add("x\x00\xff", uint(0), uint(1))
	f.Fuzz(func(t *testing.T, text string, from, size uint) {
		text += "." // so that there is something to quote
		from %= uint(len(text))
		size = 1 + size%(uint(len(text))-from)
		quote := text[from : from+size]
		if got, ok := answer.FindQuote(text, answer.Digest(quote), len(quote), -1); !ok || got != strings.Index(text, quote) {
			t.Errorf("%q in %q: %d, %v", quote, text, got, ok)
		}
	})
}
