package upstream

import (
	"slices"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// need is what a request needs of the connection that it goes out over.
type need struct {
	era   string // in which its caller can be asked as it is used to; "": either
	call  bool   // the server may ask something because of it
	owner string // who is asked then; "": nobody can be
	kept  bool   // owner is a session, which comes back
}

const (
	// sharePatience is how long a call waits for a connection without calls of others. Then it goes along with them, and
	// what the server asks meanwhile is refused, unless it says for which call.
	sharePatience = 2 * time.Second
	// aloneTime is how long a server stays with the connections it has after another one could not be started.
	aloneTime = time.Minute
	// maxLeft bounds the calls nobody waits for that are remembered one by one.
	maxLeft = 1000
)

// needOf says what a request needs. Only where a server may ask anything at all it matters.
func (s *Server) needOf(r Request) need {
	n := need{call: len(s.spec.Allow) > 0 && mayBeAsked(r.Method)}
	offered := slices.ContainsFunc(s.spec.Allow, func(what string) bool { return r.Offers == nil || slices.Contains(r.Offers, what) })
	if !n.call || !offered || r.Ask == nil && !r.Rounds {
		return n
	}
	n.era = Handshake
	if r.Rounds {
		n.era = Stateless
	}
	switch {
	case r.Ask == nil:
	case r.Session != "":
		n.owner, n.kept = "session "+r.Session, true
	default:
		n.owner = "call " + strconv.FormatInt(numbers.Add(1), 10)
	}
	return n
}

// mayBeAsked reports whether a server may ask something because of a request: of those that callers make, the ones that
// do something.
func mayBeAsked(method string) bool {
	switch mcp.MCPMethod(method) {
	case mcp.MethodToolsCall, mcp.MethodPromptsGet, mcp.MethodResourcesRead, mcp.MethodCompletionComplete:
		return true
	}
	return false
}

// lease is whose calls a connection carries. In the handshake era a server's request over a common stream names no
// request of ours. It has one possible owner as long as all calls under way have.
type lease struct {
	calls map[string]int // under way, by owner
	last  string         // the session it was last used by, whose calls may have left something there
}

// rent enters a call. server.mu is held.
func (c *conn) rent(n need) {
	if !n.call {
		return
	}
	if c.rented.calls == nil {
		c.rented.calls = map[string]int{}
	}
	c.rented.calls[n.owner]++
	c.rented.last = ""
	if n.kept {
		c.rented.last = n.owner
	}
}

// vacate takes a call out.
func (s *Server) vacate(c *conn, n need) {
	if !n.call {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.rented.calls[n.owner]--; c.rented.calls[n.owner] == 0 {
		delete(c.rented.calls, n.owner)
	}
	if s.vacant != nil {
		close(s.vacant.done)
		s.vacant = nil
	}
}

// takes reports whether a request can go out over a connection so that what the server asks has one owner. server.mu is
// held.
func (c *conn) takes(n need) bool {
	if !n.call || c.modern() { // which asks in its results
		return true
	}
	for owner := range c.rented.calls {
		if owner != n.owner {
			return false
		}
	}
	return n.owner == "" || c.leftBy(n.owner)
}

// leave remembers a call that nobody waits for: the server may work on it, and ask. mu is held.
func (c *conn) leave(call *call) {
	if !call.need.call || c.modern() {
		return
	}
	key := call.key
	if len(c.left) >= maxLeft {
		key = call.need.owner // for as long as the connection lasts
	}
	c.left[key] = call.need.owner
}

// settled takes up that a call was answered, after all if it was left.
func (c *conn) settled(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.left, key)
	delete(c.users.left, key)
	if call := c.calls[key]; call != nil {
		call.late = true
	}
}

// leftBy reports whether no other than owner has left a call.
func (c *conn) leftBy(owner string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, other := range c.left {
		if other != owner {
			return false
		}
	}
	return true
}

// owner is who is meant by a request of the server that names no request of ours; false when that is not certain.
func (c *conn) owner() (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	owner, found := "", false
	for _, call := range c.calls {
		if call.need.call {
			if found && call.need.owner != owner {
				return "", false
			}
			owner, found = call.need.owner, true
		}
	}
	for _, other := range c.left {
		if other != owner {
			return "", false
		}
	}
	return owner, owner != ""
}

// newest is the owner's call that began last and is under way, but for those with an id of at least before.
func (c *conn) newest(owner string, before int64) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found *call
	for _, call := range c.calls {
		if call.need.call && call.need.owner == owner && call.ask != nil && call.id < before && (found == nil || call.id > found.id) {
			found = call
		}
	}
	return found
}
