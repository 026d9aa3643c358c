package coderank

import (
	"reflect"
	"slices"
)

// Again returns a ranker of the same files for a question with the same words but another intent or
// other weights. The counts are shared, so that no file is scanned again and Candidates can be
// called at once; evidence from history is not taken over. It returns nil if the words differ. The
// receiver must have finished, and may serve several rankers.
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

// sameWords reports whether two questions count the same, that is, differ at most in Intent and Found.
func sameWords(a, b *Query) bool {
	x, y := *a, *b
	x.Intent, y.Intent = Intent{}, Intent{}
	x.Found, y.Found = nil, nil
	return reflect.DeepEqual(x, y)
}

// Unread takes over the candidates in paths that the previous ranker has read, and returns the
// others.
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
