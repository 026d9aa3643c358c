package answer

import (
	_ "embed"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

//go:embed lists/asking.txt
var askingList string

// asking are words that say nothing about the subject of a question.
var asking = sync.OnceValue(func() map[string]bool { return words.Set(words.CommonStops(), askingList) })

//go:embed lists/forms.txt
var formList string

// form is a phrase that tells the kind of a question.
type form struct {
	wants  want
	phrase string
	inside bool // anywhere in the question; otherwise at its beginning
}

// want is the kind of answer that a question wants.
type want string

const (
	wantExample want = "example"
	wantError   want = "error"
	wantOption  want = "option"
	wantAmount  want = "amount"
	wantList    want = "list"
	wantWay     want = "way"
	wantCause   want = "cause"
	wantTime    want = "time"
	wantPerson  want = "person"
	wantMeaning want = "meaning"
	wantCompare want = "comparison" // kept apart from wantMeaning; formFit has no forms for it
)

var forms = sync.OnceValue(func() (out []form) {
	for line := range words.Lines(formList) {
		kind, phrase, _ := strings.Cut(line, ":")
		phrase = strings.TrimSpace(phrase)
		rest, inside := strings.CutPrefix(phrase, "* ")
		out = append(out, form{want(kind), rest, inside})
	}
	return out
})

// wantedKind returns the kind of answer that a question wants, or "" if no form tells it.
func wantedKind(question string) want {
	q := strings.ToLower(strings.TrimLeft(question, " \t\n¿¡\"'("))
	for _, f := range forms() {
		if f.inside && holdsPhrase(q, f.phrase) || !f.inside && beginsWith(q, f.phrase) {
			return f.wants
		}
	}
	return ""
}

// beginsWith reports whether a text begins with a phrase, and not with a part of a word.
func beginsWith(text, phrase string) bool {
	rest, ok := strings.CutPrefix(text, phrase)
	if !ok {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(phrase)
	next, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !words.IsLetter(next) || words.Spaceless(last)
}

func holdsPhrase(text, phrase string) bool { return phraseAt(text, phrase) >= 0 }

// phraseAt returns the position of a phrase in a text, not as a part of a word, or -1.
func phraseAt(text, phrase string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], phrase)
		if i < 0 {
			return -1
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		if (at == 0 || !words.IsLetter(before)) && beginsWith(text[at:], phrase) {
			return at
		}
		at += len(phrase)
	}
}

// stripPhrases returns a question without the phrases that only tell the kind of answer: of "how large
// is the cache" the cache is left.
func stripPhrases(question string) string {
	q := strings.ToLower(question)
	for _, f := range forms() {
		if i := phraseAt(q, f.phrase); i >= 0 && !f.inside && (strings.Contains(f.phrase, " ") || i == 0 && f.wants == wantMeaning) {
			q = q[:i] + "\n" + q[i+len(f.phrase):]
		}
	}
	return q
}

// query is a question as terms.
type query struct {
	wants  want
	terms  []string
	weight []float64        // of each term, by how rare it is among the units
	kin    map[string][]kin // words of the passages that are close to a term
	pairs  [][2]int         // terms that are adjacent in the question
	total  float64

	subjects [][]string // what it asks the meaning of
	named    bool       // with one name in code
}

// kin is a term that a word of a passage matches, and how well.
type kin struct {
	term  int
	share float64
}

// partShare is the share that a piece of a compound counts if the whole was asked for, and the
// other way round.
const partShare = 0.6

// parseQuestion parses a question and relates it to the units.
func parseQuestion(question string, list []unit) *query {
	q := &query{wants: wantedKind(question)}
	if q.readTerms(stripPhrases(question)); len(q.terms) == 0 {
		q.readTerms(question)
	}
	q.subjects = q.subjectsOf(question)
	q.relateUnits(list)
	return q
}

// readTerms reads the terms of a question, with phrases replaced by the terms that they mean.
func (q *query) readTerms(question string) {
	said := termsOf(question)
	eachPhrase(said, func(at []int, as string) {
		for _, i := range at {
			said[i] = ""
		}
		said[at[0]] = as
	})
	last := -1
	for _, term := range said {
		if term == "" || asking()[term] {
			continue
		}
		at := slices.Index(q.terms, term)
		if at < 0 && len(q.terms) < maxTerms {
			at = len(q.terms)
			q.terms = append(q.terms, term)
		}
		if last >= 0 && at >= 0 && last != at {
			q.pairs = append(q.pairs, [2]int{last, at})
		}
		last = at
	}
}

