package upstream

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// connect opens one connection in the way the spec says, or finds the way out.
func (s *Server) connect() (*conn, error) {
	if s.opt.May != nil {
		if err := s.opt.May(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.spec.StartTime)
	defer cancel()
	began := time.Now()
	c, err := s.connectKind(ctx)
	if err != nil && ctx.Err() != nil && s.ctx.Err() == nil {
		err = late(s.spec, err)
	}
	if err == nil {
		s.log.Debug("upstream was started", "after", time.Since(began))
	}
	return c, err
}

// late is the error of a start whose time is over.
func late(s Spec, err error) error {
	if errors.Is(err, context.DeadlineExceeded) { // it says no more than that
		look := "run it by hand and see what it waits for"
		if s.Kind != Stdio {
			look = "see what else answers at its url, and what its log says"
		}
		return fmt.Errorf("it did not finish its start within %s: allow it more time to start, or %s", s.StartTime, look)
	}
	return fmt.Errorf("it did not finish its start within %s: %w", s.StartTime, err)
}

func (s *Server) connectKind(ctx context.Context) (*conn, error) {
	switch s.spec.Era {
	case "", Handshake, Stateless:
	default:
		return nil, fmt.Errorf("its era is %q: say %s or %s, or leave it out", oneLine(s.spec.Era), Handshake, Stateless)
	}
	switch s.spec.Kind {
	case Stdio, HTTP, SSE:
		return s.connectEra(ctx, s.spec.Kind)
	case "":
	default:
		return nil, fmt.Errorf("its kind is %q: say %s, %s or %s", oneLine(s.spec.Kind), Stdio, HTTP, SSE)
	}
	if s.spec.URL == "" {
		return nil, errors.New("it has neither a command nor a URL: give it one")
	}
	s.mu.Lock()
	known := s.about
	s.mu.Unlock()
	if known != nil && known.Kind == SSE {
		return s.connectEra(ctx, SSE)
	}
	c, err := s.connectEra(ctx, HTTP)
	if status := (&statusError{}); errors.As(err, &status) && status.mayBeOlder() {
		if c, sseErr := s.connectEra(ctx, SSE); sseErr == nil {
			return c, nil
		}
	}
	return c, err
}

// connectEra finds the era out unless it is known. A program that ends because it was asked server/discover is started
// once more and not asked.
func (s *Server) connectEra(ctx context.Context, kind string) (*conn, error) {
	era, forced := s.spec.Era, s.spec.Era != ""
	if !forced && (kind == SSE || knownHandshake(s.spec)) { // HTTP with events is older than the stateless era
		era = Handshake
	}
	c, h, err := s.attempt(ctx, kind, era)
	switch {
	case err == nil, forced, ctx.Err() != nil:
	case era == Handshake:
		rememberEra(s.spec, "") // it may have been replaced by another version
	case kind == Stdio && h != nil && h.lostInProbe():
		c, _, err = s.attempt(ctx, kind, Handshake)
	}
	if err != nil {
		return nil, err
	}
	if !forced {
		rememberEra(s.spec, c.about.Era)
	}
	return c, nil
}

// attempt opens one connection in one era, or in the one that is found.
func (s *Server) attempt(ctx context.Context, kind, era string) (*conn, *handshake, error) {
	c := newConn(s, s.newWire(kind))
	if err := c.wire.open(ctx, c); err != nil {
		c.close(err)
		return nil, nil, err
	}
	h, err := c.settle(ctx, era)
	if err != nil && h.probeLate && era == "" && ctx.Err() == nil { // by now it is up: a slow start, not another era
		h, err = c.settle(ctx, Stateless)
	}
	if err != nil {
		err = c.because(err)
		s.mu.Lock()
		s.keepStderr(c)
		s.mu.Unlock()
		c.close(err)
		return nil, h, err
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
