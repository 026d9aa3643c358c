package gateway

import (
	"crypto/sha256"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// The value of a ${VAR} may change while we run, for secrets.env is read when it
// is needed. It is taken up by a reload, and when a server is connected that is
// not: after an idle close, a crash, or because the key was wrong.

// valuesOf digests what variables stand for in what reaches a server.
func valuesOf(s upstream.Spec) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", s.Args, s.Env, s.URL, s.Headers))
}

// othersNow reports whether variables stand for other values than those that
// the connection was made with. Where one is not set any more the old ones stay.
// The entry's lock is held.
func (g *Gateway) othersNow(e *entry) bool {
	spec, _, err := g.expand(e.cfg)
	return err == nil && valuesOf(spec) != e.values
}

// revalued reports whether a connection was made with values that are not those
// of now.
func (g *Gateway) revalued(e *entry) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.up != nil && g.othersNow(e)
}
