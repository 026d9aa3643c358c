package toolrank

// tally adds up how much of a query one document holds. A tool does not fit better for saying one
// thing in many ways: of the evidence of one kind for a word only the best counts, and of the kinds
// the best counts in full and the others for a share.
type tally struct{ score, word, kind float64 }

// add adds the evidence of one unit.
func (t *tally) add(x float64) { t.kind = max(t.kind, x) }

// closeKind ends the units of one kind for a word.
func (t *tally) closeKind(share float64) {
	t.score += share * t.kind
	t.word, t.kind = max(t.word, t.kind), 0
}

// closeWord ends the units of a word.
func (t *tally) closeWord(share float64) {
	t.closeKind(share)
	t.score += (1 - share) * t.word
	t.word = 0
}

// gatherScores adds up how much of a query the documents hold.
func (ix *Index) gatherScores(q *query, s *scratch) {
	for i := range q.units {
		u := &q.units[i]
		if i > 0 {
			s.closeUnit(&q.units[i-1], u, ix.w.More)
		}
		for _, p := range u.term.posts {
			t := &s.tally[p.doc]
			if *t == (tally{}) {
				s.seen = append(s.seen, p.doc)
			}
			if t.word == 0 && t.kind == 0 {
				s.held = append(s.held, p.doc)
			}
			t.add(u.weight * float64(p.weight))
		}
	}
	for _, d := range s.held {
		s.tally[d].closeWord(ix.w.More)
	}
}

// closeUnit closes the word or the kind of a unit if the next unit belongs to another.
func (s *scratch) closeUnit(last, next *unit, share float64) {
	switch {
	case !next.sameWord(last):
		for _, d := range s.held {
			s.tally[d].closeWord(share)
		}
		s.held = s.held[:0]
	case next.kind != last.kind:
		for _, d := range s.held {
			s.tally[d].closeKind(share)
		}
	}
}

// sameWord reports whether two units belong to the same word of the query; a pair always counts separately.
func (u *unit) sameWord(v *unit) bool { return u.word == v.word && u.kind != pair && v.kind != pair }

// scoreOf returns the score of a tool, by its words alone.
func (ix *Index) scoreOf(q *query, doc int32) float64 {
	var t tally
	for i := range q.units {
		u := &q.units[i]
		if i > 0 && !u.sameWord(&q.units[i-1]) {
			t.closeWord(ix.w.More)
		} else if i > 0 && u.kind != q.units[i-1].kind {
			t.closeKind(ix.w.More)
		}
		if p := u.term.postingOf(doc); p != nil {
			t.add(u.weight * float64(p.weight))
		}
	}
	t.closeWord(ix.w.More)
	return t.score
}
