package upstream

import (
	"context"
	"time"
)

// acquire returns a working connection that meets the need, and holds it against idle close. It starts one if there is
// none.
func (s *Server) acquire(ctx context.Context, n need) (*conn, error) {
	share, patience := false, (<-chan time.Time)(nil)
	for {
		s.mu.Lock()
		if s.closed {
			err := s.unreachableError(errServerClosed)
			s.mu.Unlock()
			return nil, err
		}
		c, st, err := s.choose(n, share)
		crowded := st != nil && st == s.vacant
		s.mu.Unlock()
		if err != nil || c != nil {
			return c, err
		}
		if crowded && patience == nil {
			patience = time.After(sharePatience)
		}
		select {
		case <-st.done:
			if st.err != nil && !s.isConnected() {
				return nil, st.err
			}
		case <-patience:
			share = true
		case <-ctx.Done():
			return nil, s.contextError(ctx)
		}
	}
}

func (s *Server) isConnected() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns) > 0
}

// choose claims the best connection, and starts another one if all are busy and more are allowed, or none fits. It
// waits for one whose liveness is being checked: what is sent over it is not repeated.
func (s *Server) choose(n need, share bool) (*conn, *start, error) {
	best, more := s.pick(n, share)
	if best == nil || best.busy > 0 && more < s.spec.Connections {
		now := time.Now()
		err, alone := s.breaker.refusal(now), now.Before(s.alone)
		switch {
		case err != nil && len(s.conns) == 0:
			return nil, nil, s.refusedError(err)
		case best == nil && len(s.conns) > 0 && (err != nil || alone):
			return s.choose(n, true)
		case err == nil && !alone && s.starting == nil && (best != nil || s.hasRoom(n, more)):
			s.beginStart(s.chooseEra(n.era))
		}
	}
	switch {
	case best == nil && s.starting == nil:
		return nil, s.vacancyStart(), nil
	case best == nil:
		return nil, s.starting, nil
	case best.look != nil:
		return nil, best.look, nil
	}
	s.hold(best)
	best.addLease(n)
	return best, nil, nil
}

// pick returns the best connection for a request; nil if none takes it, or a new one is better. more counts those of
// the era it needs. The caller holds mu.
func (s *Server) pick(n need, share bool) (best *conn, more int) {
	era := s.chooseEra(n.era)
	for _, c := range s.conns {
		if era != "" && c.about.Era != era {
			if best == nil && share {
				best = c
			}
			continue
		}
		more++
		if (share || c.canCarry(n)) && (best == nil || s.isBetter(c, best, n)) {
			best = c
		}
	}
	if best != nil && !share && best.usedByOther(n) && more < s.spec.most {
		return nil, more
	}
	return best, more
}

// isBetter reports whether a is preferred over b.
func (s *Server) isBetter(a, b *conn, n need) bool {
	switch {
	case (a.look == nil) != (b.look == nil):
		return a.look == nil
	case a.usedByOther(n) != b.usedByOther(n):
		return b.usedByOther(n)
	case s.spec.Connections == 1 && n.kept && a.rented.last != b.rented.last && !a.isStateless() && !b.isStateless():
		return a.rented.last == n.owner
	}
	return a.busy < b.busy
}

// usedByOther reports whether a connection was last used by another session.
func (c *conn) usedByOther(n need) bool {
	return n.call && !c.isStateless() && c.rented.last != "" && c.rented.last != n.owner
}

// hasRoom reports whether another connection may be started in addition to those of the era. It drops an idle connection
// that only its last caller could use to make room. The caller holds mu.
func (s *Server) hasRoom(n need, count int) bool {
	if count < s.spec.most {
		return true
	}
	for _, c := range s.conns {
		if c.busy > 0 || c.canCarry(n) {
			continue
		}
		s.removeConn(c)
		s.work.Go(func() { c.close(errClosed) })
		return true
	}
	return false
}

// vacancyStart returns a start that is done when a call has ended. The caller holds mu.
func (s *Server) vacancyStart() *start {
	if s.vacant == nil {
		s.vacant = &start{done: make(chan struct{})}
	}
	return s.vacant
}
