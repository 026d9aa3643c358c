package gateway

import (
	"errors"

	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// Health is the state of one server.
type Health struct {
	State   string
	Problem string
	upstream.Health
}

// Health returns the health of a server, and false if there is no server of that name.
func (g *Gateway) Health(name string) (Health, bool) {
	e := g.entry(name)
	if e == nil {
		return Health{}, false
	}
	e.mu.Lock()
	up, problem, cfg := e.up, e.problem, e.cfg
	e.mu.Unlock()
	h := Health{State: "idle"}
	if !g.isAllowed(cfg) {
		return Health{State: "held", Problem: heldWhy + "; " + heldDo + g.opt.AllowWith}, true
	}
	if up != nil {
		h.Health = up.Health()
		h.State = string(h.Health.State)
		h.Problem = h.LastError
	}
	if problem != nil {
		h.State, h.Problem = "failing", errorText(problem)
	}
	return h, true
}

// Said returns the output of a server's program: what it wrote to its standard output that is not a message, then the
// end of its standard error.
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

// errorText returns the text of a server's error without its name: the reader sees that next to it.
func errorText(err error) string {
	var fault *upstream.Error
	if errors.As(err, &fault) {
		return fault.Message
	}
	return err.Error()
}
