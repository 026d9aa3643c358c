package coderank

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// wordsOf is the filter of a text.
func wordsOf(text string) Words {
	c := New(Parse("where is the parser"), Default()).Collector()
	return c.Scan("a.go", []byte(text))
}

// TestWordsHoldWhatTheTextHolds puts words at every place of a block and at the
// end of the text.
func TestWordsHoldWhatTheTextHolds(t *testing.T) {
	word := regexp.MustCompile(`[0-9A-Za-z_]+`)
	rng := rand.New(rand.NewPCG(1, 2))
	const bytes = "aZ09__zA \n.:$\x7f\xc3\xa4"
	for range 2000 {
		b := make([]byte, rng.IntN(300))
		for i := range b {
			b[i] = bytes[min(rng.IntN(40), len(bytes)-1-rng.IntN(len(bytes)))]
		}
		words := wordsOf(string(b))
		for _, w := range word.FindAllString(string(b), -1) {
			for _, name := range []string{w, "$" + w, w + "::" + w, w + "é"} {
				if !words.May(name) {
					t.Fatalf("%q: %q is said not to be there", b, name)
				}
			}
		}
	}
}

func TestWordsLackWhatTheTextLacks(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		text.WriteString("some other words, number ")
		text.WriteString(strings.Repeat("x", i%40))
		text.WriteByte('\n')
	}
	words, wrong := wordsOf(text.String()), 0
	for _, name := range []string{"parseHeader", "parseHeaders", "wordsOther", "number_of", "Some", "someother", "xxxY", "new", "run",
		"some::missing", strings.Repeat("x", 64)} {
		if words.May(name) {
			wrong++
			t.Logf("%q is said to be possible", name)
		}
	}
	if wrong > 1 { // a filter may err, but not so often
		t.Errorf("%d names that are not there are said to be possible", wrong)
	}
	if got := len(words) * 8; got > text.Len()/8 {
		t.Errorf("%d bytes for a text of %d", got, text.Len())
	}
	for _, name := range []string{"", "x", "ab", "::", "größe"[1:4]} {
		if !words.May(name) {
			t.Errorf("%q is too short to be ruled out", name)
		}
	}
}

func TestWordsUnknown(t *testing.T) {
	if !Words(nil).May("anything") {
		t.Error("without a filter any word is possible")
	}
}
