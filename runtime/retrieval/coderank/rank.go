package coderank

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

const maxReasonTerms = 5

// Rank orders the files that were read and returns the best ones, at most limit.
func (r *Ranker) Rank(limit int) Result {
	r.docs = r.docs[:0]
	for _, c := range r.cols {
		r.docs = append(r.docs, c.docs...)
	}
	slices.SortFunc(r.docs, func(a, b *document) int { return strings.Compare(a.path, b.path) })
	res := Result{Scanned: len(r.files), Read: len(r.docs), Terms: r.searchedTerms()}
	r.scoreFiles()
	r.scoreDefs()
	r.scoreExact()
	r.scoreCompounds()
	r.fuse()
	res.Missing = r.missing()
	if why := r.notFound(res.Missing); why != "" {
		res.NotFound, res.Confidence = why, retrieval.Low
		return res
	}
	for _, d := range r.docs {
		if len(res.Hits) == limit || d.score <= 0 || r.plan.query.Intent.Path && len(res.Hits) > 0 && d.mentioned == 0 {
			break
		}
		res.Hits = append(res.Hits, r.buildHit(d))
	}
	r.setConfidence(&res)
	if r.wantsDefinitions() {
		list := r.rankDefinitions()
		res.Definitions = bestDefinitions(list, limit)
		r.judgeDefinitions(&res, list)
	}
	r.judgeKind(&res)
	r.judgeForeign(&res)
	return res
}

// searchedTerms lists the question's own terms as written, by descending weight.
func (r *Ranker) searchedTerms() []string {
	q := r.plan.query
	order := make([]int, 0, len(q.Terms))
	for i, t := range q.Terms {
		if t.Of < 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return retrieval.Descending(r.unitWeights[a], r.unitWeights[b]) })
	words := make([]string, len(order))
	for i, t := range order {
		words[i] = q.Terms[t].Word
	}
	return words
}

func (r *Ranker) buildHit(d *document) Hit {
	h := Hit{Path: d.path, Score: d.score, Bucket: d.bucket}
	for _, line := range r.lines[d.path] {
		h.Places = append(h.Places, Place{Line: line, EndLine: line, Focus: line, Name: r.frames[frame{d.path, line}], Asked: true})
	}
	for _, i := range r.pickPlaces(d) {
		h.Places = append(h.Places, d.placeOf(i))
	}
	h.Reasons = r.reasons(d)
	return h
}

// placeOf returns the place of segment i.
func (d *document) placeOf(i int) Place {
	s := &d.segs[i]
	p := Place{Line: s.def.Line, EndLine: s.def.EndLine, Focus: s.focus, Name: s.def.Name, Kind: s.def.Kind,
		Container: s.def.Container, Signature: s.def.Signature, Doc: s.def.Doc, Exact: slices.Contains(d.exactDefs, i)}
	if p.Name == "" && p.Focus > 0 {
		p.Line = p.Focus // the start of a block is arbitrary
	}
	return p
}

func (r *Ranker) reasons(d *document) []string {
	var out []string
	if len(d.exactDefs) > 0 {
		names := make([]string, 0, len(d.exactDefs))
		for _, i := range d.exactDefs {
			if n := d.segs[i].def.Name; !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		out = append(out, "defines "+strings.Join(names, ", "))
	}
	if d.mentioned > 0 {
		out = append(out, "named in the question")
	}
	var body, base []string
	for _, t := range r.heldTerms(d) {
		word := r.plan.query.Terms[t.unit].Word
		if t.tf[fieldBase] > 0 {
			base = append(base, word)
		}
		body = append(body, word)
	}
	if len(base) > 0 {
		out = append(out, "file name has "+strings.Join(base[:min(len(base), maxReasonTerms)], ", "))
	}
	if len(body) > 0 {
		s := "has " + strings.Join(body[:min(len(body), maxReasonTerms)], ", ")
		if n := len(body) - maxReasonTerms; n > 0 {
			s += fmt.Sprintf(" and %s more", strconv.Itoa(n))
		}
		out = append(out, s)
	}
	return out
}

// heldTerms returns the question's own terms in a file, by descending weight.
func (r *Ranker) heldTerms(d *document) []*counts {
	var out []*counts
	for i := range d.counts {
		t := &d.counts[i]
		if int(t.unit) < r.plan.ident0 && r.plan.query.Terms[t.unit].Of < 0 {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *counts) int { return retrieval.Descending(r.unitWeights[a.unit], r.unitWeights[b.unit]) })
	return out
}
