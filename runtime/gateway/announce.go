package gateway

import (
	"context"
	"time"
)

// quiet is how long a change waits for the next one: servers that start together cause one notification, not one each.
// A client that rereads its list reprocesses its whole prompt.
const quiet = 200 * time.Millisecond

// burst is how long a change is held back while servers are seen for the first time, each of which is one more change.
const burst = 2 * time.Second

// announcement is a change that the watchers have not been notified of.
type announcement struct {
	timer *time.Timer
	since time.Time // zero: no change is pending
}

// announce notifies the watchers once the changes have settled.
func (reg *registry) announce() {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	at := &reg.announcing
	if reg.closed {
		return
	}
	if at.since.IsZero() {
		at.since = time.Now()
	}
	if at.timer == nil {
		at.timer = time.AfterFunc(quiet, func() { reg.spawn(func(context.Context) { reg.announceSettled() }) })
		return
	}
	at.timer.Reset(quiet)
}

// announceSettled announces a change unless more are to be expected.
func (reg *registry) announceSettled() {
	missing := reg.whole.Missing()
	reg.mu.Lock()
	at := &reg.announcing
	if missing && !reg.closed && time.Since(at.since) < burst {
		at.timer.Reset(quiet)
		reg.mu.Unlock()
		return
	}
	at.since = time.Time{}
	reg.mu.Unlock()
	for _, p := range reg.allViews() {
		digest := p.catalog.Load().digest
		reg.mu.Lock()
		p.told = digest
		reg.mu.Unlock()
	}
	reg.watchers.notifyAll()
}

// HasUnannounced reports whether a change has not been announced yet.
func (g *Gateway) HasUnannounced() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.told != g.catalog.Load().digest
}
