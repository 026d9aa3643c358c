package main

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/lab/eval/ranking"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// expands reports whether there is also a run with words added to the queries.
func (f runFlags) expands() bool { return !f.expansion.Empty() }

// expanded searches an index with words of the best passages added to each query, as the
// expand setting of a collection does.
type expanded struct {
	indexed
	texts map[string]string
	with  index.Expansion
}

func newExpanded(ix *index.Index, s *ranking.Suite, with index.Expansion) expanded {
	x := expanded{indexed{ix, nil}, map[string]string{}, with}
	for _, d := range s.Documents {
		x.texts[d.ID] = d.Title + "\n" + d.Text
	}
	return x
}

func (x expanded) Search(ctx context.Context, text string, weights ranking.Weights, limit int) ([]ranking.Found, error) {
	first, err := x.Index.Search(ctx, index.Query{Text: text, Weights: index.Weights{index.LegBM25: 1}, Limit: index.FeedbackPassages})
	if err != nil {
		return nil, err
	}
	var best []index.Top
	for _, h := range first.Hits {
		best = append(best, index.Top{Text: x.texts[h.ID], Score: h.Score})
	}
	x.more = x.Expand(text, best, x.with)
	return x.indexed.Search(ctx, text, weights, limit)
}
