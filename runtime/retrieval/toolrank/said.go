package toolrank

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// saying is an expression that people use, and the group of words that tools use for it.
type saying struct {
	text  string
	rest  []string // the roots of the words after the first
	group int32
	acts  acts
}

// gap is the maximum number of words between a verb and its particle.
const gap = 3

// readSayings reads a list of expressions: its right sides are groups that tools are in, its left
// sides lead queries to them.
func (t *thesaurusIndex) readSayings(text string) {
	for line := range words.Lines(text) {
		said, meaning, ok := strings.Cut(line, " > ")
		if !ok {
			continue
		}
		g := int32(len(t.groups))
		t.groups = append(t.groups, group{said: true})
		for w := range strings.FieldsSeq(meaning) {
			addToGroup(t.means, words.Root(w), g)
		}
		for s := range strings.FieldsSeq(said) {
			parts := strings.Split(s, "_")
			for i := range parts {
				parts[i] = words.Root(parts[i])
			}
			t.sayings[parts[0]] = append(t.sayings[parts[0]], saying{strings.ReplaceAll(s, "_", " "), parts[1:], g, actsOf(meaning)})
		}
	}
}

// matchLength returns the number of words of an expression that begins with the first of roots, or 0 if
// they begin otherwise. Only its last word may be apart from the others.
func (s *saying) matchLength(roots []string) int {
	at := 1
	for i, r := range s.rest {
		apart := 0
		for at < len(roots) && roots[at] != r {
			if apart++; i < len(s.rest)-1 || apart > gap {
				return 0
			}
			at++
		}
		if at == len(roots) {
			return 0
		}
		at++
	}
	return at
}

// addSayings adds the expressions of a query. roots has the roots of all its words, and at their indexes
// in the query's words, -1 for words that carry no meaning.
func (ix *Index) addSayings(q *query, roots []string, at []int) {
	for i := range roots {
		list, long := thesaurus().sayings[roots[i]], false
		for pass := range 2 { // expressions of several words come before single words
			for k := range list {
				s := &list[k]
				if pass == 0 && len(s.rest) == 0 || pass == 1 && (long || len(s.rest) > 0) || s.matchLength(roots[i:]) == 0 {
					continue
				}
				long = pass == 0
				ix.addSaying(q, s, at[i])
			}
		}
	}
}

func (ix *Index) addSaying(q *query, s *saying, word int) {
	if word < 0 {
		word = len(q.words)
		q.words = append(q.words, asked{text: s.text, weight: 1, id: -1, count: 1, phrase: true})
	} else if len(s.rest) > 0 {
		q.words[word].matter = false
	}
	q.acts |= s.acts
	q.heard = append(q.heard, heard{int32(word), s.group})
}
