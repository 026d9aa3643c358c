package vectors

import (
	"context"
	"math"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// Table holds the vectors of the passages of an index, by their numbers. A passage without a vector
// has zeros.
type Table struct {
	Dims int
	Flat []float32
	Have int // number of passages with a vector
}

// NewTable returns an empty table.
func NewTable(dims, passages int) *Table {
	return &Table{Dims: dims, Flat: make([]float32, dims*passages)}
}

// Put sets the vectors of passages from first on.
func (t *Table) Put(first int, r Rows) {
	r.Into(t.Flat[first*t.Dims : (first+r.Len())*t.Dims])
	t.Have += r.Len()
}

// Leg compares passages with a question.
type Leg struct {
	name  string
	from  Source
	v     []float32
	parts []Part
	mean  float64
}

// Source has the vectors of passages.
type Source interface {
	// Dot returns the product of a vector with that of a passage, or 0 if the passage has none.
	Dot(v []float32, passage int) float64
	// Need announces the passages whose products with vectors other than the question's will be requested.
	Need(ctx context.Context, passages []int) error
}

// NewLeg returns a leg that compares passages with the vector of a question. It scores one search.
func NewLeg(name string, from Source, v []float32, parts []Part) *Leg {
	l := &Leg{name: name, from: from, v: Unit(v)}
	length := vectorLength(v)
	if length == 0 {
		return l
	}
	for _, p := range parts {
		scaled := make([]float32, len(p.Vector))
		divideBy(scaled, p.Vector, length)
		l.parts = append(l.parts, Part{p.Key, scaled})
	}
	return l
}

// Name returns the name of the leg.
func (l *Leg) Name() string { return l.name }

// Score gives each passage its cosine, less the mean of all that are allowed.
func (l *Leg) Score(ctx context.Context, _ *index.Question, allow *index.Set, scores []float64) error {
	sum, n := 0.0, 0
	for p := range scores {
		if !allow.Has(p) {
			continue
		}
		scores[p] = l.from.Dot(l.v, p)
		if scores[p] != 0 {
			sum += scores[p]
			n++
		}
	}
	l.mean = sum / float64(max(n, 1))
	for p := range scores {
		if scores[p] != 0 {
			scores[p] -= l.mean
		}
	}
	return ctx.Err()
}

// Unit returns a vector scaled to length one, unless it is zero.
func Unit(v []float32) []float32 {
	out := make([]float32, len(v))
	if length := vectorLength(v); length > 0 {
		divideBy(out, v, length)
	}
	return out
}

// Dot returns the product of a vector and the vector of a passage.
func (t *Table) Dot(v []float32, passage int) float64 {
	if len(v) != t.Dims || (passage+1)*t.Dims > len(t.Flat) {
		return 0
	}
	return index.Dot(v, t.Flat[passage*t.Dims:(passage+1)*t.Dims])
}

// Need does nothing: all vectors are in memory.
func (t *Table) Need(context.Context, []int) error { return nil }

// Keys of the parts that belong to no word of the question.
const (
	wholeKey = "(the whole question)"
	meanKey  = "(less the mean)"
)

// Explain returns the contributions of the parts of the question, and the mean that was subtracted.
func (l *Leg) Explain(ctx context.Context, _ *index.Question, passages []int) ([][]index.Part, error) {
	out := make([][]index.Part, len(passages))
	if len(l.parts) > 0 {
		if err := l.from.Need(ctx, passages); err != nil {
			return nil, err
		}
	}
	for i, p := range passages {
		all := l.from.Dot(l.v, p)
		if all == 0 {
			continue
		}
		rest := all
		for _, part := range l.parts {
			s := l.from.Dot(part.Vector, p)
			rest -= s
			out[i] = append(out[i], index.Part{Key: part.Key, Score: s})
		}
		if len(l.parts) == 0 || math.Abs(rest) > 1e-6 {
			out[i] = append(out[i], index.Part{Key: wholeKey, Score: rest})
		} else {
			out[i][0].Score += rest // of rounding
		}
		out[i] = append(out[i], index.Part{Key: meanKey, Score: -l.mean})
	}
	return out, nil
}

// divideBy divides numbers by a length. NaN and infinities, as a broken endpoint sends them, become 0:
// a score that is not a number could not be encoded.
func divideBy(out, v []float32, length float64) {
	for i, x := range v {
		if isFinite(x) {
			out[i] = float32(float64(x) / length)
		}
	}
}

// vectorLength returns the length of a vector, which may be beyond the range of 32 bits.
func vectorLength(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		if isFinite(x) {
			sum += float64(x) * float64(x)
		}
	}
	return math.Sqrt(sum)
}

func isFinite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
