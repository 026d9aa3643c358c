package code

import (
	"context"
	"math"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// Bounds of what a follow-up takes over.
const (
	maxChain      = 3 // earlier questions, each a follow-up of the one before it
	namesTaken    = 2 // places whose definitions' names join
	shownQuestion = 80
)

// A lead is what a follow-up goes on from.
type lead struct {
	question string   // the first of the chain, which stands for itself; "" for no follow-up
	found    []string // references of the latest question
	weight   float64  // of what it lends
}

// readQuestion parses a question. Where it is a follow-up, it joins what the earlier
// questions were about, newest first, back to the first that stands for itself.
func readQuestion(question string, earlier []contract.Earlier, before float64) (*coderank.Query, lead) {
	q := coderank.Parse(question)
	if len(earlier) == 0 || !q.FollowUp() {
		return q, lead{}
	}
	weight := before * q.Lean()
	l := lead{found: earlier[0].References, weight: weight}
	for i, e := range earlier[:min(len(earlier), maxChain)] {
		asked := coderank.Parse(e.Question)
		q.After(asked, weight*math.Pow(before, float64(i)))
		l.question = e.Question
		if !asked.FollowUp() {
			break
		}
	}
	return q, l
}

// takeUp has the ranking know the files that were found before, and the names
// of the best definitions among them: who calls "it" calls it by its name.
func (l lead) takeUp(ctx context.Context, env *catalog.Env, q *coderank.Query) {
	for i, text := range l.found {
		ref := contract.ParseReference(text)
		if !slices.Contains(q.Found, ref.Path) {
			q.Found = append(q.Found, ref.Path)
		}
		if i >= namesTaken || ref.Line == 0 {
			continue
		}
		src, err := load(ctx, env, ref.Path)
		if err != nil {
			continue // gone since
		}
		if d, ok := src.near(ref.Line); ok {
			q.Name(d.Name, l.weight/float64(1+i))
		}
	}
}

// confidence is at most med for a follow-up: high was measured on questions that
// stand for themselves.
func (l lead) confidence(c retrieval.Confidence) contract.Confidence {
	if l.question != "" && c == retrieval.High {
		c = retrieval.Medium
	}
	return contract.Confidence(c)
}

// mark says of a result that the question was read as a follow-up, and of what.
func (l lead) mark(r *contract.Result) {
	if l.question != "" {
		r.Follows = contract.Shorten(l.question, shownQuestion)
		r.Note("read as a follow-up to: " + r.Follows)
	}
}
