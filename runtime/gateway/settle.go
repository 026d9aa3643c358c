package gateway

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// settle sees to it that the catalog is as it can be had now, of the servers of
// these names or of all. It waits for servers of which nothing is known, and for
// each of them only a while from when it was first asked: one that hangs costs a
// wait once.
func (g *Gateway) settle(ctx context.Context, servers ...string) {
	g.catchUp(ctx)
	var wg sync.WaitGroup
	for _, e := range g.all() {
		if len(servers) > 0 && !slices.Contains(servers, e.config().Name) {
			continue
		}
		if l, problem := e.known(); problem != nil || l != nil && !g.caches.off.Load() {
			_, _ = g.list(ctx, e) // does not wait
			continue
		}
		wg.Go(func() { _, _ = g.list(ctx, e) })
	}
	wg.Wait()
}

// Missing reports whether there is a server that Settle waits for.
func (g *Gateway) Missing() bool {
	patience := g.patience()
	for _, e := range g.all() {
		if e.awaited(patience) {
			return true
		}
	}
	return false
}

// awaited reports whether nothing is known of it, and who wants to know would wait.
func (e *entry) awaited(patience time.Duration) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.listing == nil && e.problem == nil && (e.since.IsZero() || time.Since(e.since) < patience)
}

// Settle is settle of all servers, for who lists their tools.
func (g *Gateway) Settle(ctx context.Context) { g.settle(ctx) }

// Expect waits until a tool that is not known under this listed name can be, as
// long as a call may wait for its server. The error says why its server has none.
func (g *Gateway) Expect(ctx context.Context, listed string) error {
	if g.catchUp(ctx); g.Has(listed) || g.findRecalled(ctx, listed, "") != nil {
		return nil
	}
	if e := g.meant(listed, ""); e != nil {
		return g.demand(ctx, e)
	}
	g.settle(ctx)
	return nil
}

// demand waits for the list of a server that a call needs, before all that nobody
// waits for. One that has just failed is not tried again at once.
func (g *Gateway) demand(ctx context.Context, e *entry) error {
	cfg := e.config()
	if !g.allowed(cfg) {
		return connectionError(cfg.Name, heldWhy, heldDo+g.opt.AllowWith)
	}
	l, problem := e.known()
	switch {
	case l != nil:
		return nil
	case problem != nil && !e.restless(g.opt.Now()):
		return unavailable(cfg.Name, problem)
	}
	up, err := g.connection(e)
	if err != nil {
		return err
	}
	defer up.Wanted()()
	limited, stop := context.WithTimeout(ctx, g.judgeTime)
	defer stop()
	_, err = g.fetch(limited, e)
	switch l, problem = e.known(); {
	case l != nil:
		return nil
	case problem != nil:
		return unavailable(cfg.Name, problem)
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return connectionError(cfg.Name, "still starting after "+g.judgeTime.String()+", and its tools are not known", "try again later, or "+seeServer(cfg.Name))
	}
	return unavailable(cfg.Name, err)
}

// unavailable is the error of a call of a tool of a server that cannot be reached.
func unavailable(server string, cause error) error {
	var own *contract.Error
	if errors.As(cause, &own) { // which names the server and the way out
		return own
	}
	return connectionError(server, plain(cause), seeServer(server))
}

func seeServer(name string) string { return "see how it is with: compactor servers " + name }

// meant is the server that a tool's name belongs to, or that is named beside it; nil
// where it is off.
func (g *Gateway) meant(name, server string) *entry {
	if longest, _ := owners(g.claims(), name, server); len(longest) > 0 {
		return g.entry(longest[0])
	}
	return nil
}

// unreached reports the servers whose tools are not known; see notFound.
func unreached(t *catalog.UpstreamTools) string {
	if len(t.Pending) == 0 {
		return ""
	}
	return " (not known yet: the tools of " + strings.Join(t.Pending, ", ") + ")"
}
