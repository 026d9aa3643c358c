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
			_, _ = g.listTools(ctx, e) // does not wait
			continue
		}
		wg.Go(func() { _, _ = g.listTools(ctx, e) })
	}
	wg.Wait()
}

// Missing reports whether there is a server that WaitForCatalogs waits for.
func (g *Gateway) Missing() bool {
	patience := g.waitLimit()
	for _, e := range g.all() {
		if e.isAwaited(patience) {
			return true
		}
	}
	return false
}

// isAwaited reports whether nothing is known of the server and a caller would wait for it.
func (e *serverEntry) isAwaited(patience time.Duration) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.listing == nil && e.problem == nil && (e.since.IsZero() || time.Since(e.since) < patience)
}

// WaitForCatalogs brings the catalog up to date for all servers, before their tools are listed.
func (g *Gateway) WaitForCatalogs(ctx context.Context) { g.settle(ctx) }

// WaitForTool waits until a tool that is not known under this listed name may be known, for as long as a call may wait for
// its server. The error says why its server has no tools.
func (g *Gateway) WaitForTool(ctx context.Context, listed string) error {
	if g.catchUp(ctx); g.Has(listed) || g.findRecalled(ctx, listed, "") != nil {
		return nil
	}
	if e := g.meantServer(listed, ""); e != nil {
		return g.demandListing(ctx, e)
	}
	g.settle(ctx)
	return nil
}

// demandListing waits for the list of a server that a call needs. That server starts before those that no call waits
// for. One that has just failed is not tried again at once.
func (reg *registry) demandListing(ctx context.Context, e *serverEntry) error {
	cfg := e.config()
	if !reg.isAllowed(cfg) {
		return connectionError(cfg.Name, heldWhy, heldDo+reg.opt.AllowWith)
	}
	l, problem := e.known()
	switch {
	case l != nil:
		return nil
	case problem != nil && !e.isRetryDue(reg.opt.Now()):
		return unavailableError(cfg.Name, problem)
	}
	up, err := reg.connection(e)
	if err != nil {
		return err
	}
	defer up.Wanted()()
	limited, stop := context.WithTimeout(ctx, reg.judgeTime)
	defer stop()
	_, err = reg.fetchListing(limited, e)
	switch l, problem = e.known(); {
	case l != nil:
		return nil
	case problem != nil:
		return unavailableError(cfg.Name, problem)
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return connectionError(cfg.Name, "still starting after "+reg.judgeTime.String()+", and its tools are not known", "try again later, or "+seeServer(cfg.Name))
	}
	return unavailableError(cfg.Name, err)
}

// unavailableError returns the error of calling a tool of a server that cannot be reached.
func unavailableError(server string, cause error) error {
	var own *contract.Error
	if errors.As(cause, &own) { // it names the server and the remedy
		return own
	}
	return connectionError(server, errorText(cause), seeServer(server))
}

func seeServer(name string) string { return "see how it is with: compactor servers " + name }

// meantServer returns the server that a tool's name belongs to, or that is given separately; nil if it is off.
func (g *Gateway) meantServer(name, server string) *serverEntry {
	if longest, _ := claimOwners(g.serverClaims(), name, server); len(longest) > 0 {
		return g.entry(longest[0])
	}
	return nil
}

// unknownNote returns a note on the servers whose tools are not known; see notFound.
func unknownNote(t *catalog.UpstreamTools) string {
	if len(t.Pending) == 0 {
		return ""
	}
	return " (not known yet: the tools of " + strings.Join(t.Pending, ", ") + ")"
}
