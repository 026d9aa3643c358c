package index

import (
	"math"
	"slices"
	"sync"
)

// numbers recycles arrays of scores: allocating them cost more than the computations of most legs.
var numbers sync.Pool

func borrowScores(n int) []float64 {
	if p, ok := numbers.Get().(*[]float64); ok && cap(*p) >= n {
		list := (*p)[:n]
		clear(list)
		return list
	}
	return make([]float64, n)
}

func giveBack(list []float64) {
	if cap(list) > 0 {
		numbers.Put(&list)
	}
}

// likely is a passage that may be among the best.
type likely struct {
	passage int
	score   float64
}

// pickRows is the number of passages that are examined at a time.
const pickRows = 512

// pickBest returns the passages with the highest fused scores, best first. If the scores of a leg are
// only near the exact ones, it computes the exact scores of the passages that may be among the best
// given the known bounds, and of no others.
func (ix *Index) pickBest(legs []*scored, allow *Set, limit int) []int {
	scales, slack := legScales(legs)
	exact := !slices.ContainsFunc(legs, func(l *scored) bool { return l.exact != nil }) && scales != nil
	var list []likely
	least := leastOf{most: limit}
	var sums [pickRows]float64
	for first := 0; first < ix.Len(); first += pickRows {
		some := sums[:min(pickRows, ix.Len()-first)]
		fuse(some, legs, scales, first)
		for i, s := range some {
			if s == 0 && exact || s+slack < least.value || !allow.Has(first+i) {
				continue
			}
			list = append(list, likely{first + i, s})
			least.add(s - slack)
		}
	}
	best := list[:0]
	for _, c := range list {
		if c.score+slack < least.value {
			continue
		}
		for _, l := range legs {
			if l.exact != nil {
				l.scores[c.passage] = l.exact(c.passage)
			}
		}
		if c.score = totalScore(legs, c.passage); c.score > 0 {
			best = append(best, c)
		}
	}
	slices.SortFunc(best, func(a, b likely) int { return ix.comparePassages(a.passage, b.passage, a.score, b.score) })
	found := make([]int, min(limit, len(best)))
	for i := range found {
		found[i] = best[i].passage
	}
	return found
}

// legScales returns the factors that the scores of legs are multiplied by, and slack, the maximum
// distance of a sum of these products from the fused score.
func legScales(legs []*scored) (scales []float64, slack float64) {
	for _, l := range legs {
		x := 0.0
		if l.best > 0 && l.weight > 0 {
			x = l.weight / l.best
		}
		if x != 0 && !(x > 1e-280 && x < 1e280) {
			return nil, math.Inf(1) // of an external leg: nothing is known
		}
		scales = append(scales, x)
		slack += x*l.slack + 1e-12*l.weight
	}
	return scales, slack
}

// fuse sets sums to the approximate fused scores of the passages from first on.
func fuse(sums []float64, legs []*scored, scales []float64, first int) {
	clear(sums)
	for k, x := range scales {
		if x == 0 {
			continue
		}
		for i, s := range legs[k].scores[first : first+len(sums)] {
			sums[i] += x * max(0, s)
		}
	}
}

// leastOf finds the least of the highest numbers added, as many as most; it is 0 before there are
// that many.
type leastOf struct {
	most  int
	list  []float64 // a heap, the least first
	value float64
}

func (h *leastOf) add(x float64) {
	if len(h.list) < h.most {
		h.list = append(h.list, x)
		if len(h.list) == h.most {
			slices.Sort(h.list)
			h.value = max(0, h.list[0])
		}
		return
	}
	if !(x > h.list[0]) {
		return
	}
	at := 0
	for {
		child := 2*at + 1
		if child+1 < len(h.list) && h.list[child+1] < h.list[child] {
			child++
		}
		if child >= len(h.list) || h.list[child] >= x {
			break
		}
		h.list[at] = h.list[child]
		at = child
	}
	h.list[at] = x
	h.value = max(0, h.list[0])
}
