package docs

import (
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/query"
)

// What a follow-up takes of the questions before it.
const (
	turnsTaken = 2
	turnWeight = 0.5 // of a word of the latest; one of the question counts 1
	fromTurn   = "earlier question"
)

// before are the words of earlier questions, oldest first, that a question leans on: none
// where it says itself what it is about.
func before(question string, earlier []string) []index.More {
	text := query.Parse(question).Text
	if text == "" || !coderank.Parse(text).FollowUp() {
		return nil
	}
	var out []index.More
	weight := turnWeight
	for _, e := range slices.Backward(earlier) {
		e = query.Parse(e).Text
		if e == "" || strings.EqualFold(e, text) {
			continue // the same call again, or its own
		}
		out = append(out, index.More{Text: e, Weight: weight, From: fromTurn})
		if len(out) == turnsTaken || !coderank.Parse(e).FollowUp() {
			break
		}
		weight = math.Max(weight/2, 0.1)
	}
	return out
}
