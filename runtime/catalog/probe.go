package catalog

import (
	"slices"
	"sync"
)

// PartRest is the part of a call that belongs to none that a builtin names: reading
// the question, putting the reply together, the checks on the way out.
const PartRest = "rest"

// Probe measures where the time of a call goes: builtins say which part begins. A
// nil Probe measures nothing.
type Probe struct {
	mu    sync.Mutex
	part  string
	clock func() Spent
	last  Spent
	parts map[string]Spent
	order []string // of parts, as they began first; without PartRest
}

// Spent is time of the whole process, in nanoseconds.
type Spent struct{ CPU, Wall int64 }

// NewProbe begins in PartRest. clock tells what was spent since any fixed moment.
func NewProbe(clock func() Spent) *Probe {
	return &Probe{part: PartRest, clock: clock, last: clock(), parts: map[string]Spent{}}
}

// To begins a part and ends the one before.
func (p *Probe) To(part string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	sum := p.parts[p.part]
	p.parts[p.part] = Spent{sum.CPU + now.CPU - p.last.CPU, sum.Wall + now.Wall - p.last.Wall}
	p.part, p.last = part, now
	if part != PartRest && !slices.Contains(p.order, part) {
		p.order = append(p.order, part)
	}
}

// Order lists the parts as they began first; PartRest is the last.
func (p *Probe) Order() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append(slices.Clone(p.order), PartRest)
}

// Parts ends the part at hand and gives what each took.
func (p *Probe) Parts() map[string]Spent {
	if p == nil {
		return nil
	}
	p.To(PartRest)
	return p.parts
}
