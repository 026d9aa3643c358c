package coderank

import (
	"math"
	"slices"
	"strings"
)

// notFound returns the reason why the tree holds no answer, or "" if it may hold one. A question
// for a name that occurs nowhere cannot be answered, however many files hold the parts of the name.
// A sentence that happens to contain an unknown name may be about adding it, and a pasted message
// contains names of the user's own.
func (r *Ranker) notFound(missing []Missing) string {
	q := r.plan.query
	switch {
	case len(q.Terms) == 0 && len(q.Idents) == 0:
		return "the question holds no word to search for"
	case len(r.files) == 0:
		return "there is no file to search"
	}
	if in := q.Intent; (in.Definition || in.Bare || in.How) && !in.Message && r.noNameOccurs() {
		return quoteAll(missing) + " occurs nowhere in the files searched"
	}
	if r.bestStrength() < r.w.MinStrength {
		return "no file holds enough of the question's words"
	}
	return ""
}

// noNameOccurs reports whether the question contains names and none of them occurs in the tree.
func (r *Ranker) noNameOccurs() bool {
	own := 0
	for i, id := range r.plan.query.Idents {
		if id.Before > 0 {
			continue
		}
		if r.occurs[r.plan.ident0+i] {
			return false
		}
		own++
	}
	return own > 0
}

func quoteAll(missing []Missing) string {
	names := make([]string, len(missing))
	for i, m := range missing {
		names[i] = m.Name
	}
	return strings.Join(names, ", ")
}

// bestStrength returns the strength of the strongest file, or +Inf if the question names a file.
func (r *Ranker) bestStrength() float64 {
	best := 0.0
	for _, d := range r.docs {
		if d.mentioned > 0 {
			return math.Inf(1)
		}
		best = max(best, r.strength(d))
	}
	return best
}

// missing lists the names of the question that occur nowhere, and its words that occur nowhere but
// have a likely correction.
func (r *Ranker) missing() []Missing {
	q := r.plan.query
	var out []Missing
	for i, id := range q.Idents {
		occurs := r.occurs[r.plan.ident0+i] || i+1 < len(q.Idents) && q.Idents[i+1].Decomposed && r.occurs[r.plan.ident0+i+1]
		if !occurs && !id.Decomposed && id.Before == 0 {
			out = append(out, Missing{Name: id.Text, Near: r.nearNames(id.Text)})
		}
	}
	for i, t := range q.Terms {
		if t.Of >= 0 || r.occurs[i] || t.Title == 0 || t.Before > 0 {
			continue
		}
		var near []nearMiss
		for _, c := range r.cols {
			for _, m := range c.m.misses[i] {
				near = keepNearest(near, m)
			}
		}
		if m := (Missing{Name: t.Word}); len(near) > 0 && !slices.ContainsFunc(out, func(o Missing) bool { return normalizeName(o.Name) == t.Word }) {
			for _, n := range near[:min(len(near), maxNearNames)] {
				m.Near = append(m.Near, n.word)
			}
			out = append(out, m)
		}
	}
	return out
}
