package bench

import (
	"slices"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Cost is the distribution of what questions cost, in total and by part.
type Cost struct {
	CPU   Spread          `json:"cpu_ms"`
	Wall  Spread          `json:"wall_ms"`
	Parts map[string]Part `json:"parts"`

	order []string // of the parts, in the order they run
}

// Part is the cost of one part of a question.
type Part struct {
	CPU  Spread `json:"cpu_ms"`
	Wall Spread `json:"wall_ms"`
}

// Spread is the median and the 95th percentile of some times.
type Spread struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// samples holds the timings of some questions, by part.
type samples struct {
	list  []map[string]catalog.Spent
	order []string // of the parts as they began; PartRest comes last
}

func (s *samples) add(p *catalog.Probe) {
	s.list = append(s.list, p.Parts())
	for _, name := range p.Names() {
		if !slices.Contains(s.order, name) {
			s.order = append(s.order, name)
		}
	}
	s.order = append(slices.DeleteFunc(s.order, func(name string) bool { return name == catalog.PartRest }), catalog.PartRest)
}

func (s samples) cost() Cost {
	c := Cost{Parts: map[string]Part{}, order: s.order}
	for _, p := range s.order {
		c.Parts[p] = s.part(func(of map[string]catalog.Spent) catalog.Spent { return of[p] })
	}
	whole := s.part(func(of map[string]catalog.Spent) (sum catalog.Spent) {
		for _, p := range of {
			sum.CPU += p.CPU
			sum.Wall += p.Wall
		}
		return sum
	})
	c.CPU, c.Wall = whole.CPU, whole.Wall
	return c
}

func (s samples) part(of func(map[string]catalog.Spent) catalog.Spent) Part {
	var cpu, wall []float64
	for _, m := range s.list {
		spent := of(m)
		cpu, wall = append(cpu, float64(spent.CPU)/1e6), append(wall, float64(spent.Wall)/1e6)
	}
	return Part{CPU: spreadOf(cpu), Wall: spreadOf(wall)}
}

// spreadOf returns nearest-rank percentiles. It sorts ms in place.
func spreadOf(ms []float64) Spread {
	if len(ms) == 0 {
		return Spread{}
	}
	slices.Sort(ms)
	at := func(share float64) float64 { return ms[min(len(ms)-1, int(share*float64(len(ms))))] }
	return Spread{P50: at(0.5), P95: at(0.95)}
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
