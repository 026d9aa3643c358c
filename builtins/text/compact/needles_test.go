package compact

import (
	"strings"
	"testing"
)

// TestNeedles looks for needles at every place of texts, as strings.Contains and strings.HasPrefix do.
func TestNeedles(t *testing.T) {
	texts := []string{"ab", "abc", "/lib/", "<x", "éa"}
	n := newNeedles(texts)
	for _, text := range []string{"", "a", "ab", "xab", "xa", "/lib", "usr/lib/x", "a<", "a<x", "é", "né", "céa", "aab\xff"} {
		in, begin := false, false
		for _, s := range texts {
			in = in || strings.Contains(text, s)
			begin = begin || strings.HasPrefix(text, s)
		}
		if got := n.foundIn(text); got != in {
			t.Errorf("in %q: %v, want %v", text, got, in)
		}
		if got := n.matchAt(text, 0); got != begin {
			t.Errorf("at the beginning of %q: %v, want %v", text, got, begin)
		}
	}
}
