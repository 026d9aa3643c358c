package source

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

// A FollowUp is what a follow-up question builds on.
type FollowUp struct {
	Question string   // first question of the chain, complete in itself; "" if this is no follow-up
	found    []string // references of the latest question
	weight   float64  // weight of the names taken over
}

// ParseQuestion parses a question. A follow-up also gets the subjects of the earlier questions,
// newest first, back to the first that is complete in itself.
func ParseQuestion(question string, earlier []contract.Earlier, before float64) (*coderank.Query, FollowUp) {
	q := coderank.Parse(question)
	if len(earlier) == 0 || !q.FollowUp() {
		return q, FollowUp{}
	}
	weight := before * q.Lean()
	l := FollowUp{found: earlier[0].References, weight: weight}
	for i, e := range earlier[:min(len(earlier), maxChain)] {
		asked := coderank.Parse(e.Question)
		q.After(asked, weight*math.Pow(before, float64(i)))
		l.Question = e.Question
		if !asked.FollowUp() {
			break
		}
	}
	return q, l
}

// ExtendQuery adds to the query the files that were found before, and the names of the best definitions
// among them: "who calls it" means one of those.
func (l FollowUp) ExtendQuery(ctx context.Context, env *catalog.Env, q *coderank.Query) {
	for i, text := range l.found {
		ref := contract.ParseReference(text)
		if !slices.Contains(q.Found, ref.Path) {
			q.Found = append(q.Found, ref.Path)
		}
		if i >= namesTaken || ref.Line == 0 {
			continue
		}
		src, err := Load(ctx, env, ref.Path)
		if err != nil {
			continue // deleted since
		}
		if d, ok := src.DefNear(ref.Line); ok {
			q.Name(d.Name, l.weight/float64(1+i))
		}
	}
}

// CapConfidence caps c at medium for a follow-up: high was calibrated on questions that are
// complete in themselves.
func (l FollowUp) CapConfidence(c retrieval.Confidence) contract.Confidence {
	if l.Question != "" && c == retrieval.High {
		c = retrieval.Medium
	}
	return contract.Confidence(c)
}

// MarkResult notes in a result that the question was read as a follow-up, and to which question.
func (l FollowUp) MarkResult(r *contract.Result) {
	if l.Question != "" {
		r.Follows = contract.Shorten(l.Question, shownQuestion)
		r.Note("read as a follow-up to: " + r.Follows)
	}
}
