package gateway

import (
	"crypto/sha256"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// The value of a ${VAR} may change while we run, because secrets.env is read on demand. A new value is used after a
// reload, and when a server is connected again: after an idle close, a crash, or a wrong key.

// valuesOf digests the expanded values that a server receives.
func valuesOf(s upstream.Spec) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", s.Args, s.Env, s.URL, s.Headers))
}

// othersNow reports whether the values of variables differ from those that the connection was made with. If a variable
// is no longer set, the old values stay. The caller holds the entry's lock.
func (reg *registry) othersNow(e *serverEntry) bool {
	spec, _, err := reg.expand(e.cfg)
	return err == nil && valuesOf(spec) != e.values
}

// valuesChanged reports whether a connection was made with outdated values.
func (reg *registry) valuesChanged(e *serverEntry) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.up != nil && reg.othersNow(e)
}
