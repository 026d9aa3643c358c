package catalog

import "sync"

// The parts of a question that a probe tells apart. What belongs to none of the
// others is Rest: reading the question, the report, the checks on the way out.
const (
	PartWalk    = "walk"    // finding the files
	PartScan    = "scan"    // counting the question's words in all of them
	PartRead    = "read"    // reading the best by definition, and ranking
	PartAnalyze = "analyze" // callers, and what the best ones do
	PartRest    = "rest"
)

// Probe measures where the time of a question goes. A nil Probe measures
// nothing.
type Probe struct {
	mu    sync.Mutex
	part  string
	clock func() Spent
	last  Spent
	parts map[string]Spent
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
}

// Parts ends the part at hand and gives what each took.
func (p *Probe) Parts() map[string]Spent {
	if p == nil {
		return nil
	}
	p.To(PartRest)
	return p.parts
}
