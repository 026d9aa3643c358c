package coderank

import (
	"reflect"
	"slices"
)

// Again returns a ranker of the same files for the same words asked otherwise: of
// another kind, or with other weights. What was counted is shared, so that no file is
// scanned, and Candidates can be called at once; what history said is not taken over.
// It returns nil where the words differ. The ranker it is made of must be done, and
// may serve several.
func (r *Ranker) Again(q *Query, w Weights) *Ranker {
	if !sameWords(r.plan.query, q) {
		return nil
	}
	p := *r.plan
	p.query = q
	again := &Ranker{plan: &p, w: w, before: r}
	for _, c := range r.cols {
		own := again.Collector()
		own.files, own.arena = c.files, c.arena
		own.m.misses = c.m.misses
	}
	return again
}

// sameWords reports whether the same is counted for two questions.
func sameWords(a, b *Query) bool {
	x, y := *a, *b
	x.Intent, y.Intent = Intent{}, Intent{}
	x.Found, y.Found = nil, nil
	return reflect.DeepEqual(x, y)
}

// Unread takes over what the ranking before has read of some candidates, and returns
// the others.
func (r *Ranker) Unread(paths []string) []string {
	if r.before == nil || !slices.Equal(r.before.unitWeights, r.unitWeights) {
		return paths
	}
	read := map[string]*document{}
	for _, d := range r.before.docs {
		read[d.path] = d
	}
	var out []string
	for _, p := range paths {
		d := read[p]
		if d == nil {
			out = append(out, p)
			continue
		}
		r.cols[0].docs = append(r.cols[0].docs, &document{path: d.path, bucket: d.bucket, counts: d.counts, lens: d.lens,
			parts: d.parts, segs: d.segs, names: d.names})
	}
	return out
}
