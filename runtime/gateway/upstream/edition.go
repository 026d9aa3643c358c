package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Edition identifies a server's tool list as one connection has it, until that connection announces a change. A
// restarted program may offer something else under the same names, and so may a second one in a pool.
type Edition struct {
	Connection int64 // unique
	Change     int64 // number of changes announced over it
}

// numbers counts connections.
var numbers atomic.Int64

func (c *conn) edition() Edition { return Edition{c.number, c.changes.Load()} }

// Visit is a connection over which a request is about to be sent.
type Visit struct{ conn *conn }

// Edition returns the connection's current edition.
func (v *Visit) Edition() Edition { return v.conn.edition() }

// Offer is what a server offers, as reported over one connection.
type Offer struct {
	About   About
	Edition Edition           // not newer than Tools
	Tools   []json.RawMessage // as they came
}

// Tools asks for the server's tools over this connection.
func (v *Visit) Tools(ctx context.Context) (*Offer, error) {
	return v.conn.server.toolsOver(ctx, v.conn)
}

// Tools asks for the server's tools, and connects to it if necessary. A server without tools returns none.
func (s *Server) Tools(ctx context.Context) (*Offer, error) {
	for try := 1; ; try++ {
		c, err := s.acquire(ctx, need{})
		if err != nil {
			return nil, err
		}
		offer, err := s.toolsOver(ctx, c)
		s.release(c)
		if err == nil || try == maxTries || ctx.Err() != nil || !c.isEnded() {
			return offer, err
		}
	}
}

func (s *Server) toolsOver(ctx context.Context, c *conn) (*Offer, error) {
	o := &Offer{About: c.about, Edition: c.edition()}
	declared, asking := c.about.offersCapability("tools", ""), ctx
	if !declared { // many servers declare nothing and list their tools when asked
		var stop context.CancelFunc
		asking, stop = context.WithTimeout(ctx, maxUndeclared)
		defer stop()
	}
	list, err := s.listOver(asking, string(mcp.MethodToolsList), "tools", c)
	var rpc *RPCError
	var own *Error
	switch {
	case errors.As(err, &rpc) && rpc.Code == mcp.METHOD_NOT_FOUND:
		return o, nil
	case declared || err == nil || ctx.Err() != nil:
	case rpc != nil, asking.Err() != nil, errors.As(err, &own) && own.Code == CodeExecution:
		s.log.Info("it declares no tools, and lists none when asked", "reason", s.mask.line(err.Error()))
		return o, nil
	}
	o.Tools = list
	return o, err
}

// maxUndeclared limits the wait for the tools of a server that declares none.
const maxUndeclared = 5 * time.Second

// claim holds the connection that a request is bound to.
func (s *Server) claim(c *conn, n need) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.conns, c) {
		return &Error{Code: CodeConnection, Server: s.spec.Name, Message: "connection lost before the request was sent", Err: errNotSent}
	}
	s.hold(c)
	c.addLease(n)
	return nil
}

// askAdmission asks whether a request may be sent over a connection. If the connection has ended meanwhile, the error counts
// as not sent, so that the request is tried on another connection.
func (r *Request) askAdmission(ctx context.Context, c *conn) error {
	if r.Admit == nil {
		return nil
	}
	err := r.Admit(ctx, &Visit{c})
	if err != nil && c.isEnded() {
		return fmt.Errorf("%w: %w", errNotSent, err)
	}
	return err
}

func (c *conn) isEnded() bool {
	select {
	case <-c.dead:
		return true
	default:
		return false
	}
}
