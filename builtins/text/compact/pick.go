package compact

import (
	"math"
)

// unit is a piece of a text that is kept or left out.
type unit struct {
	text   string
	number string  // of its line, where the tool printed one
	line   int     // of the source, from 0
	own    float64 // what its form and its words are worth
	atoms  []int32
	like   uint64 // equal for units that differ in numbers only
	glued  bool   // it goes on where the unit before ends, without a space
	again  bool   // an earlier line says the same: it is counted and not shown
}

// picker chooses units.
type picker struct {
	units       []unit
	worth       []float64 // of atoms
	count       []int32   // of atoms, in the whole text
	ids         map[string]int32
	known       map[string]bool
	seen        []bool
	values      []float64
	queues      []*queue
	weighed     bool      // by how often an atom stands in the text
	beside      int       // bytes that each unit costs besides its own
	mostOfAtoms float64   // what the atoms of one unit can be worth
	alike       []float64 // what is left of the worth of a unit when so many like it were kept
}

func newPicker(known map[string]bool) *picker {
	return &picker{ids: map[string]int32{}, known: known, alike: alikeTo, mostOfAtoms: mostOf}
}

// add takes a unit up, with the atoms of its text.
func (p *picker) add(u unit) {
	eachAtom(u.text, func(a string, w float64) {
		id, ok := p.ids[a]
		if !ok {
			id = int32(len(p.worth))
			if p.known[a] {
				w *= repeated
			}
			p.ids[a], p.worth, p.count = id, append(p.worth, w), append(p.count, 0)
		}
		p.count[id]++
		u.atoms = append(u.atoms, id)
	})
	p.units = append(p.units, u)
}

// value is what a unit adds to what was chosen, for its length, if none like it was chosen.
func (p *picker) value(i int32) float64 {
	u := &p.units[i]
	v := 0.0
	for k, a := range u.atoms {
		if k > 0 && u.atoms[k-1] == a {
			continue
		}
		w := p.worth[a]
		if p.seen[a] {
			w *= repeated
		}
		v += w
	}
	return (min(v, p.mostOfAtoms) + u.own) * perLength[min(len(u.text), len(perLength)-1)]
}

// pick chooses the units that are worth most within a number of bytes, each with a line break, and returns which, in
// their order. The value of a unit only falls as others are chosen, so the best is known when its value was computed
// anew and is still the highest. Units that are alike fall together, so they queue behind the best of them.
func (p *picker) pick(bytes int) []int32 {
	if !p.weighed {
		p.weighed = true
		for i, n := range p.count {
			p.worth[i] /= math.Pow(float64(n), rarity)
		}
	}
	p.seen = make([]bool, len(p.worth))
	p.line()
	taken := make([]bool, len(p.units))
	for len(p.queues) > 0 && bytes > 20 {
		q := p.queues[0]
		i := q.units[0]
		if v := p.value(i); v < p.values[i]-1e-9 {
			p.values[i] = v
			p.sinkUnit(q.units, 0)
			p.rate(q)
			p.sinkQueue(0)
			continue
		}
		u := &p.units[i]
		if u.again {
			p.leave(q)
			continue
		}
		cost := len(u.text) + 1 + p.beside
		if u.glued {
			cost += 2 * len(omission)
		}
		if u.number != "" {
			cost += len(u.number) + 1
		}
		if cost <= bytes {
			bytes -= cost
			taken[i] = true
			q.taken++
			for _, a := range u.atoms {
				p.seen[a] = true
			}
		}
		p.leave(q)
	}
	var out []int32
	for i, t := range taken {
		if t {
			out = append(out, int32(i))
		}
	}
	return out
}
