package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/mcp/sse"
)

// ServeLines serves one client over newline-delimited JSON: stdio, or one connection of a unix socket. It returns nil
// when the input ends or ctx does. At the end of input the calls in flight get Options.Grace to finish; when ctx ends
// they are cancelled, and their clients informed.
//
// A pending read is then ended by in's read deadline or by closing in, if it supports either. A reader without both,
// such as a terminal, keeps a goroutine until its read returns.
func (s *Server) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newLineConn(s, out)
	defer s.hub.leave(c.sess.news)
	defer s.sessionEnded(c.sess.id)
	go c.out.run(c.sess.news.wake, c.changeFrames)

	lines := make(chan inputLine)
	var readErr error
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(lines)
		readErr = readLines(ctx, in, s.opt.MaxMessage, lines)
	}()

	why := c.serve(ctx, lines)
	c.finish(why)
	cancel()
	if why == errEnded || interruptRead(in) {
		<-read
	}
	if why == errEnded {
		return errors.Join(readErr, c.out.writeError())
	}
	return c.out.writeError()
}

// lineConn is one connection.
type lineConn struct {
	server *Server
	sess   *session
	out    *outbox
	calls  sync.WaitGroup

	listens    context.Context // parent of subscriptions, which end before calls do
	endListens context.CancelCauseFunc

	mu        sync.Mutex
	handshake bool // the client is of the handshake era and receives changes without subscribing
}

func newLineConn(s *Server, out io.Writer) *lineConn {
	c := &lineConn{server: s, sess: newSession(newID(), s.opt.MaxCalls), out: newOutbox(out)}
	c.sess.news = s.hub.join(&subscriber{id: c.sess.id, sess: c.sess})
	c.listens, c.endListens = context.WithCancelCause(context.Background())
	return c
}

var errGone = sse.ErrGone

// serve handles lines until there are no more, the client is gone or ctx ends, and returns which.
func (c *lineConn) serve(ctx context.Context, lines <-chan inputLine) error {
	for {
		select {
		case l, ok := <-lines:
			if !ok {
				return errEnded
			}
			c.handleLine(ctx, l)
		case <-c.out.dead:
			return errGone
		case <-ctx.Done():
			return errStopping
		}
	}
}

// handleLine handles one line. Quick requests are answered immediately, in order; calls and subscriptions get a goroutine.
func (c *lineConn) handleLine(ctx context.Context, l inputLine) {
	if l.long > 0 {
		c.reply(ctx, id{}, failed(invalidRequest(fmt.Sprintf(
			"a message of %d bytes is over the limit of %d: send less at a time", l.long, c.server.opt.MaxMessage))))
		return
	}
	m, bad := parse(l.data)
	switch {
	case bad != nil:
		c.reply(ctx, m.id, failed(bad))
	case m.response:
		c.sess.asks.deliver(m)
	case !m.id.isGiven():
		c.handleNotification(m)
	default:
		c.handleRequest(ctx, newRequest(m))
	}
}

func (c *lineConn) handleNotification(m message) {
	switch mcp.MCPMethod(m.method) {
	case mcp.MethodNotificationCancelled:
		c.sess.cancel(parseIDParam(m.param("requestId")))
	case mcp.MethodNotificationInitialized:
		c.mu.Lock()
		c.handshake = true
		c.mu.Unlock()
	}
}

// changeFrames returns change notes for clients of the handshake era; nil for others, which subscribe.
func (c *lineConn) changeFrames() [][]byte {
	frames := c.sess.news.takeFrames()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.handshake {
		return nil
	}
	return frames
}

func (c *lineConn) handleRequest(ctx context.Context, r *request) {
	_ = c.server.resolveFace(c.sess, r) // handle reports the error
	parent := context.Background()      // not ctx: finish decides when calls end and why
	switch {
	case r.method == string(mcp.MethodToolsCall) || c.server.mayForward(r) || c.server.mayWait(r):
	case r.method == string(mcp.MethodSubscriptionsListen):
		parent = c.listens
	default:
		if c.sess.isRunning(r.id) {
			c.refuse(ctx, errRunning, r.id)
			return
		}
		c.reply(ctx, r.id, c.server.handle(ctx, c.sess, r, c.out))
		return
	}
	callCtx, end, err := c.sess.begin(parent, r.id)
	if err != nil {
		c.refuse(ctx, err, r.id)
		return
	}
	c.calls.Go(func() {
		a := c.server.handle(callCtx, c.sess, r, c.out)
		end() // the id is free before its client can know
		c.reply(context.Background(), r.id, a)
	})
}

func (c *lineConn) refuse(ctx context.Context, err error, i id) {
	a, to := refusalAnswer(err, i)
	c.reply(ctx, to, a)
}

func (c *lineConn) reply(ctx context.Context, to id, a answer) {
	if !a.silent {
		_ = c.out.send(ctx, a.frame(to)) // serve notices if the client is gone
	}
}

// finish ends what is in flight and writes what is left to write, in bounded time.
func (c *lineConn) finish(why error) {
	done := make(chan struct{})
	go func() { c.calls.Wait(); close(done) }()
	grace := c.server.opt.Grace
	c.sess.asks.close()
	c.endListens(why)
	if why == errEnded { // calls may be short, and the client may still read
		waitFor(grace, done, c.out.dead)
	}
	c.sess.cancelAll(why)
	if !waitFor(grace, done, nil) {
		c.server.log.Error("calls ignored their cancellation and were abandoned")
	}
	c.out.finish()
	waitFor(grace, c.out.dead, nil)
	c.out.abandon()
}

// waitFor waits for event, at most d, and stops waiting once useless is closed; it reports whether the event came.
func waitFor(d time.Duration, event, useless <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-event:
		return true
	case <-useless:
		return false
	case <-timer.C:
		return false
	}
}
