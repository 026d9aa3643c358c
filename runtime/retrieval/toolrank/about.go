package toolrank

import "unicode/utf8"

// matters is how much of a query's matter a tool must hold to be on topic, in words that only one
// tool has, and aboutDepth the number of best tools that are checked. They were chosen on the two
// collections and on the office of the tests, where they cost 0.001 and 0.003 of the recall among
// five.
const (
	matters    = 0.2
	aboutDepth = 3
)

// offTopic reports whether none of the best tools is on the subject of the query, although the
// query states it in words that they do not hold.
func (ix *Index) offTopic(q *query, top []candidate) bool {
	open := false
	for i, c := range top[:min(len(top), aboutDepth)] {
		got, missed := ix.matterHeld(q, c.doc)
		if got >= matters {
			return false
		}
		if i == 0 && ix.meantBy(q, c.doc) {
			return false
		}
		open = open || i == 0 && missed
	}
	return open
}

// meantBy reports whether a document holds the meaning of an expression of the query's matter.
func (ix *Index) meantBy(q *query, doc int32) bool {
	for i := range q.units {
		if u := &q.units[i]; u.kind == meant && q.words[u.word].matter && u.term.postingOf(doc) != nil {
			return true
		}
	}
	return false
}

// lacksMatter reports whether a document shares only verbs and phrases with a query. Such hits are
// chance if the best document has the whole matter.
func (ix *Index) lacksMatter(q *query, doc int32) bool {
	got, _ := ix.matterHeld(q, doc)
	return got == 0
}

// matterHeld returns how much a document holds of the query's matter, and whether it lacks a word of it
// that is not a name.
func (ix *Index) matterHeld(q *query, doc int32) (got float64, missed bool) {
	if q.values&ix.takes[doc]&literal != 0 {
		return 1, false
	}
	if q.held == nil {
		q.held = make([]float64, len(q.words))
	}
	held := q.held
	clear(held)
	for i := range q.units {
		u := &q.units[i]
		if u.kind == pair || !q.words[u.word].matter {
			continue
		}
		if p := u.term.postingOf(doc); p != nil {
			x := u.weight * float64(p.weight)
			if u.kind == synonym {
				x /= ix.w.Synonym // as good as the word itself
			}
			held[u.word] = max(held[u.word], x)
		}
	}
	for i := range q.words {
		a := &q.words[i]
		got += held[i]
		missed = missed || a.matter && held[i] == 0 && (!a.named || i == 0) && a.text != "" && a.text[0] < utf8.RuneSelf
	}
	return got / ix.maxIDF, missed
}
