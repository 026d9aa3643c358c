package within

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a query.
const (
	maxTerms  = 24
	maxQuery  = 1000 // bytes
	shortWord = 4    // shorter ones match only as whole words
	minStem   = 4    // of a word that is matched by its beginning
	maxStem   = 3    // letters that may be dropped from such a word
)

// Weights of matches: a whole word, and the whole query.
const (
	wholeBonus  = 0.5
	phraseBonus = 1.0
)

// query is the words to look for, and the phrase they form.
type query struct {
	terms  [][]byte // in lower case
	phrase []byte   // nil for a single word
	weight []float64
	best   float64 // of a unit that has all terms
	low    []byte  // buffer of lower
}

// parseQuery splits a query into words. Quoted text stays together.
func parseQuery(text string) query {
	if len(text) > maxQuery {
		text = strings.ToValidUTF8(text[:maxQuery], "")
	}
	text = strings.ToLower(text)
	var q query
	put := func(word string) {
		word = strings.Trim(word, " \t\r\n.,;!?()[]{}<>\"'`")
		if word == "" || len(q.terms) == maxTerms {
			return
		}
		if t := []byte(word); !slices.ContainsFunc(q.terms, func(o []byte) bool { return bytes.Equal(o, t) }) {
			q.terms = append(q.terms, t)
		}
	}
	for i, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '"' || r == '“' || r == '”' || r == '`' }) {
		if quoted := strings.ContainsAny(text, "\"“`"); quoted && i%2 == btoi(strings.IndexAny(text, "\"“`") != 0) {
			put(part)
			continue
		}
		for _, word := range strings.Fields(part) {
			put(word)
		}
	}
	if whole := strings.Trim(strings.TrimSpace(text), "\"'`“”"); len(q.terms) > 1 {
		q.phrase = []byte(whole)
	}
	return q
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// matchTerms returns which of the terms a lower-case text contains, and what that is worth.
func (q *query) matchTerms(low []byte) (mask uint32, worth float64) {
	for i, t := range q.terms {
		if q.weight != nil && q.weight[i] == 0 {
			continue
		}
		any, whole := findTerm(low, t)
		if !any || !whole && utf8.RuneCount(t) < shortWord {
			continue
		}
		mask |= 1 << i
		if q.weight != nil {
			worth += q.weight[i]
			if whole {
				worth += q.weight[i] * wholeBonus
			}
		}
	}
	if q.weight != nil && bits.OnesCount32(mask) > 1 && q.phrase != nil && bytes.Contains(low, q.phrase) {
		worth += worth * phraseBonus
	}
	return mask, worth
}

// findTerm reports whether a text contains a term, and contains it as a whole word.
func findTerm(text, term []byte) (any, whole bool) {
	for at := 0; ; {
		i := bytes.Index(text[at:], term)
		if i < 0 {
			return any, false
		}
		any = true
		from, to := at+i, at+i+len(term)
		before, _ := utf8.DecodeLastRune(text[:from])
		after, _ := utf8.DecodeRune(text[to:])
		if !isWord(before) && !isWord(after) {
			return true, true
		}
		at = from + 1
	}
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}

// weigh sets the weights of terms: the fewer units contain a term, the more it is worth.
func (q *query) weigh(units int, having []int) {
	q.weight, q.best = make([]float64, len(q.terms)), 0
	for i, n := range having {
		if n > 0 {
			q.weight[i] = math.Log1p(float64(units) / float64(n))
			q.best += q.weight[i]
		}
	}
}

// loosen replaces terms that were not found with the parts around = and :, or else with the beginning of the word. It
// reports whether anything changed.
func (q *query) loosen(having []int) bool {
	var terms [][]byte
	loose := false
	for i, t := range q.terms {
		if having[i] > 0 {
			terms = append(terms, t)
			continue
		}
		if parts := bytes.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune("=:,/|\"' ", r) }); len(parts) > 1 {
			terms, loose = append(terms, parts...), true
			continue
		}
		if n := max(minStem, len(t)-maxStem); n < len(t) && isLetters(t) {
			terms, loose = append(terms, t[:n]), true
		}
	}
	if loose {
		q.terms = terms[:min(len(terms), maxTerms)]
	}
	return loose
}

func isLetters(t []byte) bool {
	for _, c := range t {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// lower returns a text in lower case, valid until the next call.
func (q *query) lower(text []byte) []byte {
	q.low = q.low[:0]
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return bytes.ToLower(text)
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		q.low = append(q.low, c)
	}
	return q.low
}
