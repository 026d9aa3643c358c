package rank

// spread orders the best documents so that a query for two things finds both:
// a word counts less once a document above has it. It puts limit documents in
// their places.
func (ix *Index) spread(q *query, list []candidate, limit int) {
	head := min(len(list), pool)
	if head < 2 {
		return
	}
	n := len(q.units)
	parts := make([]float32, head*n) // what a unit gives to a document
	full := make([]float64, head)
	for j := range head {
		row := parts[j*n:][:n]
		for i := range q.units {
			if p := q.units[i].term.in(list[j].doc); p != nil {
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
			if x := list[j].score * remains(parts[j*n:][:n], left) / max(full[j], 1e-9); x > top {
				best, top = k+at, x
			}
		}
		j := order[best]
		copy(order[k+1:best+1], order[k:best])
		order[k] = j
		for i, w := range parts[j*n:][:n] {
			left[i] *= 1 - (1-ix.w.Spread)*float64(w)
		}
	}
	for _, j := range order {
		ranked = append(ranked, list[j])
	}
	copy(list, ranked)
}

// remains is what a document still scores.
func remains(parts []float32, left []float64) float64 {
	x := 0.0
	for i, w := range parts {
		x += float64(w) * left[i]
	}
	return x
}
