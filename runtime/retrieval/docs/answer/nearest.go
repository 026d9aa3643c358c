package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// maxSubject is the maximum number of terms of the name of a thing.
const maxSubject = 4

var (
	codeName = lazyregexp.New("`[^`]+`|" + `\b[A-Za-z]+(?:[._]\w+|[a-z0-9][A-Z]\w*)+`)
	whatDoes = lazyregexp.New(`^what (?:does|do) `)
	itDoes   = lazyregexp.New(`\b(?:do|mean|means|for)\W*$`)
)

// subjectsOf returns the things that a question asks the meaning of, as terms. It returns none if the question asks for
// something else: "what is the default port?" asks for a value, "what does the scheduler store?" for one thing of many.
func (q *query) subjectsOf(question string) [][]string {
	if q.wants != wantMeaning || len(q.terms) == 0 || len(q.terms) > maxSubject || slices.ContainsFunc(q.terms, isSpaceless) {
		return nil
	}
	if lower := strings.ToLower(question); whatDoes.MatchString(lower) && !itDoes.MatchString(lower) {
		return nil
	}
	names := codeName.FindAllString(question, 2)
	said := plainWords(stripPhrases(codeName.ReplaceAllString(question, " ")))
	if slices.ContainsFunc(said, isOf("apart")) || len(q.terms) > 1 && len(said) > 0 && isOf("attribute")(said[0]) {
		return nil
	}
	said = slices.DeleteFunc(said, isOf("kind"))
	if len(names) != 1 || len(said) > 0 {
		return [][]string{q.terms}
	}
	q.named = true
	name := termsOf(names[0])
	switch {
	case len(name) == 0 || len(name) > maxSubject:
		return [][]string{q.terms}
	case slices.ContainsFunc(q.terms, func(t string) bool { return !slices.Contains(name, t) }):
		return [][]string{q.terms, name} // the onRequest hook, and onRequest
	}
	return [][]string{name}
}

// plainWords returns the words of a text in lower case, without those that say nothing unless they are of class apart.
func plainWords(text string) (out []string) {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !words.IsLetter(r) }) {
		if !asking()[w] || isOf("apart")(w) {
			out = append(out, w)
		}
	}
	return out
}

// isOf returns a function that reports whether a word is of a class.
func isOf(class string) func(string) bool {
	return func(w string) bool { return slices.Contains(defining()[class], w) }
}

// widened is the factor of Reach. Of 59 questions about the documents of five projects, the six best passages define the
// subject of three in four, the 30 best of nearly all.
const widened = 6

// Reach returns how many passages to search for a question that is answered from top of them: more, up to MaxPassages, if
// it asks what something is, since the passages with most of its words seldom say that.
func Reach(question string, top int) int {
	if q := parseQuestion(clipQuestion(question), nil); len(q.subjects) > 0 {
		return max(top, min(widened*top, MaxPassages))
	}
	return top
}

// keptOf says for how many passages Nearest keeps one for its rank alone.
const keptOf = 3

// Nearest returns the indices of the passages to answer a question from, at most top of them, of a list in the order in
// which they were found. If the question asks what something is, passages that say so come before those that were ranked
// higher, except that the first ones always stay.
func Nearest(question string, list []Passage, top int) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	top = max(0, min(top, len(list)))
	q := parseQuestion(clipQuestion(question), nil)
	if len(q.subjects) == 0 || top == len(list) {
		return order[:top]
	}
	worth := worthOf(q, list)
	byWorth := func(a, b int) int { return cmp.Compare(worth[b], worth[a]) }
	slices.SortStableFunc(order[top/keptOf:], byWorth)
	slices.SortStableFunc(order[:top], byWorth)
	return order[:top]
}

// worthOf returns the worth of passages: their score, relative to the best, and how surely a unit of them says what the
// subject is.
func worthOf(q *query, list []Passage) []float64 {
	worth := make([]float64, len(list))
	best, room, read := 0.0, MaxBytes, 0
	for _, p := range list {
		best = max(best, p.Score)
		if room -= len(p.Text); room >= 0 {
			read++
		}
	}
	r := &rater{q: q, passages: list[:read], units: splitUnits(list[:read])}
	for i := range r.units {
		if at := r.units[i].passage; canAnswer(r.units, i, list) {
			worth[at] = max(worth[at], r.definedShare(i))
		}
	}
	for i, p := range list {
		if best > 0 {
			worth[i] += p.Score / best
		}
	}
	return worth
}
