package service

import "slices"

// fresh returns the current snapshot with a lease on it. If a root's directory was
// replaced, for example by a fresh clone, it opens the roots again first: at the same
// paths, and without following links on the way.
func (s *Service) fresh() *Snapshot {
	snap := s.acquire()
	if !snap.replaced() {
		return snap
	}
	s.renewing.Lock()
	defer s.renewing.Unlock()
	if now := s.current.Load(); now == snap {
		s.renew(snap)
	}
	snap.lease.release()
	return s.acquire()
}

func (s *Snapshot) replaced() bool {
	for _, r := range s.Roots.Roots() {
		if r.Replaced() {
			return true
		}
	}
	return false
}

// renew replaces the snapshot by one with the same configuration and newly opened
// roots. If that fails, the snapshot stays, and calls report the problem.
func (s *Service) renew(old *Snapshot) {
	next, err := old.open(old.given)
	if err != nil {
		old.warn("a root was replaced and cannot be opened", "error", err.Error())
		return
	}
	if !slices.Equal(next.places(), old.places()) || !s.current.CompareAndSwap(old, next) {
		_ = next.Close()
		return
	}
	old.lease.retire(func() { _ = old.Close() })
}
