package selection

import (
	"context"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Learn trains a model from a log, for a profile and those it learns from, for read-only use.
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
