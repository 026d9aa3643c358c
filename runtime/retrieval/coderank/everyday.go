package coderank

import (
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// maxEveryday limits the code words that everyday words of a question add.
const maxEveryday = 64

// phrase maps everyday words to the words that code uses for them.
type phrase struct {
	says  []string // the sentence holds all of them, in any order
	means []string
}

// phrases returns the phrases of the list by their first word.
var phrases = sync.OnceValue(func() map[string][]phrase {
	m := map[string][]phrase{}
	for line := range words.Lines(readList("everyday")) {
		left, right, _ := strings.Cut(line, ":")
		means := strings.Fields(right)
		for said := range strings.FieldsSeq(left) {
			says := strings.Split(said, "+")
			m[says[0]] = append(m[says[0]], phrase{says, means})
		}
	}
	return m
})

// addEveryday appends the words that code uses for the everyday words of a question: a proxy that remembers
// where it sent a visitor has an affinity. A user unfamiliar with the code asks in everyday words only.
func (p *parser) addEveryday() {
	q := p.q
	if !q.asksForAct() && !q.Intent.Option || p.lang != "en" {
		return
	}
	own := len(q.Terms)
	said := saidWords(firstSentence(q.Text))
	for _, first := range said {
		for _, f := range phrases()[first] {
			if slices.ContainsFunc(f.says, func(w string) bool { return !slices.Contains(said, w) }) {
				continue
			}
			for _, w := range f.means {
				q.addTerm(Term{Word: w, Title: 1, Of: q.termOf(f.says, own), Everyday: true}, own+maxEveryday)
			}
		}
	}
}

// saidWords splits a sentence into its words in lower case; "in-flight" and "doesn't" are one each.
func saidWords(sentence string) []string {
	return strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '\'' && r != '-'
	})
}

// termOf returns the index of the first of the question's own terms that is among says, or 0 without a match.
func (q *Query) termOf(says []string, own int) int {
	return max(0, slices.IndexFunc(q.Terms[:own], func(t Term) bool { return slices.Contains(says, t.Word) }))
}
