package service

import "slices"

// acquireFresh returns the current snapshot with a lease on it. If a root's directory was
// replaced, for example by a fresh clone, it opens the roots again first: at the same
// paths, and without following links on the way.
func (s *Service) acquireFresh() *Snapshot {
	snap := s.acquire()
	if !snap.hasReplacedRoots() {
		return snap
	}
	s.renewing.Lock()
	defer s.renewing.Unlock()
	if now := s.current.Load(); now == snap {
		s.renewRoots(snap)
	}
	snap.lease.release()
	return s.acquire()
}

func (s *Snapshot) hasReplacedRoots() bool {
	for _, r := range s.Roots.Roots() {
		if r.Replaced() {
			return true
		}
	}
	return false
}

// renewRoots replaces the snapshot by one with the same configuration and newly opened
// roots. If that fails, the snapshot stays, and calls report the problem.
func (s *Service) renewRoots(old *Snapshot) {
	next, err := old.openSnapshot(old.given)
	if err != nil {
		old.warn("a root was replaced and cannot be opened", "error", err.Error())
		return
	}
	if !slices.Equal(next.rootPaths(), old.rootPaths()) || !s.current.CompareAndSwap(old, next) {
		_ = next.Close()
		return
	}
	old.lease.retire(func() { _ = old.Close() })
}
