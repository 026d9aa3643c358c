package find

import (
	"context"
	"slices"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// counted is a tree whose files were scanned for the words of a question.
type counted struct {
	found  Ranking // result of the scan
	roots  []*sandbox.Root
	ranker *coderank.Ranker
	at     map[string]place // by reference
}

// place locates the file that a reference names.
type place struct {
	root *sandbox.Root
	rel  string
	size int64
}

// countedOf is the key of a question's counts in the memo.
type countedOf struct{ text string }

// countedFor scans the tree for a question, or reuses the counts of an earlier stage of the request
// that searched for the same words.
func countedFor(ctx context.Context, env *catalog.Env, q *coderank.Query, w coderank.Weights) (*counted, error) {
	roots := env.Roots.Roots()
	if known, ok := env.Memo.Get(countedOf{q.Text}).(*counted); ok && slices.Equal(known.roots, roots) {
		if again := known.ranker.Again(q, w); again != nil {
			return &counted{known.found, roots, again, known.at}, nil
		}
	}
	t := &counted{Ranking{budget: env.Scan}, roots, coderank.New(q, w), map[string]place{}}
	if t.found.budget <= 0 {
		t.found.budget = defaultScan
	}
	scan, cancel := context.WithTimeout(ctx, t.found.budget)
	defer cancel()
	collectors := make([]*coderank.Collector, source.CountWorkers(env))
	for i := range collectors {
		collectors[i] = t.ranker.Collector()
	}
	for _, root := range roots {
		if err := scanRoot(scan, env, root, t.ranker, collectors, t.at, &t.found); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	env.Ledger.Scanned(t.found.files)
	if t.found.cut {
		env.Ledger.Cut("scan time")
	}
	return t, nil
}

// keep stores the counts for later stages of the request. The ranking must be done.
func (t *counted) keep(env *catalog.Env, q *coderank.Query) {
	if key := (countedOf{q.Text}); env.Memo.Get(key) == nil {
		env.Memo.Put(key, t)
	}
}
