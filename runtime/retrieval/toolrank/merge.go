package toolrank

import "slices"

// perPart limits the tools that each part of a request contributes.
const perPart = 8

// part is one of the things that a request asks for.
type part struct {
	worth float64     // how well its best tool fits it, 0..1
	best  []candidate // their scores as shares of the first one's
	left  float64     // how much it still counts
}

// searchParts searches for each part of a request separately. It returns nil for fewer than two parts with hits.
func (ix *Index) searchParts(text string, o Options) []part {
	cuts := splitClauses(shortenText(text))
	if len(cuts) < 2 {
		return nil
	}
	var out []part
	for _, c := range cuts {
		q := ix.parse(c)
		if !slices.ContainsFunc(q.words, func(a asked) bool { return a.matter }) {
			continue
		}
		list := ix.bestDocs(q, o)
		if len(list) == 0 {
			continue
		}
		p := part{worth: ix.confidence(ix.computeSigns(q, list)), left: 1}
		for _, c := range list[:min(len(list), perPart)] {
			p.best = append(p.best, candidate{c.doc, c.score / list[0].score})
		}
		out = append(out, p)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// share returns the score of a tool, divided by the score of the part's best one.
func (p *part) share(doc int32) float64 {
	for _, c := range p.best {
		if c.doc == doc {
			return c.score
		}
	}
	return 0
}

// partsScore returns the score that the parts of a request add to a tool.
func partsScore(parts []part, doc int32) float64 {
	x := 0.0
	for i := range parts {
		p := &parts[i]
		x = max(x, p.worth*p.left*p.share(doc))
	}
	return x
}

// reduceServed reduces how much the parts still count once a tool is chosen.
func reduceServed(parts []part, doc int32, keep float64) {
	for i := range parts {
		s := parts[i].share(doc)
		s *= s
		parts[i].left *= 1 - (1-keep)*s
	}
}

// joinParts appends the tools that only a part asks for to the best ones, with their score for the whole
// request.
func (ix *Index) joinParts(q *query, top []candidate, parts []part) []candidate {
	if len(parts) == 0 {
		return top
	}
	top = top[:min(len(top), pool-len(parts))]
	for i := range parts {
		doc := parts[i].best[0].doc
		if !slices.ContainsFunc(top, func(c candidate) bool { return c.doc == doc }) {
			top = append(top, candidate{doc, ix.scoreOf(q, doc)})
		}
	}
	return top
}
