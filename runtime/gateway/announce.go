package gateway

import (
	"context"
	"time"
)

// quiet is how long a change waits for the next: servers that start together
// make one note to the client, not one each. A client that reads its list anew
// reads its whole prompt anew.
const quiet = 200 * time.Millisecond

// burst is how long a change waits while servers are seen for the first time, of
// which each is one more change.
const burst = 2 * time.Second

// announcement is a change that those who watch have not heard of.
type announcement struct {
	timer *time.Timer
	since time.Time // zero: there is none
}

// announce tells those who watch, once the changes have come to rest.
func (g *Gateway) announce() {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := &g.announcing
	if g.closed {
		return
	}
	if at.since.IsZero() {
		at.since = time.Now()
	}
	if at.timer == nil {
		at.timer = time.AfterFunc(quiet, func() { g.spawn(func(context.Context) { g.rested() }) })
		return
	}
	at.timer.Reset(quiet)
}

// rested tells of a change unless more are to be expected.
func (g *Gateway) rested() {
	missing := g.whole.Missing()
	g.mu.Lock()
	at := &g.announcing
	if missing && !g.closed && time.Since(at.since) < burst {
		at.timer.Reset(quiet)
		g.mu.Unlock()
		return
	}
	at.since = time.Time{}
	g.mu.Unlock()
	for _, p := range g.every() {
		digest := p.catalog.Load().digest
		g.mu.Lock()
		p.told = digest
		g.mu.Unlock()
	}
	g.watchers.tell()
}

// Untold reports whether those who watch have yet to hear of a change.
func (g *Gateway) Untold() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.told != g.catalog.Load().digest
}
