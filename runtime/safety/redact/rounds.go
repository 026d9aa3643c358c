package redact

// More rules never reveal more. The findings of the built-in rules are settled first, on a text that no user rule has
// touched: a user rule could remove the name in front of a secret, or leave a mark in the middle of one. The findings
// of user rules are then added, and their marks are not protected: if a later pass finds a secret that touches such a
// mark, the two are joined, and a mark of the package's own replaces both.

// maxRounds limits the passes over one text; two or three are usual if there is a finding.
const maxRounds = 12

// patternID names a place where something was found next to or in the mark of a user rule.
const patternID = "pattern"

// joint claims such places. Its rank beats that of the user rule, whose mark would be found again.
var joint = (&detector{id: patternID, rank: rankJoint}).prepare()

// findSpans returns what has to be removed from the text, sorted and disjoint. With these parts replaced, nothing more is
// found. A text that takes more work than w allows is removed as a whole.
func (r *Redactor) findSpans(path, text string, w *watch) []span {
	found := r.scanOnce(path, text, w)
	switch {
	case w.isOver():
		return withholdText(text)
	case len(found) == 0:
		return nil
	}
	var spans []span
	if r.base == nil {
		spans = r.toClaims(text, found, w)
	} else {
		var own, given []finding
		for _, f := range found {
			if f.by.rank == rankUser {
				own = append(own, f)
			} else {
				given = append(given, f)
			}
		}
		spans = r.base.settleSpans(path, text, r.toClaims(text, given, w), w)
		spans = mergeSpans(append(spans, r.toClaims(text, own, w)...))
	}
	return r.settleSpans(path, text, spans, w)
}

// scanOnce returns the findings of one pass over the text, overlapping and unsorted.
func (r *Redactor) scanOnce(path, text string, w *watch) []finding {
	s := scan{r: r, path: path, text: text, watch: w}
	found := s.run()
	if !w.isOver() {
		found = append(found, s.findEdited()...)
	}
	return found
}

// toClaims joins findings and adds every repetition of a found value.
func (r *Redactor) toClaims(text string, found []finding, w *watch) []span {
	if len(found) == 0 {
		return nil
	}
	holes := findMarks(text)
	return subtractHoles(text, spreadValues(text, subtractHoles(text, toSpans(found), holes), w.value), holes)
}

// settleSpans adds to spans what comes to light when they are replaced, until nothing more does: removing one secret can
// reveal another.
func (r *Redactor) settleSpans(path, text string, spans []span, w *watch) []span {
	for range maxRounds {
		if w.isOver() {
			break
		}
		if len(spans) == 0 {
			return nil
		}
		out := replaceSpans(text, spans)
		more := r.scanOnce(path, out, w)
		if w.isOver() {
			break
		}
		if len(more) == 0 {
			return spans
		}
		claimed := r.toClaims(out, more, w)
		if len(claimed) == 0 {
			return spans
		}
		spans = mergeSpans(append(spans, toInput(claimed, spans, text)...))
	}
	return withholdText(text)
}
