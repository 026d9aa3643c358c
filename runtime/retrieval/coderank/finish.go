package coderank

import (
	"slices"
	"sort"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// finish applies the limits, determines the intent and adds the terms that follow from others.
func (p *parser) finish() *Query {
	q := p.q
	p.limitTerms()
	q.Intent = intentOf(q, p.plain)
	q.Intent.Trace = p.onlyTrace()
	q.Intent.Path = q.Words == 1 && len(q.Named) > 0 && q.Named[0].Kind == NamedPath
	if w := p.only; q.Intent.Bare && len(q.Idents) == 0 && w != "" {
		q.Idents = []Ident{{Text: w, Norm: normalizeName(w), Title: true}}
	}
	if len(q.Idents) > maxIdents {
		sort.SliceStable(q.Idents, func(i, j int) bool { return identOrder(q.Idents[i]) < identOrder(q.Idents[j]) })
		q.Idents = q.Idents[:maxIdents]
	}
	p.addDecomposed()
	p.addEveryday()
	p.addSynonyms()
	return q
}

// maxTraceProse is the maximum number of words that an error message has in addition to its stack
// trace; more words make a report, which may be about something else than the deepest frame.
const maxTraceProse = 24

// onlyTrace reports whether the question is a stack trace with hardly any other words.
func (p *parser) onlyTrace() bool {
	frames := 0
	for _, n := range p.q.Named {
		if n.Line > 0 {
			frames += 1 + len(n.More)
		}
	}
	prose := p.q.Words - p.pasted
	return frames > 1 && prose <= maxTraceProse || frames == 1 && prose <= maxTraceProse/3
}

func identOrder(id Ident) int {
	switch {
	case id.Title:
		return 0
	case id.Quoted:
		return 1
	}
	return 2
}

// limitTerms keeps the first maxTerms terms: the title's before the body's before the pasted ones,
// each in the order of mention.
func (p *parser) limitTerms() {
	q := p.q
	at := make([]int, len(q.Terms)) // old index to new, -1 for a dropped term
	kept := make([]Term, 0, min(len(q.Terms), maxTerms))
	for _, pick := range []func(Term) bool{
		func(t Term) bool { return t.Title > 0 },
		func(t Term) bool { return t.Title == 0 && t.Body > 0 },
		func(t Term) bool { return t.Title == 0 && t.Body == 0 },
	} {
		for i, t := range q.Terms {
			if pick(t) {
				if len(kept) == maxTerms {
					at[i] = -1
					continue
				}
				at[i] = len(kept)
				kept = append(kept, t)
			}
		}
	}
	q.Terms = kept
	for _, k := range p.order {
		if a, b := at[k.A], at[k.B]; a >= 0 && b >= 0 && len(q.Pairs) < maxPairs {
			q.Pairs = append(q.Pairs, Pair{a, b})
			if !p.said[k] {
				if q.pasted == nil {
					q.pasted = map[Pair]bool{}
				}
				q.pasted[Pair{a, b}] = true
			}
		}
	}
}

// addSynonyms appends the words that programmers use for the question's own terms.
func (p *parser) addSynonyms() {
	limit := len(p.q.Terms) + maxSynonyms
	for i, t := range p.q.Terms {
		if t.Everyday {
			continue
		}
		for _, w := range thesaurus()[t.Stem] {
			p.q.addTerm(Term{Word: w, Title: t.Title, Body: t.Body, Pasted: t.Pasted, Weak: t.Weak, Of: i}, limit)
		}
	}
}

// addTerm appends a term that the question does not have yet, unless it already has limit terms.
func (q *Query) addTerm(t Term, limit int) {
	t.Stem = words.StemOf(t.Word)
	if len(q.Terms) < limit && !slices.ContainsFunc(q.Terms, func(has Term) bool { return has.Stem == t.Stem }) {
		q.Terms = append(q.Terms, t)
	}
}
