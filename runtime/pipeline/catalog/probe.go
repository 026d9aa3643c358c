package catalog

import (
	"slices"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// PartRest is the time of a run that belongs to no part named by a builtin.
const PartRest = "rest"

// Probe measures where the time of a run goes, by the parts that builtins name with
// event.Mark. It is a view of the run's events. A nil Probe measures nothing.
type Probe struct {
	mu    sync.Mutex
	part  string
	clock func() Spent
	last  Spent
	parts map[string]Spent
	names []string // of the parts, in the order in which they began
}

// Spent is time used by the whole process, in nanoseconds.
type Spent struct{ CPU, Wall int64 }

// NewProbe returns a Probe that begins in PartRest. clock returns the time spent since any fixed moment.
func NewProbe(clock func() Spent) *Probe {
	return &Probe{part: PartRest, clock: clock, last: clock(), parts: map[string]Spent{}}
}

// View begins the part that an event marks.
func (p *Probe) View(e event.Event) {
	if p != nil && e.Kind == event.Builtin && e.Phase == event.Step {
		p.To(e.Name)
	}
}

// To ends the current part and begins another.
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
	if !slices.Contains(p.names, part) {
		p.names = append(p.names, part)
	}
}

// Parts ends the current part and returns the time spent in each.
func (p *Probe) Parts() map[string]Spent {
	if p == nil {
		return nil
	}
	p.To(PartRest)
	return p.parts
}

// Names lists the parts in the order in which they began.
func (p *Probe) Names() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.names)
}
