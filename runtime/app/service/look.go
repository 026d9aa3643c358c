package service

import (
	"context"
	"encoding/json"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Look runs a builtin that inspects the upstream servers, for a person: its result is
// not shaped by a tool of the configuration, which defines what models see.
func (s *Service) Look(ctx context.Context, builtin string, input map[string]any) (json.RawMessage, error) {
	snap := s.acquireFresh()
	defer snap.lease.release()
	b, ok := snap.Plan.Catalog.Get(builtin)
	if !ok || b.Caps != catalog.Upstream {
		return nil, &contract.Error{Name: "NotFoundError", Code: "TOOL_NOT_FOUND", Message: builtin + " does not look at upstream servers"}
	}
	raw, err := json.Marshal(input)
	if err == nil {
		raw, err = toolargs.Validate(b.In.JSON(), raw)
	}
	if err != nil {
		return nil, snap.maskError(err)
	}
	clear(input)
	if err := json.Unmarshal(raw, &input); err != nil {
		return nil, snap.maskError(err)
	}
	env := &catalog.Env{Upstreams: s.upstreamsFor(gateway.Caller{}), Now: time.Now, Progress: func(catalog.Progress) {}}
	v, err := b.Run(ctx, env, input)
	if err != nil {
		return nil, snap.maskError(err)
	}
	out, err := snap.Egress.Apply(ctx, v, b.Out, nil, 0)
	if err != nil {
		return nil, snap.maskError(err)
	}
	return out, nil
}
