package ranking

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Weights maps the names of the legs of a search to their weights.
type Weights = map[string]float64

// Found is a document of a list, with the score of each leg at a weight of 1.
type Found struct {
	ID    string
	Score float64
	Legs  map[string]float64
}

// Searcher answers queries, best first, from the documents of a suite.
type Searcher interface {
	Search(ctx context.Context, text string, weights Weights, limit int) ([]Found, error)
}

// depth is how many documents a list has, as recall@100 requires.
const depth = 100

// Row holds the results of one run over a suite.
type Row struct {
	Run     string   `json:"run"`
	Weights Weights  `json:"weights,omitempty"`
	Mean    Scores   `json:"scores"`
	P50     float64  `json:"p50_ms"` // of the time of a query
	P95     float64  `json:"p95_ms"`
	Each    []Scores `json:"-"` // by query
	Lists   []List   `json:"-"`
}

// List is the answer to one query.
type List struct {
	Query string
	Found []Found
}

// IDs returns the ids of the documents of a list.
func (l List) IDs() []string {
	ids := make([]string, len(l.Found))
	for i, f := range l.Found {
		ids[i] = f.ID
	}
	return ids
}

// Run asks all queries of a suite with one set of weights. step is called after
// each query.
func Run(ctx context.Context, s *Suite, from Searcher, name string, weights Weights, step func()) (Row, error) {
	row := Row{Run: name, Weights: weights}
	var times []time.Duration
	for _, q := range s.Queries {
		start := time.Now()
		found, err := from.Search(ctx, q.Text, weights, depth)
		if err != nil {
			return row, fmt.Errorf("query %s: %w", q.ID, err)
		}
		times = append(times, time.Since(start))
		list := List{q.ID, found}
		row.Lists = append(row.Lists, list)
		row.Each = append(row.Each, Score(list.IDs(), q.Grades))
		step()
	}
	row.Mean = Mean(row.Each)
	row.P50, row.P95 = Quantile(times, 0.5), Quantile(times, 0.95)
	return row, nil
}

// Quantile returns the time in milliseconds that a share q of the times does not exceed, 0 for no times.
func Quantile(times []time.Duration, q float64) float64 {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return float64(sorted[int(q*float64(len(sorted)-1))].Microseconds()) / 1000
}
