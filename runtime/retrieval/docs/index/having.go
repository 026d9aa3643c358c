package index

import "github.com/compactor-mcp/compactor/runtime/base/words"

// Having returns the passages that have all words of a text, by their stems, each in one of the
// given fields; in any field if in is empty. A text without words matches nothing.
func (ix *Index) Having(text string, in ...Field) *Set {
	var have *Set
	eachWord(text, func(w string) {
		found := NewSet(ix.Len())
		if id := ix.terms.id(words.StemOf(w)); id >= 0 {
			ix.terms.each(id, func(p posting) {
				if have.Has(int(p.passage)) && p.counts.anyOf(in) {
					found.Add(int(p.passage))
				}
			})
		}
		have = found
	})
	if have == nil {
		return NewSet(ix.Len())
	}
	return have
}

// anyOf reports whether there is an occurrence in one of the given fields, or in any if in is empty.
func (c counts) anyOf(in []Field) bool {
	if len(in) == 0 {
		return true
	}
	for _, f := range in {
		if c[f] > 0 {
			return true
		}
	}
	return false
}
