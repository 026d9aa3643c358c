package find

import (
	"context"
	"time"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// These bound how much of a repository's history is read. The newest commits give most of the gain.
// If they are not available in time, the ranking uses none of them, never a part: git's speed must
// not influence the result more than that.
const (
	historyCommits = 2000
	historyTime    = time.Second
)

// needsSecondLook reports whether a second ranking is worth its cost: the first was not sure, and
// the question describes more than it names and builds on nothing.
func needsSecondLook(q *coderank.Query, first *coderank.Result) bool {
	in := q.Intent
	switch {
	case first.Confidence == retrieval.High, first.Ahead, first.NotFound != "", len(q.Found) > 0, in.Trace, in.Path, in.Bare:
		return false
	}
	return !in.Definition || len(q.Idents) == 0
}

// learnHistory feeds the past commits of the roots to the ranking, and reports whether there is
// anything to learn from them. late means that they were not available in time.
func learnHistory(ctx context.Context, env *catalog.Env, r *coderank.Ranker) (learned, late bool) {
	if env.History == nil {
		return false, false
	}
	cancel := context.CancelFunc(func() {})
	if !env.Deterministic {
		ctx, cancel = context.WithTimeout(ctx, historyTime)
	}
	defer cancel()
	var all []coderank.Message
	for _, root := range env.Roots.Roots() {
		list, err := env.History(ctx, root, historyCommits)
		if ctx.Err() != nil {
			return false, true
		}
		if err != nil {
			continue // no repository, or an unreadable one: rank by the tree alone
		}
		for _, c := range list {
			m := coderank.Message{Text: c.Message, Files: make([]string, len(c.Files))}
			for i, f := range c.Files {
				m.Files[i] = env.Roots.Ref(root, f)
			}
			all = append(all, m)
		}
	}
	return r.Learn(all), false
}

// lookAgain ranks once more with the help of past commits; read must read the files that were no
// candidates before.
func (f *Ranking) lookAgain(ctx context.Context, env *catalog.Env, r *coderank.Ranker, limit int, read func([]string) error) error {
	learned, late := learnHistory(ctx, env, r)
	if f.late = late; !learned {
		return ctx.Err()
	}
	if err := read(r.Further(deepest)); err != nil {
		return err
	}
	f.Result = r.Rank(limit)
	return nil
}
