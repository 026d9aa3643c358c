package docs

import (
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/query"
)

// These bound what a follow-up takes from the questions before it.
const (
	turnsTaken = 2
	turnWeight = 0.5 // weight of a word of the latest; a word of the question has 1
	fromTurn   = "earlier question"
)

// earlierWords returns the words of earlier questions that a question builds on; none if it is complete
// in itself. earlier is oldest first.
func earlierWords(question string, earlier []string) []index.More {
	text := query.Parse(question).Text
	if text == "" || !coderank.Parse(text).FollowUp() {
		return nil
	}
	var out []index.More
	weight := turnWeight
	for _, e := range slices.Backward(earlier) {
		e = query.Parse(e).Text
		if e == "" || strings.EqualFold(e, text) {
			continue // a repeated call, or one without words
		}
		out = append(out, index.More{Text: e, Weight: weight, From: fromTurn})
		if len(out) == turnsTaken || !coderank.Parse(e).FollowUp() {
			break
		}
		weight = math.Max(weight/2, 0.1)
	}
	return out
}
