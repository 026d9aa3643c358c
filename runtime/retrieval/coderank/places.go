package coderank

import (
	"cmp"
	"math"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

const (
	maxPlaces = 3
	// placeShare is the share of the best place's score that a further place of
	// the same file must have.
	placeShare = 0.5
	// placeLines is the length above which a definition gains no more from its length.
	placeLines = 200
)

// pickPlaces picks the segments of a file to point to. If the question asks for a definition, those
// that bear a name of the question come first; otherwise the score decides, with a bonus for the
// name.
func (r *Ranker) pickPlaces(d *document) []int {
	if len(d.best) == 0 {
		return nil
	}
	in := r.plan.query.Intent
	asked := in.Definition || in.Bare
	exact, value := make([]float64, len(d.segs)), make([]float64, len(d.segs))
	for i := range d.segs {
		value[i] = r.placeValue(d, &d.segs[i])
		for k := range r.plan.query.Idents {
			if asked && r.plan.query.Idents[k].Before == 0 {
				exact[i] = max(exact[i], d.matchName(&r.plan.query.Idents[k], &d.segs[i].def))
			}
		}
	}
	order := slices.Clone(d.best)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(retrieval.Descending(exact[a], exact[b]), retrieval.Descending(value[a], value[b]), cmp.Compare(d.segs[a].def.Line, d.segs[b].def.Line))
	})
	out := order[:1]
	for _, i := range order[1:min(len(order), maxPlaces)] {
		if exact[i] > 0 || exact[order[0]] == 0 && value[i] >= placeShare*value[order[0]] {
			out = append(out, i)
		}
	}
	return out
}

// scorePlace returns the score of a definition among the definitions of its file. The file is
// already decided on, and within it a long function is more likely to be the place than a constant
// with the same words.
func (r *Ranker) scorePlace(s *segment) float64 {
	w := &r.w
	v := r.bm25(s, [nLines]float64{1, w.PlaceDoc, w.DefSignature, w.PlaceName, 1}, nil)
	v *= math.Pow(float64(min(max(s.lines, 1), placeLines)), w.PlaceSize)
	switch s.def.Kind {
	case symbols.KindConstant, symbols.KindVariable, symbols.KindField, symbols.KindMember, symbols.KindPrototype, symbols.KindKey:
		v *= w.PlaceValue
	}
	if s.def.Name == "" {
		v *= w.PlaceBlock
	}
	return v
}
