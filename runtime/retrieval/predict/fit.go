package predict

import (
	"math"
	"slices"
	"time"
)

// maxCases limits the steps that a fit looks at; if there are more, sessions are left out evenly.
const maxCases = 6000

// Fitter finds weights for a blend: it is given sessions that the model has not learnt, and
// searches for the weights whose lists would have held most of the tools they called. The same
// sessions give the same weights.
type Fitter struct {
	lengths  []int
	blend    *Blend
	sessions [][]fitCase
}

// fitCase is one step of a session: the estimates of each predictor, and the tools that came.
type fitCase struct {
	estimates [][]float32 // by predictor, of the tools not used yet
	wanted    []int       // among them: the tool called next, or at the start all that the session calls
	used      int         // places taken by tools that were used
	start     bool
}

// NewFitter returns a Fitter for lists of the given lengths.
func NewFitter(lengths ...int) *Fitter {
	return &Fitter{lengths: lengths, blend: NewBlendOf(Predictors(), nil)}
}

// Add adds a session that the lists of the model are compared with. The model must not have learnt
// it.
func (f *Fitter) Add(m *Model, c *Catalog, start time.Time, task string, tools []string) {
	t := NewTrace(start, task)
	var cases []fitCase
	for i, tool := range tools {
		if !t.Used(tool) {
			wanted := []string{tool}
			if i == 0 {
				wanted = slices.Compact(slices.Sorted(slices.Values(tools)))
			}
			if k := f.caseAt(m, c, t, wanted); len(k.wanted) > 0 {
				k.start = i == 0
				cases = append(cases, k)
			}
		}
		t.Add(tool)
	}
	if len(cases) > 0 {
		f.sessions = append(f.sessions, cases)
	}
}

// caseAt returns the case at the current step of a session.
func (f *Fitter) caseAt(m *Model, c *Catalog, t *Trace, wanted []string) fitCase {
	s := newState(m, c, t, time.Time{})
	var k fitCase
	all := make([]float64, c.Len())
	for _, p := range f.blend.predictors {
		clear(all)
		p.Predict(s, all)
		row := make([]float32, 0, c.Len())
		for i, x := range all {
			if !s.inUse[i] {
				row = append(row, float32(min(1, max(0, x))))
			}
		}
		k.estimates = append(k.estimates, row)
	}
	n := 0
	for i := range all {
		if s.inUse[i] {
			k.used++
			continue
		}
		if slices.Contains(wanted, c.ids[i]) {
			k.wanted = append(k.wanted, n)
		}
		n++
	}
	return k
}

// steps of the search: the factors that a weight is multiplied by, and the values tried if it is 0.
var (
	factors = []float64{0, 0.25, 0.5, 0.7, 1.4, 2, 4}
	from0   = []float64{0.02, 0.1, 0.3}
)

// Search searches for weights, starting from the given ones and from equal ones: one weight after
// the other is multiplied, and kept if the lists get better by more than noise, until none does.
// Coordinate search needs no gradient, which a share of hits does not have.
func (f *Fitter) Search(from Weights) Weights {
	sessions := f.sample()
	given, equal := make([]float64, len(f.blend.predictors)), make([]float64, len(f.blend.predictors))
	for k, p := range f.blend.predictors {
		given[k], equal[k] = max(0, from[p.Name()]), 1
	}
	best, w := f.climb(sessions, given), given
	if f.climb(sessions, equal) > best+least {
		w = equal
	}
	sum := 0.0
	for _, x := range w {
		sum += x
	}
	out := Weights{}
	for k, p := range f.blend.predictors {
		out[p.Name()] = math.Round(1e5*w[k]/max(sum, 1e-9)) / 1e5
	}
	return out
}

// climb improves w until no weight makes the lists better, and returns how good they are.
func (f *Fitter) climb(sessions [][]fitCase, w []float64) float64 {
	best := f.value(sessions, w)
	for range 12 {
		before := best
		for k := range w {
			best = f.improveWeight(sessions, w, k, best)
		}
		if best == before {
			break
		}
	}
	return best
}

// least is the minimum improvement of the lists for a weight to change.
const least = 5e-4

// improveWeight tries other values of one weight and keeps the best.
func (f *Fitter) improveWeight(sessions [][]fitCase, w []float64, k int, best float64) float64 {
	old, keep := w[k], w[k]
	tries := make([]float64, 0, len(factors))
	if old == 0 {
		tries = append(tries, from0...)
	} else {
		for _, x := range factors {
			tries = append(tries, old*x)
		}
	}
	top := best + least
	for _, x := range tries {
		w[k] = x
		if v := f.value(sessions, w); v > top {
			top, keep, best = v, x, v
		}
	}
	w[k] = keep
	return best
}

// Value returns the share of the tools called by sessions that lists by these weights would have
// held: the weighted mean of the start and of first uses later, over lengths and sessions.
func (f *Fitter) Value(w Weights) float64 {
	list := make([]float64, len(f.blend.predictors))
	for k, p := range f.blend.predictors {
		list[k] = w[p.Name()]
	}
	return f.value(f.sample(), list)
}

// startShare is the weight of the list before any call in a fit: a client that lists tools once
// gets no other.
const startShare = 0.25

func (f *Fitter) value(sessions [][]fitCase, w []float64) float64 {
	var start, later mean
	var score []float64
	for _, cases := range sessions {
		var mine mean
		for _, k := range cases {
			score = k.blend(w, score)
			hit := k.hits(score, f.lengths)
			if k.start {
				start.add(hit)
			} else {
				mine.add(hit)
			}
		}
		if mine.n > 0 {
			later.add(mine.value())
		}
	}
	return startShare*start.value() + (1-startShare)*later.value()
}

// blend returns the weighted sum of the estimates.
func (k fitCase) blend(w []float64, into []float64) []float64 {
	n := len(k.estimates[0])
	into = slices.Grow(into[:0], n)[:n]
	clear(into)
	for p, row := range k.estimates {
		if w[p] == 0 {
			continue
		}
		for i, x := range row {
			into[i] += w[p] * float64(x)
		}
	}
	return into
}

// hits returns the share of the wanted tools that a list holds, averaged over lengths.
func (k fitCase) hits(score []float64, lengths []int) float64 {
	var m mean
	for _, at := range k.wanted {
		rank := k.used
		for i, x := range score {
			if x > score[at] || x == score[at] && i < at {
				rank++
			}
		}
		for _, length := range lengths {
			m.add(asFloat(rank < length))
		}
	}
	return m.value()
}

// sample returns the sessions, thinned out evenly to limit the cases.
func (f *Fitter) sample() [][]fitCase {
	n := 0
	for _, s := range f.sessions {
		n += len(s)
	}
	every := max(1, (n+maxCases-1)/maxCases)
	var out [][]fitCase
	for i := 0; i < len(f.sessions); i += every {
		out = append(out, f.sessions[i])
	}
	return out
}

// mean is a running mean; 0 of nothing.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(x float64) { m.sum += x; m.n++ }

func (m *mean) value() float64 {
	if m.n == 0 {
		return 0
	}
	return m.sum / float64(m.n)
}

func asFloat(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
