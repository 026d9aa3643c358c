package gateway

import (
	"context"
	"time"
)

// followEvery is how often a process that serves looks whether another has
// decided on tools.
const followEvery = time.Second

// Follow takes over what people decide on tools through other processes, until ctx
// ends, so that clients hear of it. Who searches or calls meanwhile does not wait
// for its next look.
func (g *Gateway) Follow(ctx context.Context) {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			g.catchUp(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// catchUp judges the tools anew if one of them waits and the records of decisions
// have changed.
func (g *Gateway) catchUp(ctx context.Context) {
	if !g.catalog.Load().waits {
		return
	}
	if g.approvals.changed(ctx) {
		g.rebuild()
	}
}
