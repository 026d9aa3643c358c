package compact

import (
	"strings"
	"testing"
)

// FuzzWordsIn holds one pass for many words against a search for each, in a text that has them and in what is left of it.
func FuzzWordsIn(f *testing.F) {
	f.Add("an error of the warehouse, and a failure", "rror ail warehouse ware late")
	f.Add("aaaa", "aaa aaaa aaaaa")
	f.Add("xab\xff\xfe\xfdyyab", "abc yab \xff\xfe\xfd")
	f.Fuzz(func(t *testing.T, text, list string) {
		var words []string
		for _, w := range strings.Fields(list) {
			if len(w) >= 3 {
				words = append(words, w)
			}
		}
		for _, text := range []string{text, text + list, strings.ReplaceAll(text+list, "e", "")} {
			found := wordsIn(text, words)
			for _, w := range words {
				if want := strings.Contains(text, w); found[w] != want {
					t.Errorf("%q in %q: %v, want %v", w, text, found[w], want)
				}
			}
		}
	})
}
