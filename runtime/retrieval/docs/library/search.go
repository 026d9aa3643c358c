package library

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/query"
)

// Search returns the passages that fit a query best.
func (l *Library) Search(ctx context.Context, q Query) (a Answer, err error) {
	if !q.Whole && !q.read {
		q = q.withFilters(query.Operators(q.Text))
	}
	limit := q.Limit
	if q.Judge != nil {
		q.Limit = max(q.Limit, q.Judge.Top)
	}
	find := q.Limit
	if q.Results != nil && !q.Explain {
		find = max(find, reach)
	}
	var key resultKey
	var keep, known bool
	var rest []index.Hit
	err = l.view(ctx, func(v View, at *loaded) error {
		if key, keep, err = at.keyOf(ctx, v, q, find); err != nil {
			return err
		}
		if !keep {
			find = q.Limit
		} else if x, ok := q.Results.recall(key); ok {
			known = true
			a = Answer{Version: at.version, Read: q.filters.Read, Confidence: x.confidence, Searched: x.searched}
			a.Found, err = at.readFound(ctx, v, copyHits(x.hits[:min(limit, len(x.hits))]))
			return err
		}
		a, rest, err = searchVersion(ctx, v, at, q, find)
		return err
	})
	if err != nil || known {
		return a, err
	}
	if q.Judge != nil {
		err = a.addVerdicts(ctx, q) // the version is released: a model takes its time
	}
	if keep && err == nil && len(a.Notes) == 0 && !a.partial {
		q.Results.keep(key, a, rest)
	}
	if q.Judge != nil && limit > 0 {
		a.Found = a.Found[:min(limit, len(a.Found))]
	}
	return a, err
}

// searchVersion finds as many passages as find, and reads as many of them as the query wants.
func searchVersion(ctx context.Context, v View, at *loaded, q Query, find int) (a Answer, rest []index.Hit, err error) {
	a = Answer{Version: at.version, Read: q.filters.Read}
	allow, n, err := at.allowedPassages(ctx, v, q)
	if a.Searched = n; err != nil || n == 0 {
		return a, nil, err
	}
	legs, weights, notes, err := at.tierLegs(ctx, v, q, allow)
	if a.Notes = notes; err != nil {
		return a, nil, err
	}
	if !q.Expand.Empty() {
		more, err := at.expansionOf(ctx, v, q, allow)
		if err != nil {
			return a, nil, err
		}
		q.More = append(more, q.More...)
	}
	others, err := at.otherWordings(ctx, v, q, allow, len(legs))
	if err != nil {
		return a, nil, err
	}
	res, err := at.index.Search(ctx, index.Query{Text: q.Text, More: q.More, Others: others, Limit: find, Weights: weights, Legs: legs, Allow: allow, Explain: q.Explain})
	if err != nil {
		return a, nil, err
	}
	a.Confidence, a.partial = res.Confidence, len(others) < len(q.Others)
	if find > q.Limit && len(res.Hits) > q.Limit {
		res.Hits, rest = res.Hits[:q.Limit], res.Hits[q.Limit:]
	}
	a.Found, err = at.readFound(ctx, v, res.Hits)
	return a, rest, err
}

// otherWordings returns the wordings that are searched in addition to the question. A wording whose vectors are not
// available is left out: it would count less than the others on some signals and not on all.
func (at *loaded) otherWordings(ctx context.Context, v View, q Query, allow *index.Set, legs int) (out []index.Wording, err error) {
	for _, text := range q.Others {
		of := q
		of.Text = text
		w := index.Wording{Text: text}
		if w.Legs, _, _, err = at.tierLegs(ctx, v, of, allow); err != nil {
			return nil, err
		}
		if len(w.Legs) == legs {
			out = append(out, w)
		}
	}
	return out, nil
}

// readFound reads the passages of hits.
func (at *loaded) readFound(ctx context.Context, v View, hits []index.Hit) (out []Found, err error) {
	contents := map[string]Content{}
	for _, h := range hits {
		d, n := at.documentOf(h.Passage)
		c, known := contents[d.Content]
		if !known {
			if c, err = v.Content(ctx, d.Content); err != nil {
				return out, err
			}
			contents[d.Content] = c
		}
		p, err := passageOf(d, c, n)
		if err != nil {
			return out, err
		}
		out = append(out, Found{Passage: p, Score: h.Score, Legs: h.Legs, number: h.Passage})
	}
	return out, nil
}
