package library

import (
	"context"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// fewPart is how much of the passages, as one of so many, a database compares faster than a
// process reads the vectors of all.
const fewPart = 10

// few reports whether a filter leaves so little that the vectors of the rest need not be read.
func (at *loaded) few(allow *index.Set) bool {
	if allow == nil {
		return false
	}
	n := 0
	for p := range at.index.Len() {
		if allow.Has(p) {
			n++
		}
	}
	return n*fewPart <= at.index.Len()
}

// first reports whether the vectors of a tier were not asked for since they changed. Who asks
// once, as a command does, need not read them where the database can compare them; a process
// that asks again has them in memory from then on, where comparing takes a fraction of the time.
func (at *loaded) first(ctx context.Context, v View, t Tier) (bool, error) {
	id := t.ID()
	mark, err := v.VectorMark(ctx, id)
	if err != nil {
		return false, err
	}
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.seen[id] == mark || at.tables[id].mark == mark {
		return false, nil
	}
	if at.seen == nil {
		at.seen = map[string]string{}
	}
	at.seen[id] = mark
	return true, nil
}

// compared are the products of the passages that may be found with a question, which the
// database has made.
type compared struct {
	at   *loaded
	v    View
	tier string
	dots []float32
	some map[int][]float32 // vectors of passages
}

// compare has the database compare a question with the passages that may be found; nil where
// it cannot, or not with all of them.
func (at *loaded) compare(ctx context.Context, v View, tier string, with Comparer, vector []float32, allow *index.Set) (*compared, error) {
	var contents []string
	for _, d := range at.docs {
		if slices.ContainsFunc(numbers(d), allow.Has) {
			contents = append(contents, d.Content)
		}
	}
	if len(contents) == 0 {
		return nil, nil
	}
	dots, err := with(ctx, vectors.Unit(vector), contents)
	if err != nil {
		return nil, err
	}
	c := &compared{at: at, v: v, tier: tier, dots: make([]float32, at.index.Len())}
	for _, d := range at.docs {
		got, have := dots[d.Content]
		if have && len(got) == d.Chunks {
			copy(c.dots[d.First:], got)
		} else if slices.ContainsFunc(numbers(d), allow.Has) {
			return nil, nil // what is missing is said by who reads them
		}
	}
	return c, nil
}

// numbers are those of a document's passages.
func numbers(d Document) []int {
	out := make([]int, d.Chunks)
	for i := range out {
		out[i] = d.First + i
	}
	return out
}

// Need reads the vectors of a few passages.
func (c *compared) Need(ctx context.Context, passages []int) error {
	of := map[string]Document{}
	for _, p := range passages {
		d, _ := c.at.passage(p)
		of[d.Content] = d
	}
	rows, err := c.v.Vectors(ctx, c.tier, slices.Sorted(maps.Keys(of))...)
	if err != nil {
		return err
	}
	c.some = map[int][]float32{}
	for _, p := range passages {
		d, n := c.at.passage(p)
		if r := rows[d.Content]; n < r.Len() {
			flat := make([]float32, r.Len()*r.Dims)
			r.Into(flat)
			c.some[p] = flat[n*r.Dims : (n+1)*r.Dims]
		}
	}
	return nil
}

// Dot is that of the question, which the database has made, and of other vectors where they
// were said to be needed.
func (c *compared) Dot(v []float32, passage int) float64 {
	if x, have := c.some[passage]; have && len(x) == len(v) {
		return index.Dot(v, x)
	}
	return float64(c.dots[passage])
}
