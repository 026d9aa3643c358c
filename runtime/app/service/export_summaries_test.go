package service

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/gateway"
)

// ResultOf is what the hook on results makes of one.
func ResultOf(ctx context.Context, s *Service, r gateway.Result) gateway.HookResult {
	return s.hookResult(ctx, r)
}
