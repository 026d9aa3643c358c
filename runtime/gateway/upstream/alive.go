package upstream

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	// pingTime limits the wait for a sign of life.
	pingTime = 5 * time.Second
	// longWait is the wait from which a caller that leaves is assumed to have timed out. Chat clients give up after 30
	// or 60 s and do not say why.
	longWait = 25 * time.Second
)

// errMute is the reason for giving up a connection that has gone silent.
var errMute = errors.New("the server stopped responding (ping timed out): it was ended and is restarted with the next call")

// checkSilent checks a connection over which a call got no answer in time. Otherwise a server that hangs, unlike one that
// has ended, would let one call after another time out.
func (s *Server) checkSilent(ctx context.Context, c *conn, left *call) {
	if isStanding(left.method) || !errors.Is(endOf(ctx), context.DeadlineExceeded) && time.Since(left.began) < longWait {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || c.look != nil || !slices.Contains(s.conns, c) { // it is in its handshake, or gone
		return
	}
	c.look = &start{done: make(chan struct{})}
	s.hold(c)
	s.work.Go(func() { s.examine(c, left) })
}

// examine asks the server for a sign of life, and gives the connection up if none comes. Waiting callers continue only
// after the program has ended, because two instances could interfere with each other.
func (s *Server) examine(c *conn, left *call) {
	if !c.isAlive(left) {
		c.close(errMute)
		s.handleLoss(c, c.reason)
	}
	s.mu.Lock()
	done := c.look.done
	c.look = nil
	s.mu.Unlock()
	s.release(c)
	close(done)
}

// isAlive reports whether anything arrives over the connection, or still may: a program that handles calls one at a time
// is silent while it works on a call older than the abandoned one.
func (c *conn) isAlive(left *call) bool {
	heard := c.heard.Load()
	ctx, stop := context.WithTimeout(c.ctx, c.server.pingTime)
	defer stop()
	method := mcp.MethodPing
	if c.isStateless() { // which has no ping
		method = mcp.MethodServerDiscover
	}
	_, err := c.request(ctx, Request{Method: string(method)})
	var status *statusError
	var bad *useless
	return err == nil || errors.As(err, &status) || errors.As(err, &bad) || c.heard.Load() > heard || c.worksOn(left.id)
}

// worksOn reports whether a call older than id is under way.
func (c *conn) worksOn(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.calls {
		if call.id < id && !isStanding(call.method) {
			return true
		}
	}
	return false
}
