package coderank

import (
	"math"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// Constants of the rough score, which only has to bring the right files among
// the candidates.
const (
	roughDefines = 3 // weight of a hit after a defining keyword, in hits
	roughDir     = 1
	roughName    = 4
	roughNorm    = 0.6
	roughFound   = 2 // factor for a file that an earlier question led to
	// askedFactor widens the net for questions that name a symbol: a common name occurs in many
	// files and is defined in few.
	askedFactor = 2
)

// Candidates merges the counts of all collectors and returns the paths of the files worth reading,
// best first, about limit of them.
func (r *Ranker) Candidates(limit int) []string {
	r.mergeCounts()
	r.weighUnits()
	r.resolveNamed()
	r.castVotes()
	type scored struct {
		file  int
		score float64
	}
	var list []scored
	r.witnesses = r.witnesses[:0]
	for i := range r.files {
		if s := r.roughScore(&r.files[i]); s > 0 {
			list = append(list, scored{i, s})
			r.addWitness(&r.files[i], s)
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		if a.score != b.score {
			if a.score > b.score {
				return -1
			}
			return 1
		}
		return a.file - b.file
	})
	if q := r.plan.query; q.Intent.Definition && len(q.Idents) > 0 {
		limit *= askedFactor
	}
	paths := make([]string, 0, min(limit, len(list)))
	for _, s := range list[:min(limit, len(list))] {
		paths = append(paths, r.files[s.file].path)
	}
	return paths
}

// roughScore returns the BM25 score of a file from the counts of the first step.
func (r *Ranker) roughScore(f *counted) float64 {
	norm := retrieval.Norm(roughNorm, float64(f.tokens), r.meanTokens)
	score := 0.0
	for _, p := range r.postings(f) {
		tf := (float64(p.body) + roughDefines*float64(p.defs)) / norm
		switch p.path {
		case 1:
			tf += roughDir
		case 2:
			tf += roughName
		}
		score += r.unitWeights[p.unit] * retrieval.Saturate(tf, r.w.Saturation)
		if p.defs > 0 && r.plan.query.Intent.Definition {
			score += r.w.Asked * r.unitWeights[p.unit]
		}
	}
	score += r.pastRough(f)
	if v := r.named[f.path]; v > 0 {
		return math.Max(score, 1) * 1000 * (1 + v)
	}
	score *= r.bucketFactor(f.bucket) * r.besideFound(f.path)
	if slices.Contains(r.plan.query.Found, f.path) {
		score *= roughFound
	}
	return score
}
