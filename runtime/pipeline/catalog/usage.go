package catalog

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Usage is what was learnt of the use of upstream tools.
type Usage interface {
	// Rank orders tools for a session of a profile, the best first.
	Rank(ctx context.Context, profile string, tools []predict.Tool, w predict.Weights, r predict.Request) *predict.Ranking
	// Feedback is what people said of tools, by "server/tool": whether they are relevant
	// to a profile, or to one client of it.
	Feedback(ctx context.Context, profile, client string) map[string]bool
	// First is the list that sessions of a kind begin with: one that stands for a while,
	// as long as the tools (sorted names) and the configuration are the same, else a new one.
	// learnt is how many sessions the ranking behind a new list goes by, below 0 for all that
	// are known.
	First(profile, kind string, tools []string, learnt float64, list func() []string) []string
}
