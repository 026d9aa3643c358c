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
// configuration says of it. One that is on is asked what it offers. It reports
// whether there is such a server; the error is that of the asking.
func (g *Gateway) Switch(ctx context.Context, name string, on bool) (found bool, err error) {
	g.configuring.Lock()
	found = g.turn(name, on)
	if found {
		g.whole.configure(g.last, g.lasts)
	}
	g.configuring.Unlock()
	if !found || !on {
		return found, nil
	}
	if e := g.entry(name); e != nil {
		err = g.askNow(ctx, e)
	}
	return true, err
}

// turn notes that a server is on or off.
func (g *Gateway) turn(name string, on bool) (found bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.last == nil {
		return false
	}
	s, found := g.last.Servers[name]
	if !found {
		return false
	}
	if g.turned == nil {
		g.turned = map[string]switched{}
	}
	g.turned[name] = switched{on: on, configured: s.Enabled}
	return true
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
	closing := old.close()
	g.resubscribe(name) // which starts it: two programs may be in each other's way
	g.rebuild()
	return true, errors.Join(g.askNow(ctx, fresh), closing)
}

// askNow asks a server what it offers and says what went wrong, also where an
// earlier list stays in use.
func (g *Gateway) askNow(ctx context.Context, e *entry) error {
	l, err := g.fetchOver(ctx, e, nil)
	if err != nil {
		return err
	}
	return l.err
}
