package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/event"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
)

// fit is a masked result within what the configuration lets one have. checked
// says that the client was given the tool's own definition, and may hold
// structured content against its schema.
func (g *Gateway) fit(ctx context.Context, t *tool, raw json.RawMessage, c Caller, checked bool) json.RawMessage {
	g.mu.Lock()
	limit := g.cfg.Results.Tokens
	g.mu.Unlock()
	if !c.Bounded || limit == 0 {
		return raw
	}
	b := pages.Bounds{Session: c.Session.ID(), Server: t.Server, Tool: t.Name, Tokens: limit, More: g.opt.More()}
	if checked {
		b.Output = t.Output
	}
	attrs := []slog.Attr{slog.Int("of_bytes", len(raw))}
	b.Cut = func(k pages.Kept) {
		attrs = append(attrs, slog.String("result", k.ID), slog.Int("original_tokens", k.OriginalTokens))
	}
	out := g.pages.Fit(raw, b)
	if !bytes.Equal(out, raw) {
		event.Emit(ctx, event.Event{Kind: event.Cut, Name: "result", Server: t.Server, Tool: t.Name, Bytes: len(out), Message: "result cut into pages", Attrs: attrs})
	}
	return out
}

// Keep keeps a masked result for a session, and gives the id that it can be read
// by; "" where it is more than may be kept, or where no tool reads it.
func (g *Gateway) Keep(session string, r pages.Kept) (id string) {
	if g.opt.More() == "" {
		return ""
	}
	return g.pages.Keep(session, r)
}

// Kept is what is kept under an id for a session.
func (g *Gateway) Kept(session, id string) (pages.Kept, bool) { return g.pages.Kept(session, id) }

// Fetch reads what was kept for the same session. What it gives passes no hook: it
// was asked for as it is.
func (b *bound) Fetch(w catalog.Fetch) (*contract.ToolResult, error) {
	b.mu.Lock()
	limit := b.cfg.Results.Tokens
	b.mu.Unlock()
	raw, err := b.pages.Read(pages.Want(w), pages.Bounds{Session: b.caller.Session.ID(), Tokens: limit, More: b.opt.More()})
	if err != nil {
		return nil, err
	}
	return &contract.ToolResult{Raw: raw}, nil
}
