package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// Intervals at which a serving process checks what others did: followEvery for decisions on tools, takeOver for counted
// calls and listed tools, and followSeldom as the maximum while the store fails.
const (
	followEvery  = time.Second
	takeOver     = 3 * time.Second
	followSeldom = time.Minute
)

// WatchApprovals picks up what the user decides on tools in other processes, and what those have counted and listed, until ctx
// ends, so that clients hear of it. Searches and calls do not wait for its next check.
func (g *Gateway) WatchApprovals(ctx context.Context) {
	tick, others := time.NewTicker(followEvery), time.NewTimer(takeOver)
	defer tick.Stop()
	defer others.Stop()
	wait := takeOver
	for {
		select {
		case <-tick.C:
			g.catchUp(ctx)
		case <-others.C:
			if wait = min(2*wait, followSeldom); g.takeOver(ctx) == nil {
				wait = takeOver
			}
			others.Reset(wait)
		case <-ctx.Done():
			return
		}
	}
}

// catchUp checks the tools again if one of them waits and the records of decisions have changed.
func (g *Gateway) catchUp(ctx context.Context) {
	if !g.catalog.Load().waits {
		return
	}
	if g.approvals.changedElsewhere(ctx) {
		g.rebuild()
	}
}

// takeOver picks up what other processes have counted and listed meanwhile.
func (g *Gateway) takeOver(ctx context.Context) error {
	s := g.storage.get()
	if s == nil || len(g.catalog.Load().byName) == 0 {
		return nil
	}
	g.storage.tellUncounted()
	ctx, cancel := context.WithTimeout(ctx, takeOver)
	defer cancel()
	if err := g.uses().readChanged(ctx, s, g.opt.Now()); err != nil {
		return err
	}
	if g.caches.off.Load() {
		return nil
	}
	list, err := s.Catalogs(ctx)
	if err != nil {
		return err
	}
	taken := false
	for _, c := range list {
		e := g.entry(c.Server)
		if e == nil || e.key != c.Key || !e.isUncompared(c.Fetched) {
			continue
		}
		full, ok, err := s.Catalog(ctx, c.Server, c.Key)
		if err != nil {
			return err
		}
		taken = ok && g.adoptListing(e, full) || taken
	}
	if taken {
		g.rebuild()
	}
	return nil
}

// isUncompared reports whether the list fetched then is another process's and was not compared yet. An earlier date counts
// too: a list is dated on arrival, so the later of two may be the older.
func (e *serverEntry) isUncompared(fetched time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.listing != nil && !fetched.Equal(e.listing.Fetched) && !fetched.Equal(e.compared) && e.fetching == nil && !e.outdated
}

// adoptListing takes over a listing that another process received from a server, and reports whether it differs. If this
// process is connected, its own connection is authoritative, because programs of one name may differ between machines:
// the server is then asked again, once for each different list, so that two lists that differ do not cause endless
// fetches.
func (reg *registry) adoptListing(e *serverEntry, c store.Catalog) bool {
	was, _ := e.known()
	if was == nil {
		return false
	}
	digest, connected := sha256.Sum256(c.Body), e.isConnected()
	same := bytes.Equal(c.Body, was.storedForm())
	later := c.Fetched.After(was.Fetched)
	l := was.at(c.Fetched)
	if !same && later && !connected {
		if l = reg.parseRecalled(e, c); l == nil {
			return false
		}
	}
	e.mu.Lock()
	if e.listing != was || e.fetching != nil {
		e.mu.Unlock()
		return false
	}
	e.compared = c.Fetched
	asks := !same && connected && e.elsewhere != digest
	if asks {
		e.elsewhere = digest
	}
	takes := later && (same || !connected)
	if takes {
		e.listing = l
		reg.caches.markFetched(e.cfg.Name, c.Fetched)
	}
	name := e.cfg.Name
	e.mu.Unlock()
	if asks {
		reg.handleChange(name, "tools")
	}
	return takes && !same
}

// at returns a copy of the listing dated t.
func (l *listing) at(t time.Time) *listing {
	again := *l
	again.Fetched = t
	return &again
}

// isConnected reports whether there is a connection to the server now.
func (e *serverEntry) isConnected() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.up != nil && e.up.Health().State == upstream.StateReady
}
