package compact

import "hash/maphash"

// queue holds similar units of a text, the best first.
type queue struct {
	units []int32
	taken int
	value float64 // of the best, discounted for what was already taken
}

// buildQueues puts the units into queues, and orders the queues by their best unit.
func (p *picker) buildQueues() {
	p.values = make([]float64, len(p.units))
	of, sizes := p.group()
	queues, units := make([]queue, len(sizes)), make([]int32, len(p.units))
	p.queues = make([]*queue, len(sizes))
	for k, n := range sizes {
		queues[k].units, units = units[:0:n], units[n:]
		p.queues[k] = &queues[k]
	}
	for i, k := range of {
		if k >= 0 {
			p.values[i] = p.value(int32(i))
			queues[k].units = append(queues[k].units, int32(i))
		}
	}
	for _, q := range p.queues {
		for k := len(q.units)/2 - 1; k >= 0; k-- {
			sink(q.units, k, p.before)
		}
		p.rate(q)
	}
	for k := len(p.queues)/2 - 1; k >= 0; k-- {
		sink(p.queues, k, (*queue).before)
	}
}

// group assigns each unit to a queue, -1 for a unit without text, and counts the units of each queue.
func (p *picker) group() (of []int32, sizes []int32) {
	of = make([]int32, len(p.units))
	likes := newNumbers(len(p.units) / 4)
	for i := range p.units {
		if p.units[i].text == "" {
			of[i] = -1
			continue
		}
		k, fresh := likes.ofHash(maphash.Comparable(seedOfNumbers, p.units[i].like))
		if fresh {
			sizes = append(sizes, 0)
		}
		of[i] = k
		sizes[k]++
	}
	return of, sizes
}

// rate sets the value of a queue from its first unit.
func (p *picker) rate(q *queue) {
	q.value = p.values[q.units[0]]
	if q.taken > 0 {
		alike := p.alike
		if p.firm > 0 && p.units[q.units[0]].own >= p.firm {
			alike = alikeFirm
		}
		q.value *= alike[min(q.taken, len(alike)-1)]
	}
}

// dropFirst removes the first unit of the first queue.
func (p *picker) dropFirst(q *queue) {
	n := len(q.units) - 1
	q.units[0] = q.units[n]
	q.units = q.units[:n]
	if n == 0 {
		last := len(p.queues) - 1
		p.queues[0] = p.queues[last]
		p.queues = p.queues[:last]
	} else {
		sink(q.units, 0, p.before)
		p.rate(q)
	}
	if len(p.queues) > 0 {
		sink(p.queues, 0, (*queue).before)
	}
}

// sink moves the value at k of a heap below those that come before it.
func sink[T any](h []T, k int, before func(a, b T) bool) {
	v := h[k]
	for {
		kid := 2*k + 1
		if kid >= len(h) {
			break
		}
		if kid+1 < len(h) && before(h[kid+1], h[kid]) {
			kid++
		}
		if !before(h[kid], v) {
			break
		}
		h[k] = h[kid]
		k = kid
	}
	h[k] = v
}

// before reports whether unit a comes before unit b: the better one, or the first of equals.
func (p *picker) before(a, b int32) bool {
	if p.values[a] != p.values[b] {
		return p.values[a] > p.values[b]
	}
	return a < b
}

func (q *queue) before(o *queue) bool {
	if q.value != o.value {
		return q.value > o.value
	}
	return q.units[0] < o.units[0]
}
