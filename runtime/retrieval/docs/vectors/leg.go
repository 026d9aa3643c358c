package vectors

import (
	"context"
	"math"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// Table are the vectors of the passages of an index, by their numbers. A passage
// without one has zeros.
type Table struct {
	Dims int
	Flat []float32
	Have int // passages that have one
}

// NewTable is empty.
func NewTable(dims, passages int) *Table {
	return &Table{Dims: dims, Flat: make([]float32, dims*passages)}
}

// Put takes the vectors of passages from first on.
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
	// Dot is the product of a vector with that of a passage; 0 where that has none.
	Dot(v []float32, passage int) float64
	// Need says of which passages products with other vectors than the question's will be asked.
	Need(ctx context.Context, passages []int) error
}

// NewLeg compares passages with the vector of a question. It scores one search.
func NewLeg(name string, from Source, v []float32, parts []Part) *Leg {
	l := &Leg{name: name, from: from, v: Unit(v)}
	length := size(v)
	if length == 0 {
		return l
	}
	for _, p := range parts {
		scaled := make([]float32, len(p.Vector))
		over(scaled, p.Vector, length)
		l.parts = append(l.parts, Part{p.Key, scaled})
	}
	return l
}

// Name is the leg's.
func (l *Leg) Name() string { return l.name }

// Score gives each passage its cosine, over the mean of all that are allowed.
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

// Unit is a vector made of length one, unless it is zero.
func Unit(v []float32) []float32 {
	out := make([]float32, len(v))
	if length := size(v); length > 0 {
		over(out, v, length)
	}
	return out
}

// Dot is the product of a vector with that of a passage.
func (t *Table) Dot(v []float32, passage int) float64 {
	if len(v) != t.Dims || (passage+1)*t.Dims > len(t.Flat) {
		return 0
	}
	return index.Dot(v, t.Flat[passage*t.Dims:(passage+1)*t.Dims])
}

// Need has nothing to do: all is in memory.
func (t *Table) Need(context.Context, []int) error { return nil }

// Keys of the parts that no word of the question has.
const (
	wholeKey = "(the whole question)"
	meanKey  = "(less the mean)"
)

// Explain tells what the parts of the question gave, and what the mean took.
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

// over divides numbers by a length. One that is none, as a broken endpoint sends it, is 0: a score that is no number
// could not be written.
func over(out, v []float32, length float64) {
	for i, x := range v {
		if finite(x) {
			out[i] = float32(float64(x) / length)
		}
	}
}

// size is the length of a vector, beyond what 32 bits hold.
func size(v []float32) float64 {
	sum := 0.0
	for _, x := range v {
		if finite(x) {
			sum += float64(x) * float64(x)
		}
	}
	return math.Sqrt(sum)
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }
