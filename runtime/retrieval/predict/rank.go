package predict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Feedback is a person's opinion of a tool.
type Feedback int8

const (
	Relevant   Feedback = 1  // always on the list
	Irrelevant Feedback = -1 // not on the list, unless it is used or nothing else is left
)

// Stage says what evidence a ranking had, from the most to the least.
type Stage string

const (
	BySession Stage = "session" // the calls of the session
	ByProfile Stage = "profile" // no call yet: what past sessions used
	BySpread  Stage = "spread"  // nothing learnt: words of the task, then each server in turn
	ByAll     Stage = "all"     // every tool fits
)

// Tier is the part of a ranking that a tool is in. Chances order the tools of each.
type Tier int8

const (
	Used      Tier = iota // by this session: stays on the list
	Pinned                // a person said that it is relevant
	Predicted             // by its chance
	Dismissed             // a person said that it is not relevant
)

// Request says what to rank for.
type Request struct {
	Trace    *Trace
	Now      time.Time           // zero: the latest session learnt
	Feedback map[string]Feedback // by id of the tool
	Show     int                 // number of tools that will be shown, to tell whether all fit; 0 if unknown
	Explain  int                 // number of tools that will be explained, if the model is released: see Detach
}

// Ranked is one tool of a ranking.
type Ranked struct {
	Tool   string
	Tier   Tier
	Chance float64 // 0 to 1, that the session still wants it; not calibrated, see README.md

	at int // in the catalog
}

// Ranking holds all tools of a catalog, best first.
type Ranking struct {
	Stage  Stage
	Tools  []Ranked
	Learnt float64 // sessions that it is based on, older ones counting less

	blend  *Blend
	state  *State
	shares [][]float64       // by predictor, by tool of the catalog: adds up to the chance
	whys   map[string]string // set once it is detached
}

// Weights maps each predictor's name to its weight. Only their proportions count.
type Weights map[string]float64

// DefaultWeights were found on sessions of agents over 38 servers; README.md has the figures.
var DefaultWeights = Weights{
	"frequency":    0.005,
	"cooccurrence": 0.09,
	"sequence":     0.25,
	"server":       0.60,
	"task":         0.03,
	"similarity":   0.05,
	"affinity":     0.05,
	"likeness":     0.015,
}

// DefaultHalfLife is the time after which a session counts half as much.
const DefaultHalfLife = 30 * 24 * time.Hour

// Blend combines predictors into one: the chance of a tool is the weighted mean of their estimates
// (a linear opinion pool) over the predictors that say anything, so that shares add up.
type Blend struct {
	predictors []Predictor
	weights    []float64 // together 1
}

// NewBlend joins the predictors of this package. A predictor without a weight says nothing.
func NewBlend(w Weights) *Blend { return NewBlendOf(Predictors(), w) }

// NewBlendOf joins the given predictors.
func NewBlendOf(list []Predictor, w Weights) *Blend {
	b := &Blend{predictors: list}
	sum := 0.0
	for _, p := range list {
		b.weights = append(b.weights, max(0, w[p.Name()]))
		sum += b.weights[len(b.weights)-1]
	}
	for i := range b.weights {
		if sum > 0 {
			b.weights[i] /= sum
		}
	}
	return b
}

// Rank orders all tools of the catalog: used ones, pinned ones, the others by their chance,
// dismissed ones. Equal tools are ordered by name or, if nothing was learnt, taken from each server
// in turn.
func (b *Blend) Rank(m *Model, c *Catalog, r Request) *Ranking {
	if r.Trace == nil {
		r.Trace = NewTrace(time.Time{}, "")
	}
	s := newState(m, c, r.Trace, r.Now)
	out := &Ranking{Stage: s.stage(r.Show), Learnt: m.Sessions(r.Now), Tools: make([]Ranked, c.Len()), blend: b, state: s}
	said := 0.0 // the weights of the predictors that say anything
	estimates := make([]float64, len(b.predictors)*c.Len())
	for k, p := range b.predictors {
		part := estimates[k*c.Len() : (k+1)*c.Len()]
		out.shares = append(out.shares, part)
		if b.weights[k] > 0 && runPredictor(p, s, part) {
			said += b.weights[k]
		}
	}
	for k, part := range out.shares {
		for i := range part {
			if part[i] > 0 {
				part[i] *= b.weights[k] / said
				out.Tools[i].Chance += part[i]
			}
		}
	}
	turns := s.serverTurns(out.Stage)
	for i := range out.Tools {
		out.Tools[i].Tool, out.Tools[i].at, out.Tools[i].Tier = c.ids[i], i, s.tier(i, r.Feedback)
	}
	slices.SortFunc(out.Tools, func(x, y Ranked) int {
		if d := cmp.Or(cmp.Compare(x.Tier, y.Tier), cmp.Compare(y.Chance, x.Chance)); d != 0 {
			return d
		}
		if turns != nil && turns[x.at] != turns[y.at] {
			return turns[x.at] - turns[y.at]
		}
		return x.at - y.at
	})
	return out
}

// runPredictor runs a predictor and reports whether it estimates anything.
func runPredictor(p Predictor, s *State, out []float64) bool {
	p.Predict(s, out)
	says := false
	for i, x := range out {
		if !(x > 0) { // also if x is NaN
			x = 0
		}
		out[i] = min(1, x)
		says = says || x > 0
	}
	return says
}

// stage returns the evidence that the ranking has.
func (s *State) stage(show int) Stage {
	switch {
	case show > 0 && s.Len() <= show:
		return ByAll
	case s.trace.calls > 0:
		return BySession
	}
	for _, id := range s.known {
		if id >= 0 {
			return ByProfile
		}
	}
	return BySpread
}

// tier returns the tier of a tool.
func (s *State) tier(i int, said map[string]Feedback) Tier {
	switch f := said[s.catalog.ids[i]]; {
	case s.inUse[i]:
		return Used
	case f == Relevant:
		return Pinned
	case f == Irrelevant:
		return Dismissed
	}
	return Predicted
}

// serverTurns numbers the tools of each server if servers take turns, and otherwise returns nil.
func (s *State) serverTurns(stage Stage) []int {
	if stage != BySpread {
		return nil
	}
	out := make([]int, s.Len())
	for _, members := range s.catalog.members {
		for n, i := range members {
			out[i] = n
		}
	}
	return out
}

// String lists the weights by name.
func (w Weights) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(w)) {
		parts = append(parts, fmt.Sprintf("%s %.4g", name, w[name]))
	}
	return strings.Join(parts, ", ")
}
