package gateway

import (
	"encoding/json"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
)

// fit is a masked result within what the configuration lets one have. checked
// says that the client was given the tool's own definition, and may hold
// structured content against its schema.
func (g *Gateway) fit(t *tool, raw json.RawMessage, c Caller, checked bool) json.RawMessage {
	g.mu.Lock()
	limit := g.cfg.Results.Tokens
	g.mu.Unlock()
	if !c.Bounded || limit == 0 {
		return raw
	}
	b := pages.Bounds{Session: c.Session.ID(), Tokens: limit, More: g.opt.More()}
	if checked {
		b.Output = t.Output
	}
	return g.pages.Fit(raw, b)
}

// Page gives a page of a result that was cut for the same session.
func (b *bound) Page(id string) (*contract.ToolResult, error) {
	raw, err := b.pages.Page(b.caller.Session.ID(), id, b.opt.More())
	if err != nil {
		return nil, err
	}
	return &contract.ToolResult{Raw: raw}, nil
}
