package service

import "slices"

// fresh returns the current snapshot with a lease on it. Where another directory
// has taken the place of a root, as after a fresh clone, the roots are opened
// again first: those of the same places, links in the way of them refused.
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

// renew swaps in the same configuration with roots that are opened again. Where
// that cannot be done the snapshot stays, and calls say what is wrong.
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
