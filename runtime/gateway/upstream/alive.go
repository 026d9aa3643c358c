package upstream

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	// pingTime bounds the wait for a sign of life.
	pingTime = 5 * time.Second
	// longWait is when a caller who leaves is taken for one whose time was over. Chat clients give up after 30 or 60 s
	// and do not say why.
	longWait = 25 * time.Second
)

// errMute is why a connection is given up over which nothing comes any more.
var errMute = errors.New("the server stopped responding (ping timed out): it was ended and is restarted with the next call")

// suspect has a look at a connection over which a call got no answer in time. A server that hangs, unlike one that has
// ended, would otherwise let one call after another run out of time.
func (s *Server) suspect(ctx context.Context, c *conn, left *call) {
	if standing(left.method) || !errors.Is(endOf(ctx), context.DeadlineExceeded) && time.Since(left.began) < longWait {
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

// examine asks the server whether it is there, and gives the connection up when nothing comes. Who waits goes on when
// the program has ended: two of one kind may be in each other's way.
func (s *Server) examine(c *conn, left *call) {
	if !c.alive(left) {
		c.close(errMute)
		s.died(c, c.reason)
	}
	s.mu.Lock()
	done := c.look.done
	c.look = nil
	s.mu.Unlock()
	s.release(c)
	close(done)
}

// alive reports whether anything comes over the connection, or may yet: a program that does one thing after another is
// mute while it works on a call that is older than the one that was left.
func (c *conn) alive(left *call) bool {
	heard := c.heard.Load()
	ctx, stop := context.WithTimeout(c.ctx, c.server.pingTime)
	defer stop()
	method := mcp.MethodPing
	if c.modern() { // which has no ping
		method = mcp.MethodServerDiscover
	}
	_, err := c.request(ctx, Request{Method: string(method)})
	var status *statusError
	var bad *useless
	return err == nil || errors.As(err, &status) || errors.As(err, &bad) || c.heard.Load() > heard || c.worksOn(left.id)
}

// worksOn reports whether a call is under way that is older than id.
func (c *conn) worksOn(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.calls {
		if call.id < id && !standing(call.method) {
			return true
		}
	}
	return false
}
