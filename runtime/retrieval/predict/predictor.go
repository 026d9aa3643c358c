package predict

import (
	"math"
	"time"
)

// Predictor estimates for each tool of a catalog how likely the session still wants it. It is
// stateless: the same state gives the same numbers.
type Predictor interface {
	// Name is the key of the predictor's weight.
	Name() string
	// Predict adds its estimate, 0 to 1, to the value of each tool in out. Tools that it knows
	// nothing about keep their values.
	Predict(s *State, out []float64)
	// Why names in a few words the evidence for a tool's estimate.
	Why(s *State, tool int) string
}

// Predictors returns the predictors of this package, in the order in which shares are shown.
func Predictors() []Predictor {
	return []Predictor{frequency{}, cooccurrence{}, sequence{}, server{}, task{}, similarity{}, affinity{}, likeness{}}
}

// prior is the number of sessions without a tool that are assumed before anything was counted, so
// that one session proves little.
const prior = 0.5

// nearer is the factor by which each tool used before the latest one counts less.
const nearer = 0.7

// State is a session as predictors see it: its trace, what was learnt, and the tools
// that could be shown.
type State struct {
	model   *Model
	catalog *Catalog
	trace   *Trace
	fade    float64

	known []int32 // by tool of the catalog: its number in the model, or -1
	place []int32 // by number in the model: the tool of the catalog, or -1
	used  []usedTool
	inUse []bool // by tool of the catalog
	task  []string
}

// usedTool is a tool that the session used.
type usedTool struct {
	name   string
	id     int32   // in the model, or -1
	at     int     // in the catalog, or -1
	weight float64 // of its evidence; together 1
}

// Len returns the number of tools; they are numbered from 0.
func (s *State) Len() int { return s.catalog.Len() }

// Tool returns the id of a tool.
func (s *State) Tool(i int) string { return s.catalog.ids[i] }

// Used reports whether the session used a tool.
func (s *State) Used(i int) bool { return s.inUse[i] }

// Trace returns the session so far.
func (s *State) Trace() *Trace { return s.trace }

func newState(m *Model, c *Catalog, t *Trace, now time.Time) *State {
	s := &State{model: m, catalog: c, trace: t, fade: m.fade(now), inUse: make([]bool, c.Len()), task: t.task}
	s.known, s.place = make([]int32, c.Len()), make([]int32, len(m.tools.names))
	for i := range s.place {
		s.place[i] = -1
	}
	for i, id := range c.ids {
		s.known[i] = -1
		if n, ok := m.tools.find(id); ok {
			s.known[i], s.place[n] = n, int32(i)
		}
	}
	for tool := range t.last {
		if at, ok := c.index[tool]; ok {
			s.inUse[at] = true
		}
	}
	s.weighUsed()
	return s
}

// weighUsed lists the tools that were used, the latest call first, each counting less than the one
// called after it.
func (s *State) weighUsed() {
	recent := s.trace.byLastCall()
	sum, weight := 0.0, 1.0
	for _, name := range recent {
		u := usedTool{name: name, id: -1, at: -1, weight: weight}
		if id, ok := s.model.tools.find(name); ok {
			u.id = id
		}
		if at, ok := s.catalog.index[name]; ok {
			u.at = at
		}
		s.used = append(s.used, u)
		sum += weight
		weight *= nearer
	}
	for i := range s.used {
		s.used[i].weight /= sum
	}
}

// fadedCount converts a count of the model to the moment of the state.
func (s *State) fadedCount(count float64) float64 { return count * s.fade }

// roundCount rounds a count for display.
func roundCount(count float64) int { return int(math.Round(count)) }
