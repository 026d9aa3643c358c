package redact

// More rules never reveal more. What the built-in rules find is settled first, on a text that no user rule has touched:
// a user rule may take away the name in front of a secret, or leave a mark in the middle of one. What user rules find
// is then added, and marks of theirs earn no protection: where a later look finds a secret that touches such a mark,
// the two are joined, and a mark of the package's own stands for both.

// maxRounds bounds the looks at one text; two or three are usual when there is a finding.
const maxRounds = 12

// patternID names a place where something was found beside or in the mark of a user rule.
const patternID = "pattern"

// joint claims such places. Its rank wins over that of the user rule, whose mark would be found again.
var joint = (&detector{id: patternID, rank: rankJoint}).prepare()

// find returns what is to be removed from the text, in order and without overlap. With these parts replaced, nothing
// more is found. A text that takes more work than w allows is to be removed as a whole.
func (r *Redactor) find(path, text string, w *watch) []span {
	found := r.look(path, text, w)
	switch {
	case w.over():
		return withheld(text)
	case len(found) == 0:
		return nil
	}
	var spans []span
	if r.base == nil {
		spans = r.claim(text, found, w)
	} else {
		var own, given []finding
		for _, f := range found {
			if f.by.rank == rankUser {
				own = append(own, f)
			} else {
				given = append(given, f)
			}
		}
		spans = r.base.settle(path, text, r.claim(text, given, w), w)
		spans = mergeSpans(append(spans, r.claim(text, own, w)...))
	}
	return r.settle(path, text, spans, w)
}

// look returns what one look at the text finds, overlapping and in no order.
func (r *Redactor) look(path, text string, w *watch) []finding {
	s := scan{r: r, path: path, text: text, watch: w}
	found := s.run()
	if !w.over() {
		found = append(found, s.joined()...)
	}
	return found
}

// claim joins findings and adds every repetition of a found value.
func (r *Redactor) claim(text string, found []finding, w *watch) []span {
	if len(found) == 0 {
		return nil
	}
	holes := placeholders(text)
	return cut(text, spread(text, cut(text, toSpans(found), holes), w.value), holes)
}

// settle adds to spans what comes to light when they are replaced, until nothing does: taking one secret out can show
// another.
func (r *Redactor) settle(path, text string, spans []span, w *watch) []span {
	for range maxRounds {
		if w.over() {
			break
		}
		if len(spans) == 0 {
			return nil
		}
		out := replace(text, spans)
		more := r.look(path, out, w)
		if w.over() {
			break
		}
		if len(more) == 0 {
			return spans
		}
		claimed := r.claim(out, more, w)
		if len(claimed) == 0 {
			return spans
		}
		spans = mergeSpans(append(spans, toInput(claimed, spans, text)...))
	}
	return withheld(text)
}