// shortQuestion is the maximum number of terms of a question that one sentence can answer.
const shortQuestion = 4

// brevity returns how short a question with this number of terms is: 1 up to shortQuestion of them,
// 0 from twice as many on.
func brevity(terms float64) float64 {
	return min(1, max(0, 2-terms/shortQuestion))
}

func (q *query) brevity() float64 { return brevity(float64(len(q.terms))) }

// maxTerms limits the terms of a question.
const maxTerms = 64

// relateUnits finds the words of the units that match the terms, and weighs the terms.
func (q *query) relateUnits(list []unit) {
	count := map[string]int{}
	for i := range list {
		for t := range list[i].terms {
			count[t]++
		}
	}
	q.kin = map[string][]kin{}
	q.weight = make([]float64, len(q.terms))
	meantFor := meantShare * q.brevity() // a long question has words enough of its own
	for i, t := range q.terms {
		df, meant := 0, 0
		for word, n := range count {
			if share := matchShare(t, word); share > 0 {
				q.kin[word] = append(q.kin[word], kin{i, share})
				df = max(df, n)
			}
		}
		for _, word := range synonyms().like[t] {
			if n := count[word]; n > 0 && meantFor > 0 && matchShare(t, word) == 0 {
				q.kin[word] = append(q.kin[word], kin{i, meantFor})
				meant = max(meant, n)
			}
		}
		if df == 0 {
			df = meant
		}
		// The square root, because among passages that were found for them the words of a question
		// are common, and a rare one may be the least important.
		q.weight[i] = math.Sqrt(retrieval.IDF(float64(len(list)+1), float64(min(df, len(list)))))
		q.total += q.weight[i]
	}
}

// matchShare returns how well a word matches a term: 1 for the same, less for words that begin alike,
// which covers inflections in languages without a stemmer.
func matchShare(term, word string) float64 {
	if term == word {
		return 1
	}
	short, long := term, word
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) < 4 || words.Digits(short) {
		return 0
	}
	n := 0
	for n < len(short) && short[n] == long[n] {
		n++
	}
	if n < 4 {
		return 0
	}
	if share := float64(2*n) / float64(len(short)+len(long)); share >= 0.75 {
		return 0.9 * share
	}
	return 0
}

// eachTerm calls emit for the terms of a text: stems, and pairs of characters in scripts without
// spaces. Pieces of compounds follow them, with part set.
func eachTerm(text string, emit func(term string, part bool)) {
	words.Split(text, nil, func(w words.Word) {
		switch {
		case w.Text == "":
		case w.Part && isSpaceless(w.Text):
			// a single character says little, and its pairs come too
		case isSpaceless(w.Text):
			emit(w.Text, false)
		case asking()[w.Text]: // before the stem: does, and not doe
			emit(w.Text, w.Part)
		default:
			emit(words.Root(w.Text), w.Part)
		}
	})
}

func isSpaceless(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return words.Spaceless(r)
}

// countTerms sets the terms of units and returns the weight of each term among them.
func countTerms(list []unit, passages []Passage) map[string]float64 {
	for i := range list {
		u := &list[i]
		text := passages[u.passage].Text[u.start:u.end]
		u.terms = map[string]float64{}
		gatherTerms(u.terms, text, 1)
		u.sorted = slices.Sorted(maps.Keys(u.terms))
	}
	return weighTerms(list)
}

// gatherTerms adds the terms of a text and of its phrases, each with a share.
func gatherTerms(terms map[string]float64, text string, share float64) {
	var said []string
	eachTerm(text, func(term string, part bool) {
		worth := share
		if part {
			worth *= partShare
		} else {
			said = append(said, term)
		}
		if !asking()[term] {
			terms[term] = max(terms[term], worth)
		}
	})
	eachPhrase(said, func(_ []int, as string) { terms[as] = max(terms[as], share) })
}

// weighTerms sets the length of each unit as a vector of its terms' weights, and returns the weights.
func weighTerms(list []unit) map[string]float64 {
	idf := map[string]float64{}
	for i := range list {
		for _, t := range list[i].sorted {
			idf[t]++
		}
	}
	for t, n := range idf {
		idf[t] = retrieval.IDF(float64(len(list)), n)
	}
	for i := range list {
		sum := 0.0
		for _, t := range list[i].sorted {
			sum += idf[t] * idf[t]
		}
		list[i].norm = math.Sqrt(sum)
	}
	return idf
}
