package toolrank

import "github.com/compactor-mcp/compactor/runtime/retrieval"

// spreadHits orders the best documents so that a query for two things finds both: a word counts less
// once a document above has it. It fills the first limit places.
//
// If the request has parts, a tool also counts as far as it serves one of them that no tool above
// serves.
func (ix *Index) spreadHits(q *query, list []candidate, parts []part, limit int) {
	head := min(len(list), pool)
	if head < 2 {
		return
	}
	n := len(q.units)
	rows := make([]float32, head*n) // the weight of a unit in a document
	full := make([]float64, head)
	for j := range head {
		row := rows[j*n:][:n]
		for i := range q.units {
			if p := q.units[i].term.postingOf(list[j].doc); p != nil {
				row[i] = p.weight
				full[j] += q.units[i].weight * float64(p.weight)
			}
		}
	}
	left := make([]float64, n) // the weight that a unit has left
	for i := range left {
		left[i] = q.units[i].weight
	}
	order := make([]int, head)
	for j := range order {
		order[j] = j
	}
	ranked := make([]candidate, 0, head)
	for k := 0; k < min(limit, head); k++ {
		best, top := k, -1.0
		for at, j := range order[k:] {
			own := list[j].score * remainingScore(rows[j*n:][:n], left) / max(full[j], 1e-9)
			x := retrieval.Fuse(retrieval.Part{Score: own, Best: max(list[0].score, 1e-9), Weight: 1}, retrieval.Part{Score: partsScore(parts, list[j].doc), Best: 1, Weight: ix.w.Clause})
			if x > top {
				best, top = k+at, x
			}
		}
		j := order[best]
		copy(order[k+1:best+1], order[k:best])
		order[k] = j
		reduceServed(parts, list[j].doc, ix.w.Served)
		for i, w := range rows[j*n:][:n] {
			left[i] *= 1 - (1-ix.w.Spread)*float64(w)
		}
	}
	for _, j := range order {
		ranked = append(ranked, list[j])
	}
	copy(list, ranked)
}

// remainingScore returns the score that is left for a document.
func remainingScore(parts []float32, left []float64) float64 {
	x := 0.0
	for i, w := range parts {
		x += float64(w) * left[i]
	}
	return x
}
