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

// These bound what a follow-up takes over.
const (
	maxChain      = 3 // earlier questions, each a follow-up to the one before it
	namesTaken    = 2 // places whose definitions' names are added
	shownQuestion = 80
)

// A followUp is what a follow-up question builds on.
type followUp struct {
	question string   // first question of the chain, complete in itself; "" if this is no follow-up
	found    []string // references of the latest question
	weight   float64  // weight of the names taken over
}

// readQuestion parses a question. A follow-up also gets the subjects of the earlier questions,
// newest first, back to the first that is complete in itself.
func readQuestion(question string, earlier []contract.Earlier, before float64) (*coderank.Query, followUp) {
	q := coderank.Parse(question)
	if len(earlier) == 0 || !q.FollowUp() {
		return q, followUp{}
	}
	weight := before * q.Lean()
	l := followUp{found: earlier[0].References, weight: weight}
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

// takeUp adds to the query the files that were found before, and the names of the best definitions
// among them: "who calls it" means one of those.
func (l followUp) takeUp(ctx context.Context, env *catalog.Env, q *coderank.Query) {
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
			continue // deleted since
		}
		if d, ok := src.near(ref.Line); ok {
			q.Name(d.Name, l.weight/float64(1+i))
		}
	}
}

// confidence caps c at medium for a follow-up: high was calibrated on questions that are complete
// in themselves.
func (l followUp) confidence(c retrieval.Confidence) contract.Confidence {
	if l.question != "" && c == retrieval.High {
		c = retrieval.Medium
	}
	return contract.Confidence(c)
}

// mark notes in a result that the question was read as a follow-up, and to which question.
func (l followUp) mark(r *contract.Result) {
	if l.question != "" {
		r.Follows = contract.Shorten(l.question, shownQuestion)
		r.Note("read as a follow-up to: " + r.Follows)
	}
}
