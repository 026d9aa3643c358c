package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// fitResult cuts a masked result to the configured size. checked says that the client has the tool's own definition and may
// validate structured content against its schema.
func (c *caller) fitResult(ctx context.Context, t *tool, raw json.RawMessage, checked bool) (json.RawMessage, error) {
	c.mu.Lock()
	limit := c.cfg.Results.Tokens
	c.mu.Unlock()
	if !c.by.Bounded || c.by.Whole || limit == 0 {
		return raw, nil
	}
	b := pages.Bounds{Session: c.by.Session.ID(), Server: t.Server, Tool: t.Name, Tokens: limit, More: c.opt.More()}
	if checked {
		b.Output = t.Output
	}
	attrs := []slog.Attr{slog.Int("of_bytes", len(raw))}
	b.Cut = func(k pages.Kept) {
		attrs = append(attrs, slog.String("result", k.ID), slog.Int("original_tokens", k.OriginalTokens))
	}
	out, err := c.pages.Fit(ctx, raw, b)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(out, raw) {
		event.Emit(ctx, event.Event{Kind: event.Cut, Name: "result", Server: t.Server, Tool: t.Name, Bytes: len(out), Message: "result cut into pages", Attrs: attrs})
	}
	return out, nil
}

// Keep keeps a masked result for a session and returns the id to read it by; "" if it is larger than what may be kept,
// or if no tool reads it.
func (reg *registry) Keep(session string, r pages.Kept) (id string) {
	if reg.opt.More() == "" {
		return ""
	}
	return reg.pages.Keep(session, r)
}

// Share lets other processes that serve the same sessions find kept results, and finds theirs. Those are also masked by
// the reader's own rules.
func (g *Gateway) Share(shelf pages.Shelf) { g.pages.Share(maskedShelf{shelf, g}) }

// maskedShelf masks results kept by another process.
type maskedShelf struct {
	pages.Shelf
	g *Gateway
}

func (m maskedShelf) Get(ctx context.Context, session, id string) (pages.Kept, bool) {
	k, ok := m.Shelf.Get(ctx, session, id)
	if !ok {
		return pages.Kept{}, false
	}
	mask := &masker{redactor: m.g.opt.Redactor(), clean: sanitize.Controls}
	if e := m.g.entry(k.Server); e != nil {
		mask = m.g.masker(e)
	}
	var err error
	k.Original, err = mask.result(ctx, k.Original)
	return k, err == nil
}

// Kept returns the result kept under an id for a session.
func (reg *registry) Kept(session, id string) (pages.Kept, bool) { return reg.pages.Kept(session, id) }

// Shown returns the result kept under an id in any session: for the user, who may see all of them.
func (reg *registry) Shown(id string) (pages.Kept, bool) { return reg.pages.Shown(id) }

// Fetch reads a result that was kept for the same session. It passes no hook: the caller asked for the result
// unchanged.
func (c *caller) Fetch(ctx context.Context, w catalog.Fetch) (*contract.ToolResult, error) {
	c.mu.Lock()
	limit := c.cfg.Results.Tokens
	c.mu.Unlock()
	bounds := pages.Bounds{Session: c.by.Session.ID(), Tokens: limit, More: c.opt.More(), May: c.mayRead}
	raw, err := c.pages.Read(ctx, pages.Want(w), bounds)
	if err != nil {
		return nil, err
	}
	return &contract.ToolResult{Raw: raw}, nil
}

// mayRead reports whether a tool's result may be read here: a session that is now served with another profile, or whose
// client got hold of another session's id, reads nothing from servers and tools that it does not have.
func (g *Gateway) mayRead(server, tool string) bool {
	if g == g.whole {
		return true
	}
	g.mu.Lock()
	_, is := g.servers[server]
	g.mu.Unlock()
	if !is {
		return false
	}
	for _, t := range g.catalog.Load().byServer[server] {
		if t.Name == tool {
			return t.Enabled || t.Trust != trusted
		}
	}
	return true
}
