package toolrank

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// believed holds the bounds of confidence that matter: unless it is high, hits are no more than the
// nearest tools, and if it is low, there may be no hits at all.
var believed = retrieval.Bands{Low: 0.05, High: 0.2}

// maxDoubts limits the words that are listed as evidence against hits.
const maxDoubts = 3

// signs say how well the best tools fit a query, each 0..1: held is how much of its matter one of
// them holds, in words that only one tool has; said is the share of its matter that they hold in
// its own words; name is the share of the first tool's name that the query says; whole is how much
// of everything asked for one of them has, also in other words; score is the score of the first
// tool, divided by the score of one with everything; and kindred is how much one of them says about
// the subject that several words of the query share.
type signs struct{ held, said, name, whole, score, kindred float64 }

func (s signs) list() [signCount]float64 {
	return [signCount]float64{1, s.held, s.said, s.name, s.whole, s.score, s.kindred}
}

// confidence returns the probability that a tool fits, 0..1. It is calibrated for catalogs that can
// do half of the things asked of them.
func (ix *Index) confidence(s signs) float64 {
	list := s.list()
	return retrieval.Logistic(ix.w.Sure[:], list[:])
}

// computeSigns computes the signs of the best tools.
func (ix *Index) computeSigns(q *query, top []candidate) signs {
	first := top[0]
	top = top[:min(len(top), aboutDepth)]
	var s signs
	for _, c := range top {
		got, _ := ix.matterHeld(q, c.doc)
		s.held = max(s.held, min(got, 1))
	}
	all, said := 0.0, 0.0
	for i := range q.words {
		if a := &q.words[i]; a.isTelling() {
			x := a.weight * ix.rarity(a)
			all += x
			if slices.ContainsFunc(top, func(c candidate) bool { return ix.hasExactWord(a, c.doc) }) {
				said += x
			}
		}
	}
	s.said = 0.5 // a query without matter says nothing for or against
	if all > 0 {
		s.said = said / all
	}
	s.name = ix.namedShare(q, first.doc)
	s.score = min(first.score/max(q.full, 1e-9), 1)
	for _, c := range top {
		s.whole = max(s.whole, ix.wholeShare(q, c.doc))
	}
	s.kindred = ix.kindredShare(q, top)
	return s
}

// asGood rates other words for a word, by how well they replace it.
var asGood = [...]float64{exact: 1, kin: 0.9, synonym: 0.8, meant: 0.5, spelling: 0.5, topic: 0.3, pair: 0}

// wholeShare returns the share of a query that one tool has, in its words or in others.
func (ix *Index) wholeShare(q *query, doc int32) float64 {
	best := make([]float64, len(q.words))
	for i := range q.units {
		u := &q.units[i]
		if x := asGood[u.kind]; x > best[u.word] {
			if p := u.term.postingOf(doc); p != nil {
				best[u.word] = max(best[u.word], x*min(1, 2*float64(p.weight)))
			}
		}
	}
	got, all := 0.0, 0.0
	for i := range q.words {
		a := &q.words[i]
		if a.phrase || a.part {
			continue
		}
		x := a.weight * ix.rarity(a)
		all += x
		got += x * best[i]
	}
	if all <= 0 {
		return 0
	}
	return got / all
}

// isTelling reports whether a word tells the subject of a query and is not a value.
func (a *asked) isTelling() bool {
	return a.matter && !a.part && !isDigit(a.text[0]) && !dateWords[a.text] && !timeWords[a.text] && !moneyWords[a.text]
}

// isContentWord reports whether a word is more than a phrase: a verb alone, for example.
func (a *asked) isContentWord() bool { return !a.phrase && !a.part && !a.join && !frameWords()[a.text] }

// rarity returns how much a word tells. A word that no tool holds tells as much as a word of a
// single tool, times unheld.
func (ix *Index) rarity(a *asked) float64 {
	if a.id < 0 {
		return ix.maxIDF * unheldFactor(a)
	}
	return ix.words[a.id].idf
}

// hasExactWord reports whether a tool holds a word as it is asked for.
func (ix *Index) hasExactWord(a *asked, doc int32) bool {
	return a.id >= 0 && ix.words[a.id].postingOf(doc) != nil
}

// namedShare returns the share of a tool's name that the query says in its own words.
func (ix *Index) namedShare(q *query, doc int32) float64 {
	got, all := 0.0, 0.0
	for _, n := range ix.names[doc] {
		all += n.weight
		if q.asks[n.id] == 1 {
			got += n.weight
		}
	}
	if all <= 0 {
		return 0
	}
	return got / all
}

// unsaidWords returns up to most words of a query that count and that none of the tools has, nor a
// synonym, the most telling first.
func (ix *Index) unsaidWords(q *query, top []candidate, counts func(*asked) bool, most int) []string {
	var list []*asked
	said := ix.wordsSaid(q, top)
	for i := range q.words {
		a := &q.words[i]
		if r, _ := utf8.DecodeRuneInString(a.text); said[i] || words.Spaceless(r) {
			continue // a piece of a sentence without spaces is not a word to report
		}
		if counts(a) || a.join && !q.inPieces(i, said) {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b *asked) int { return cmp.Compare(b.weight*ix.rarity(b), a.weight*ix.rarity(a)) })
	var out []string
	for _, a := range list[:min(len(list), most)] {
		out = append(out, a.text)
	}
	return out
}

// inPieces reports whether the tools hold all pieces of a compound, which follow it in the list of words.
func (q *query) inPieces(word int, said []bool) bool {
	for i := word + 1; i < len(q.words) && q.words[i].part; i++ {
		if !said[i] {
			return false
		}
	}
	return true
}

// wordsSaid returns for each word of a query whether one of the tools has it, or a word for the
// same. A word of the same subject or kind does not count.
func (ix *Index) wordsSaid(q *query, top []candidate) []bool {
	said := make([]bool, len(q.words))
	has := func(t *term) bool {
		return slices.ContainsFunc(top, func(c candidate) bool { return t.postingOf(c.doc) != nil })
	}
	for i := range q.units {
		if u := &q.units[i]; !said[u.word] && u.kind != pair && u.kind != topic && u.kind != meant {
			said[u.word] = has(u.term)
		}
	}
	for i := range q.words { // a group is a unit of its first word only
		for _, g := range thesaurus().of[q.words[i].stem] {
			said[i] = said[i] || !thesaurus().groups[g].topic && has(&ix.groups[g])
		}
	}
	return said
}
