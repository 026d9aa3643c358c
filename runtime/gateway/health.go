package gateway

import (
	"errors"

	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// Health is how one server is.
type Health struct {
	State   string
	Problem string
	upstream.Health
}

// Health of a server; false when there is none of that name.
func (g *Gateway) Health(name string) (Health, bool) {
	e := g.entry(name)
	if e == nil {
		return Health{}, false
	}
	e.mu.Lock()
	up, problem, cfg := e.up, e.problem, e.cfg
	e.mu.Unlock()
	h := Health{State: "idle"}
	if !g.allowed(cfg) {
		return Health{State: "held", Problem: heldWhy + "; " + heldDo + g.opt.AllowWith}, true
	}
	if up != nil {
		h.Health = up.Health()
		h.State = string(h.Health.State)
		h.Problem = h.LastError
	}
	if problem != nil {
		h.State, h.Problem = "failing", plain(problem)
	}
	return h, true
}

// Said is what a server's program last wrote to its standard error, after what
// it wrote to its standard output that is no message.
func (g *Gateway) Said(name string) []string {
	if e := g.entry(name); e != nil {
		e.mu.Lock()
		up := e.up
		e.mu.Unlock()
		if up != nil {
			return up.Said()
		}
	}
	return nil
}

// plain is what went wrong with a server, without its name: the reader sees that
// beside it.
func plain(err error) string {
	var fault *upstream.Error
	if errors.As(err, &fault) {
		return fault.Message
	}
	return err.Error()
}
