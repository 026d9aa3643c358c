package catalog

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Usage is what has been learnt about the use of upstream tools.
type Usage interface {
	// Rank orders tools for a session of a profile, best first.
	Rank(ctx context.Context, profile string, tools []predict.Tool, w predict.Weights, r predict.Request) *predict.Ranking
	// Feedback returns what people said about tools, by "server/tool": whether each is
	// relevant to a profile, or to one client of it.
	Feedback(ctx context.Context, profile, client string) map[string]bool
	// First returns the list that sessions of a kind begin with. The list is kept for a
	// while, as long as the tools (sorted names) and the configuration are the same;
	// otherwise list makes a new one. learnt is the number of sessions that the ranking
	// behind a new list is based on, below 0 for all that are known.
	First(profile, kind string, tools []string, learnt float64, list func() []string) []string
}
