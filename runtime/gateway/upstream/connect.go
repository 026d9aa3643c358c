package upstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// connect opens one connection as the spec says, or detects how to; in the wanted era, if one is given and the server
// speaks it.
func (s *Server) connect(want string) (*conn, error) {
	if s.opt.May != nil {
		if err := s.opt.May(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.spec.StartTime)
	defer cancel()
	began := time.Now()
	c, err := s.connectKind(ctx, want)
	if err != nil && ctx.Err() != nil && s.ctx.Err() == nil {
		err = lateError(s.spec, err)
	}
	if err == nil {
		s.log.Debug("upstream was started", "after", time.Since(began))
	}
	return c, err
}

// lateError returns the error of a start that took too long.
func lateError(s Spec, err error) error {
	if errors.Is(err, context.DeadlineExceeded) { // which carries no further information
		look := "run it by hand and see what it waits for"
		if s.Kind != Stdio {
			look = "see what else answers at its url, and what its log says"
		}
		return fmt.Errorf("the server was not ready within %s: allow it more time to start (servers.%s.start), or %s", s.StartTime, s.Name, look)
	}
	return fmt.Errorf("the server was not ready within %s: %w", s.StartTime, err)
}

func (s *Server) connectKind(ctx context.Context, want string) (*conn, error) {
	switch s.spec.Era {
	case "", Handshake, Stateless:
	default:
		return nil, fmt.Errorf("its era is %q: say %s or %s, or leave it out", sanitize.OneLine(s.spec.Era, maxLine), Handshake, Stateless)
	}
	switch s.spec.Kind {
	case Stdio, HTTP, SSE:
		return s.connectEra(ctx, s.spec.Kind, want)
	case "":
	default:
		return nil, fmt.Errorf("its kind is %q: say %s, %s or %s", sanitize.OneLine(s.spec.Kind, maxLine), Stdio, HTTP, SSE)
	}
	if s.spec.URL == "" {
		return nil, errors.New("it has neither a command nor a URL: give it one")
	}
	s.mu.Lock()
	known := s.about
	s.mu.Unlock()
	if known != nil && known.Kind == SSE {
		return s.connectEra(ctx, SSE, "")
	}
	c, err := s.connectEra(ctx, HTTP, want)
	if status := (&statusError{}); !errors.Is(err, errUnspoken) && errors.As(err, &status) && status.mayBeOlder() {
		if c, sseErr := s.connectEra(ctx, SSE, ""); sseErr == nil {
			return c, nil
		}
	}
	return c, err
}

// connectEra detects the era unless it is known. A program that ends when asked server/discover is started once more
// and not asked.
func (s *Server) connectEra(ctx context.Context, kind, want string) (*conn, error) {
	era, forced := s.spec.Era, s.spec.Era != ""
	switch {
	case forced:
	case kind == SSE || lacksEra(s.spec, Stateless): // HTTP with events predates the stateless era
		era = Handshake
	case want == Handshake && !lacksEra(s.spec, Handshake):
		return s.connectHandshake(ctx, kind)
	}
	c, h, err := s.attempt(ctx, kind, era)
	switch {
	case err == nil, forced, ctx.Err() != nil:
	case era == Handshake:
		forgetLack(s.spec, Stateless) // it may have been replaced by another version
	case kind == Stdio && h != nil && h.lostInProbe():
		c, _, err = s.attempt(ctx, kind, Handshake)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case forced:
	case c.isStateless():
		forgetLack(s.spec, Stateless)
	default:
		noteLack(s.spec, Stateless, 0)
		c.about.Silent = silentSince(s.spec)
	}
	return c, nil
}

// errUnspoken is the error if the server does not speak the wanted era and there is a connection of the other one.
var errUnspoken = errors.New("protocol era not supported")

// connectHandshake opens a handshake connection to a server that may speak both eras. If that fails, it opens one in
// the era that the server does speak, unless such a connection exists.
func (s *Server) connectHandshake(ctx context.Context, kind string) (*conn, error) {
	limited, stop := context.WithTimeout(ctx, s.spec.StartTime/2)
	defer stop()
	c, _, err := s.attempt(limited, kind, Handshake)
	if err == nil || s.ctx.Err() != nil {
		return c, err
	}
	rpc, limit := (*RPCError)(nil), eraRetry
	if errors.As(err, &rpc) {
		limit = 0
	}
	noteLack(s.spec, Handshake, limit)
	s.mu.Lock()
	other := len(s.conns) > 0
	s.mu.Unlock()
	if other {
		return nil, errors.Join(errUnspoken, err)
	}
	c, err = s.connectEra(ctx, kind, "")
	if err != nil || !c.isStateless() { // the era was not the problem then
		forgetLack(s.spec, Handshake)
	}
	return c, err
}

// attempt opens one connection in the given era, or detects the era.
func (s *Server) attempt(ctx context.Context, kind, era string) (*conn, *handshake, error) {
	c := newConn(s, s.newWire(kind))
	if err := c.wire.open(ctx, c); err != nil {
		c.close(err)
		return nil, nil, err
	}
	s.mu.Lock()
	s.program = c.program()
	s.mu.Unlock()
	h, err := c.settleProtocol(ctx, era)
	if err != nil && h.probeLate && era == "" && ctx.Err() == nil { // it is up by now: a slow start, not another era
		h, err = c.settleProtocol(ctx, Stateless)
	}
	if err != nil {
		err = c.endReason(err)
		s.mu.Lock()
		s.keepStderr(c)
		s.mu.Unlock()
		c.close(err)
		return nil, h, err
	}
	if h.probeLate && !c.late.Load() { // a slow server has answered by now
		noteSilent(s.spec, time.Now())
	}
	c.about.Kind = kind
	return c, h, nil
}

func (s *Server) newWire(kind string) wire {
	switch kind {
	case HTTP:
		return newHTTPWire(s.spec, s.web, s.opt.Login)
	case SSE:
		return newSSEWire(s.spec, s.web, s.opt.Login)
	}
	return newStdioWire(s.spec, s.opt.Start)
}
