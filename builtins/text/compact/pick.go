package compact

import (
	"math"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// unit is a piece of a text that is kept or left out.
type unit struct {
	text   string
	number string  // of its line, where the tool printed one
	lead   string  // blanks before its line that are kept
	line   int     // of the source, from 0
	own    float64 // what its form and its words are worth
	from   int32   // of the atoms of its text, among those of the picker
	to     int32
	size   int32  // what its worth is divided for
	like   uint64 // equal for units that differ in numbers only
	glued  bool   // it goes on where the unit before ends, without a space
	again  bool   // an earlier line says the same: it is counted and not shown
	lost   bool   // what it stands below was not read
	over   int32  // the unit it stands below, counted from 1; 0 for none
	with   int32  // the unit that is shown with it, in the same way
}

// picker chooses units.
type picker struct {
	units       []unit
	atoms       []int32   // of all units, one behind the other
	worth       []float64 // of atoms
	count       []int32   // of atoms, in the whole text
	ids         *numbers  // of atoms
	known       map[string]bool
	seen        []bool
	values      []float64
	queues      []*queue
	weighed     bool           // by how often an atom stands in the text
	dense       bool           // units are as long as their tokens say
	beside      int            // bytes that each unit costs besides its own
	mostOfAtoms float64        // what the atoms of one unit can be worth
	mostAbove   int            // how many of the units that one stands below are shown with it
	nested      bool           // lines are set in below what they stand below
	strict      bool           // what they stand below is shown whole
	alike       []float64      // what is left of the worth of a unit when so many like it were kept
	notes       map[int]string // that lines cost besides their own
	firm        float64        // units that are worth as much by themselves lose as alikeFirm says; 0 for none
}

// newPicker makes a picker with room for n units.
func (s *shortener) newPicker(n int) *picker {
	return &picker{
		units: make([]unit, 0, n), ids: newNumbers(n), worth: make([]float64, 0, n), count: make([]int32, 0, n),
		known: s.subject.known, dense: s.dense, alike: alikeTo, mostOfAtoms: maxOf,
	}
}

// denseBytes is how long a token is, as it is estimated, in a text of usual density.
const denseBytes = 3

// add takes a unit up, with the atoms of its text.
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

// value is what a unit adds to what was chosen, for its length, if none like it was chosen.
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
		if p.units[i].again || taken[i] {
			p.leave(q)
			continue
		}
		with := p.units[i].with - 1
		cost := p.cost(i) + p.costOver(i, taken)
		if with >= 0 && !taken[with] {
			cost += p.cost(with) // it stands below the same
		}
		if cost <= bytes {
			bytes -= cost
			q.taken++
			p.take(i, taken)
			if with >= 0 {
				p.take(with, taken)
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

// cost is how many bytes a unit takes, with a line break.
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

// costAbove is what a unit costs that is shown for those below it.
func (p *picker) costAbove(i int32) int {
	if p.strict {
		return p.cost(i)
	}
	return min(p.cost(i), overBytes+8)
}

// costOver is what the units cost that a unit stands below and that are not taken yet.
func (p *picker) costOver(i int32, taken []bool) int {
	cost := 0
	for n, k := 0, p.units[i].over; k > 0 && !taken[k-1] && n < p.mostAbove; n, k = n+1, p.units[k-1].over {
		cost += p.costAbove(k - 1)
	}
	return cost
}

// take takes a unit, and what it stands below in short.
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
