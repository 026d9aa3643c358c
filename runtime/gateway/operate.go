package gateway

import (
	"context"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// switched is a user's choice for a server while compactor runs. It holds until the configuration's own value changes.
type switched struct{ on, configured bool }

// isOn reports whether a server is used. The caller holds mu.
func (reg *registry) isOn(s config.Server) bool {
	t, said := reg.turned[s.Name]
	if said && t.configured == s.Enabled {
		return t.on
	}
	return s.Enabled
}

// Switch turns a server on or off until the gateway is closed, whatever the configuration says. A server that is on is
// asked for its tools. It reports whether the server exists; the error comes from asking.
func (g *Gateway) Switch(ctx context.Context, name string, on bool) (found bool, err error) {
	g.configuring.Lock()
	found = g.setSwitched(name, on)
	if found {
		g.configure(g.last, g.lasts)
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

// setSwitched records that a server is on or off.
func (reg *registry) setSwitched(name string, on bool) (found bool) {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	if reg.last == nil {
		return false
	}
	s, found := reg.last.Servers[name]
	if !found {
		return false
	}
	if reg.turned == nil {
		reg.turned = map[string]switched{}
	}
	reg.turned[name] = switched{on: on, configured: s.Enabled}
	return true
}

// Restart stops a server and its calls under way, starts it again and asks for its tools. The known tools stay in use
// meanwhile. It reports whether the server exists and is on; the error comes from the new start.
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
	g.resubscribe(name) // which starts it: two programs could interfere with each other
	g.rebuild()
	return true, errors.Join(g.askNow(ctx, fresh), closing)
}

// askNow asks a server for its tools and returns the error, even if an earlier list stays in use.
func (reg *registry) askNow(ctx context.Context, e *serverEntry) error {
	l, err := reg.fetchOver(ctx, e, nil)
	if err != nil {
		return err
	}
	return l.err
}
