package answer

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed lists/synonyms.txt
var synonymList string

// thesaurus holds words and phrases that are used for one another.
type thesaurus struct {
	like    map[string][]string // the other words of a term's groups
	phrases map[string][]phrase // by their first term, the longest first
}

// phrase is a sequence of words that together mean one term.
type phrase struct {
	rest  []string // terms after the first
	apart bool     // its object may be inside, as in "switch the log off"
	as    string
}

// Limits of phrases.
const (
	maxInside  = 3   // words inside a phrase
	meantShare = 0.7 // share that a synonym counts if the word itself was asked for
)

var synonyms = sync.OnceValue(func() *thesaurus {
	t := &thesaurus{like: map[string][]string{}, phrases: map[string][]phrase{}}
	for line := range words.Lines(synonymList) {
		var group []string
		for text := range strings.SplitSeq(line, ",") {
			switch terms := termsOf(text); {
			case len(terms) == 1:
				group = append(group, terms[0])
			case len(terms) > 1:
				p := phrase{rest: terms[1:], apart: len(terms) == 2 && slices.Contains([]string{"off", "on", "up", "down", "out", "away"}, terms[1]), as: group[0]}
				t.phrases[terms[0]] = append(t.phrases[terms[0]], p)
			}
		}
		for _, w := range group {
			t.like[w] = append(t.like[w], group...)
		}
	}
	for _, list := range t.phrases {
		slices.SortStableFunc(list, func(a, b phrase) int { return cmp.Compare(len(b.rest), len(a.rest)) })
	}
	return t
})

// termsOf returns the terms of a text in order, without pieces of compounds.
func termsOf(text string) (out []string) {
	eachTerm(text, func(term string, part bool) {
		if !part {
			out = append(out, term)
		}
	})
	return out
}

// eachPhrase calls found for each phrase among terms, with the positions of its words and the term
// that it means.
func eachPhrase(terms []string, found func(at []int, as string)) {
	for i, first := range terms {
		for _, p := range synonyms().phrases[first] {
			if at := p.matchAt(terms, i); at != nil {
				found(at, p.as)
				break
			}
		}
	}
}

// matchAt returns the positions of the words of a phrase whose first word is at i, or nil.
func (p phrase) matchAt(terms []string, i int) []int {
	at := []int{i}
	for _, w := range p.rest {
		next := at[len(at)-1] + 1
		room := 1
		if p.apart {
			room += maxInside
		}
		k := slices.Index(terms[min(next, len(terms)):min(next+room, len(terms))], w)
		if k < 0 {
			return nil
		}
		at = append(at, next+k)
	}
	return at
}
