package gateway

import (
	"context"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// switched is what a person said of a server while compactor runs. It holds until the
// configuration says something else than it did then.
type switched struct{ on, configured bool }

// isOn reports whether a server is used. mu is held.
func (g *Gateway) isOn(s config.Server) bool {
	t, said := g.turned[s.Name]
	if said && t.configured == s.Enabled {
		return t.on
	}
	return s.Enabled
}

// Switch turns a server on or off until the gateway is closed, whatever the
// configuration says of it. It reports whether there is such a server.
func (g *Gateway) Switch(name string, on bool) bool {
	g.mu.Lock()
	last := g.last
	var s config.Server
	found := false
	if last != nil {
		s, found = last.Servers[name]
	}
	if found {
		if g.turned == nil {
			g.turned = map[string]switched{}
		}
		g.turned[name] = switched{on: on, configured: s.Enabled}
	}
	g.mu.Unlock()
	if found {
		g.Configure(last)
	}
	return found
}

// Restart ends what runs of a server, with the calls under way, starts it anew
// and asks what it offers. What was known of its tools stays in use meanwhile. It
// reports whether there is such a server and it is on; the error is the new
// start's.
func (g *Gateway) Restart(ctx context.Context, name string) (found bool, err error) {
	g.mu.Lock()
	old := g.entries[name]
	if old == nil || g.closed {
		g.mu.Unlock()
		return false, nil
	}
	fresh := newEntry(old.config())
	fresh.listing, _ = old.known()
	g.entries[name] = fresh
	g.mu.Unlock()
	g.caches.drop(name)
	g.resubscribe(name)
	closing := old.close()
	g.rebuild()
	_, err = g.fetch(ctx, fresh)
	return true, errors.Join(err, closing)
}
