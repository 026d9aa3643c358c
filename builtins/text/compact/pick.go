package compact

import (
	"math"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// unit is a piece of a text that is kept or left out.
type unit struct {
	text   string
	number string  // of its line, if a tool printed one
	lead   string  // leading blanks of its line that are kept
	line   int     // of the source, from 0
	own    float64 // worth of its form and its words
	from   int32   // range of its atoms, among those of the picker
	to     int32
	size   int32  // the length that its worth is divided by
	like   uint64 // equal for units that differ only in numbers
	glued  bool   // it continues the unit before without a space
	again  bool   // an earlier line says the same: it is counted and not shown
	lost   bool   // its parent was not read
	over   int32  // parent unit, counted from 1; 0 for none
	with   int32  // the unit that is shown with it, counted from 1; 0 for none
}

// picker chooses units.
type picker struct {
	units       []unit
	atoms       []int32   // of all units, concatenated
	worth       []float64 // of atoms
	count       []int32   // of atoms, in the whole text
	ids         *numbers  // of atoms
	known       map[string]bool
	seen        []bool
	values      []float64
	queues      []*queue
	weighed     bool           // the worth of atoms is already weighted by their frequency in the text
	dense       bool           // the length of a unit depends on its tokens
	beside      int            // bytes that each unit costs in addition to its own
	mostOfAtoms float64        // limits the worth of the atoms of one unit
	mostAbove   int            // how many ancestors of a unit are shown with it
	nested      bool           // lines are indented below their parents
	strict      bool           // parents are shown whole
	alike       []float64      // the share of its worth that a unit keeps, by the number of similar ones kept
	notes       map[int]string // notes of lines, whose length adds to the cost of the line
	firm        float64        // units with at least this own worth are discounted by alikeFirm; 0 for none
}

// newPicker returns a picker with room for n units.
func (s *shortener) newPicker(n int) *picker {
	return &picker{
		units: make([]unit, 0, n), ids: newNumbers(n), worth: make([]float64, 0, n), count: make([]int32, 0, n),
		known: s.subject.known, dense: s.dense, alike: alikeTo, mostOfAtoms: maxOf,
	}
}

// denseBytes is the estimated length of a token in a text of usual density.
const denseBytes = 3

// add appends a unit, with the atoms of its text.
func (p *picker) add(u unit) {
	u.from = int32(len(p.atoms))
	eachAtom(u.text, func(a string, w float64) {
		id, fresh := p.ids.of(a)
		if fresh {
			if p.known[a] {
				w *= repeated
			}
			p.worth, p.count = append(p.worth, w), append(p.count, 0)
		}
		p.count[id]++
		p.atoms = append(p.atoms, id)
	})
	u.to, u.size = int32(len(p.atoms)), int32(min(len(u.text), len(perLength)-1))
	if p.dense {
		u.size = int32(min(denseBytes*tokens.Estimate(u.text[:min(len(u.text), 4*len(perLength))]), len(perLength)-1))
	}
	p.units = append(p.units, u)
}

func (p *picker) atomsOf(u *unit) []int32 { return p.atoms[u.from:u.to] }

// value returns what a unit adds to the chosen ones, relative to its length, ignoring similar units.
func (p *picker) value(i int32) float64 {
	u := &p.units[i]
	v := 0.0
	atoms := p.atomsOf(u)
	for k, a := range atoms {
		if k > 0 && atoms[k-1] == a {
			continue
		}
		w := p.worth[a]
		if p.seen[a] {
			w *= repeated
		}
		v += w
	}
	return (min(v, p.mostOfAtoms) + u.own) * perLength[u.size]
}

// pick chooses the units that are worth most within a number of bytes, including a line break each, and returns them in
// order. The value of a unit only falls as others are chosen, so the best is known once its recomputed value is still
// the highest. Values of similar units fall together, so they queue behind the best of them.
func (p *picker) pick(bytes int) []int32 {
	if !p.weighed {
		p.weighed = true
		for i, n := range p.count {
			p.worth[i] /= math.Pow(float64(n), rarity)
		}
	}
	p.seen = make([]bool, len(p.worth))
	p.buildQueues()
	taken := make([]bool, len(p.units))
	for len(p.queues) > 0 && bytes > 20 {
		q := p.queues[0]
		i := q.units[0]
		if v := p.value(i); v < p.values[i]-1e-9 {
			p.values[i] = v
			sink(q.units, 0, p.before)
			p.rate(q)
			sink(p.queues, 0, (*queue).before)
			continue
		}
		if p.units[i].again || taken[i] {
			p.dropFirst(q)
			continue
		}
		with := p.units[i].with - 1
		cost := p.cost(i) + p.costOver(i, taken)
		if with >= 0 && !taken[with] {
			cost += p.cost(with) // it has the same parent
		}
		if cost <= bytes {
			bytes -= cost
			q.taken++
			p.take(i, taken)
			if with >= 0 {
				p.take(with, taken)
			}
		}
		p.dropFirst(q)
	}
	var out []int32
	for i, t := range taken {
		if t {
			out = append(out, int32(i))
		}
	}
	return out
}

// cost returns the number of bytes a unit takes, with a line break.
func (p *picker) cost(i int32) int {
	u := &p.units[i]
	cost := len(u.lead) + len(u.text) + 1 + p.beside
	if u.glued {
		cost += 2 * len(omission)
	}
	if u.number != "" {
		cost += len(u.number) + 1
	}
	if p.nested {
		for k := u.over; k > 0; k = p.units[k-1].over {
			cost++
		}
	}
	return cost + len(p.notes[u.line])
}

// costAbove returns the cost of a unit that is shown as an ancestor.
func (p *picker) costAbove(i int32) int {
	if p.strict {
		return p.cost(i)
	}
	return min(p.cost(i), overBytes+8)
}

// costOver returns the cost of a unit's ancestors that are not taken yet.
func (p *picker) costOver(i int32, taken []bool) int {
	cost := 0
	for n, k := 0, p.units[i].over; k > 0 && !taken[k-1] && n < p.mostAbove; n, k = n+1, p.units[k-1].over {
		cost += p.costAbove(k - 1)
	}
	return cost
}

// take marks a unit and its ancestors as taken; ancestors are cut short unless the picker is strict.
func (p *picker) take(i int32, taken []bool) {
	for n, k := 0, i; ; n, k = n+1, p.units[k].over-1 {
		u := &p.units[k]
		if k != i && !p.strict {
			u.text = cutMarked(u.text, overBytes)
		}
		taken[k] = true
		for _, a := range p.atomsOf(u) {
			p.seen[a] = true
		}
		if u.over == 0 || taken[u.over-1] || n == p.mostAbove {
			return
		}
	}
}
