package coderank

import (
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// thesaurus maps the stem of a word to the words that programmers use for it.
var thesaurus = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range words.Lines(readList("synonyms")) {
		group := strings.Fields(line)
		for _, a := range group {
			st := words.StemOf(a)
			for _, b := range group {
				if words.StemOf(b) != st {
					m[st] = append(m[st], b)
				}
			}
		}
	}
	return m
})

// Synonymous reports whether programmers use the words of two stems for each other.
func Synonymous(a, b string) bool {
	return slices.ContainsFunc(thesaurus()[a], func(w string) bool { return words.StemOf(w) == b })
}
