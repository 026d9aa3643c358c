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

// Edition is a server's list of tools as one connection has it until that announces a change. A program that was started
// anew may offer something else under the same names, and so may the second of a pool.
type Edition struct {
	Connection int64 // no two have the same
	Change     int64 // how many were announced over it
}

// numbers are those of connections.
var numbers atomic.Int64

func (c *conn) edition() Edition { return Edition{c.number, c.changes.Load()} }

// Visit is a connection that a request is about to go out over.
type Visit struct{ conn *conn }

// Edition is that of the connection now.
func (v *Visit) Edition() Edition { return v.conn.edition() }

// Offer is what a server offers, as one connection says.
type Offer struct {
	About   About
	Edition Edition           // no later than Tools
	Tools   []json.RawMessage // as they came
}

// Tools asks what the server offers over this connection.
func (v *Visit) Tools(ctx context.Context) (*Offer, error) {
	return v.conn.server.toolsOver(ctx, v.conn)
}

// Tools asks what the server offers, and connects it if need be. A server without tools has none.
func (s *Server) Tools(ctx context.Context) (*Offer, error) {
	for try := 1; ; try++ {
		c, err := s.acquire(ctx, need{})
		if err != nil {
			return nil, err
		}
		offer, err := s.toolsOver(ctx, c)
		s.release(c)
		if err == nil || try == maxTries || ctx.Err() != nil || !c.ended() {
			return offer, err
		}
	}
}

func (s *Server) toolsOver(ctx context.Context, c *conn) (*Offer, error) {
	o := &Offer{About: c.about, Edition: c.edition()}
	declared, asking := c.about.offers("tools", ""), ctx
	if !declared { // many a server declares nothing and lists its tools when asked
		var stop context.CancelFunc
		asking, stop = context.WithTimeout(ctx, maxUndeclared)
		defer stop()
	}
	list, err := s.list(asking, string(mcp.MethodToolsList), "tools", c)
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

// maxUndeclared bounds the wait for the tools of a server that declares none.
const maxUndeclared = 5 * time.Second

// claim holds the connection that a request is bound to.
func (s *Server) claim(c *conn, n need) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.conns, c) {
		return &Error{Code: CodeConnection, Server: s.spec.Name, Message: "connection lost before the request was sent", Err: errNotSent}
	}
	s.hold(c)
	c.rent(n)
	return nil
}

// admit asks whether a request may go out over a connection. Where that has ended meanwhile the request has not left, and
// another connection is asked about.
func (r *Request) admit(ctx context.Context, c *conn) error {
	if r.Admit == nil {
		return nil
	}
	err := r.Admit(ctx, &Visit{c})
	if err != nil && c.ended() {
		return fmt.Errorf("%w: %w", errNotSent, err)
	}
	return err
}

func (c *conn) ended() bool {
	select {
	case <-c.dead:
		return true
	default:
		return false
	}
}
