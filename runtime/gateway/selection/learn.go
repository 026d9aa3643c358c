package selection

import (
	"context"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Learn teaches a model what a log has kept of a profile and of those that it learns
// from, for who only looks.
func Learn(ctx context.Context, log usage.Log, profile string, from []string, m *predict.Model) error {
	return log.Sessions(ctx, time.Time{}, readAtMost, func(s usage.Session, calls []usage.Call) error {
		if s.Profile != profile && !slices.Contains(from, s.Profile) {
			return ctx.Err()
		}
		tools := make([]string, len(calls))
		for i, c := range calls {
			tools[i] = c.Name()
		}
		m.Learn(s.Started, "", tools)
		return ctx.Err()
	})
}
