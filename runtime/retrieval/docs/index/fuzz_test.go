package index

import (
	"math"
	"strings"
	"testing"
)

// FuzzSearch: any text can be indexed and asked; scores are numbers, and what is
// not allowed is not found.
func FuzzSearch(f *testing.F) {
	f.Add("the cache keeps pages", "getUserName 天気図", "cache name")
	f.Add("\xff\x00", "", "\xed\xa0\x80")
	f.Add(strings.Repeat("a ", 300), "a a a", "a")
	f.Fuzz(func(t *testing.T, first, second, question string) {
		if len(first)+len(second)+len(question) > 1<<14 {
			return
		}
		set := Default()
		set.LSI.Dimensions = 4
		ix := build(t, set, Passage{"a", second, first, first}, Passage{"b", "", "", second}, Passage{"c", first, second, question})
		allow := NewSet(3)
		allow.Add(0)
		allow.Add(2)
		a := search(t, ix, Query{Text: question, Allow: allow, Explain: true})
		if !(a.Confidence >= 0 && a.Confidence <= 1+1e-9) {
			t.Errorf("confidence %v", a.Confidence)
		}
		for _, h := range a.Hits {
			if h.ID == "b" || math.IsNaN(h.Score) || h.Score <= 0 || h.Score > 1+1e-9 {
				t.Errorf("%s is found with %v", h.ID, h.Score)
			}
		}
	})
}
