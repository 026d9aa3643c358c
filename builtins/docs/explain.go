package docs

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// scoresOf returns a passage's scores by kind of signal, rounded so that they add up to the total.
func scoresOf(f library.Found) Scores {
	var s Scores
	for _, l := range f.Legs {
		switch l.Leg {
		case index.LegBM25:
			s.BM25 += l.Score
		case library.LegJudge:
			s.Rerank += l.Score
		default:
			s.Vector += l.Score
		}
	}
	s = Scores{BM25: round(s.BM25), Vector: round(s.Vector), Rerank: round(s.Rerank), Fused: round(f.Score)}
	largest := &s.BM25 // gets the rounding difference
	for _, other := range []*float64{&s.Vector, &s.Rerank} {
		if *other > *largest {
			largest = other
		}
	}
	*largest = round(*largest + s.Fused - s.BM25 - s.Vector - s.Rerank)
	return s
}

// legPart returns the score that a leg gives a passage, with the heaviest parts of the query.
func legPart(leg string, score float64, parts []index.Part) LegPart {
	out := LegPart{Leg: leg, Score: round(score)}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b index.Part) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return strings.Compare(a.Key, b.Key)
	})
	for _, p := range parts[:min(len(parts), maxOf)] {
		if p.Score > 0 {
			key := p.Key
			if p.From != "" {
				key += " (" + p.From + ")"
			}
			out.Of = append(out.Of, key)
		}
	}
	return out
}
