package upstream

import (
	"slices"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// need is what a request requires of its connection.
type need struct {
	era   string // the era in which its caller can be asked in the usual way; "": either
	call  bool   // the server may ask something because of it
	owner string // the caller to ask then; "": none can be asked
	kept  bool   // owner is a session, which may make further calls
}

const (
	// sharePatience is how long a call waits for a connection without others' calls. Then it shares one, and the
	// server's questions are refused meanwhile, unless they name their call.
	sharePatience = 2 * time.Second
	// aloneTime is how long no further connection is started after a start of an additional one failed.
	aloneTime = time.Minute
	// maxLeft limits the abandoned calls that are remembered individually.
	maxLeft = 1000
)

// needOf returns what a request needs. It matters only if the server may ask anything at all.
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

// mayBeAsked reports whether a server may ask something because of a request: only because of those callers' requests
// that perform an action.
func mayBeAsked(method string) bool {
	switch mcp.MCPMethod(method) {
	case mcp.MethodToolsCall, mcp.MethodPromptsGet, mcp.MethodResourcesRead, mcp.MethodCompletionComplete:
		return true
	}
	return false
}

// lease records whose calls a connection carries. In the handshake era a server's request over a common stream names
// none of our requests. It has one possible owner only while all calls under way have the same one.
type lease struct {
	calls map[string]int // under way, by owner
	last  string         // the last session to use it, whose calls may have left state there
}

// addLease adds a call. The caller holds server.mu.
func (c *conn) addLease(n need) {
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

// removeLease removes a call.
func (s *Server) removeLease(c *conn, n need) {
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

// canCarry reports whether a request can be sent over a connection while the server's questions keep a single owner. The
// caller holds server.mu.
func (c *conn) canCarry(n need) bool {
	if !n.call || c.isStateless() { // it asks in its results
		return true
	}
	for owner := range c.rented.calls {
		if owner != n.owner {
			return false
		}
	}
	return n.owner == "" || c.leftBy(n.owner)
}

// noteAbandoned records an abandoned call: the server may still work on it, and ask. The caller holds mu.
func (c *conn) noteAbandoned(call *call) {
	if !call.need.call || c.isStateless() {
		return
	}
	key := call.key
	if len(c.left) >= maxLeft {
		key = call.need.owner // for as long as the connection lasts
	}
	c.left[key] = call.need.owner
}

// noteAnswered records that a call was answered, even if it was abandoned before.
func (c *conn) noteAnswered(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.left, key)
	delete(c.users.left, key)
	if call := c.calls[key]; call != nil {
		call.late = true
	}
}

// leftBy reports whether all abandoned calls belong to owner.
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

// owner returns the owner of a server's request that names none of ours; false if it is ambiguous.
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

// newest returns the owner's newest call under way with an id below before.
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
