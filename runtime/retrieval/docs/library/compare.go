package library

import (
	"context"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// fewPart is the divisor for the part of the passages, a tenth, that a database compares faster than
// a process reads the vectors of all.
const fewPart = 10

// fewAllowed reports whether a filter leaves so few passages that the vectors of the others need not be read.
func (at *loaded) fewAllowed(allow *index.Set) bool {
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

// firstRequest reports whether the vectors of a tier were not requested since they changed. A caller that
// asks once, such as a command, need not read them if the database can compare them; a process that
// asks again has them in memory from then on, where comparing takes a fraction of the time.
func (at *loaded) firstRequest(ctx context.Context, v View, t Tier) (bool, error) {
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

// compared holds the products of a question and the passages that may be found, which the database
// computed.
type compared struct {
	at   *loaded
	v    View
	tier string
	dots []float32
	some map[int][]float32 // vectors of passages
}

// compareInDatabase lets the database compare a question with the passages that may be found. It returns nil
// if the database cannot compare all of them.
func (at *loaded) compareInDatabase(ctx context.Context, v View, tier string, with Comparer, vector []float32, allow *index.Set) (*compared, error) {
	var contents []string
	for _, d := range at.docs {
		if slices.ContainsFunc(passageNumbers(d), allow.Has) {
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
		} else if slices.ContainsFunc(passageNumbers(d), allow.Has) {
			return nil, nil // missing vectors are reported when they are read
		}
	}
	return c, nil
}

// passageNumbers returns the numbers of a document's passages.
func passageNumbers(d Document) []int {
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
		d, _ := c.at.documentOf(p)
		of[d.Content] = d
	}
	rows, err := c.v.Vectors(ctx, c.tier, slices.Sorted(maps.Keys(of))...)
	if err != nil {
		return err
	}
	c.some = map[int][]float32{}
	for _, p := range passages {
		d, n := c.at.documentOf(p)
		if r := rows[d.Content]; n < r.Len() {
			flat := make([]float32, r.Len()*r.Dims)
			r.Into(flat)
			c.some[p] = flat[n*r.Dims : (n+1)*r.Dims]
		}
	}
	return nil
}

// Dot returns the product of v and a passage whose vector Need has read, and otherwise the product
// of the question and the passage, which the database computed.
func (c *compared) Dot(v []float32, passage int) float64 {
	if x, have := c.some[passage]; have && len(x) == len(v) {
		return index.Dot(v, x)
	}
	return float64(c.dots[passage])
}
