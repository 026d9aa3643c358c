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

// settle brings the catalog up to date for the named servers, or for all. It waits for servers about which nothing is
// known, each only for a while from when it was first asked: a server that hangs delays only once.
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

// awaited reports whether nothing is known of the server and a caller would wait for it.
func (e *entry) awaited(patience time.Duration) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.listing == nil && e.problem == nil && (e.since.IsZero() || time.Since(e.since) < patience)
}

// Settle brings the catalog up to date for all servers, before their tools are listed.
func (g *Gateway) Settle(ctx context.Context) { g.settle(ctx) }

// Expect waits until a tool that is not known under this listed name may be known, for as long as a call may wait for
// its server. The error says why its server has no tools.
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

// demand waits for the list of a server that a call needs. That server starts before those that no call waits for. One
// that has just failed is not tried again at once.
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

// unavailable returns the error of calling a tool of a server that cannot be reached.
func unavailable(server string, cause error) error {
	var own *contract.Error
	if errors.As(cause, &own) { // it names the server and the remedy
		return own
	}
	return connectionError(server, plain(cause), seeServer(server))
}

func seeServer(name string) string { return "see how it is with: compactor servers " + name }

// meant returns the server that a tool's name belongs to, or that is given separately; nil if it is off.
func (g *Gateway) meant(name, server string) *entry {
	if longest, _ := owners(g.claims(), name, server); len(longest) > 0 {
		return g.entry(longest[0])
	}
	return nil
}

// unreached returns a note on the servers whose tools are not known; see notFound.
func unreached(t *catalog.UpstreamTools) string {
	if len(t.Pending) == 0 {
		return ""
	}
	return " (not known yet: the tools of " + strings.Join(t.Pending, ", ") + ")"
}
