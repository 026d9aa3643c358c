package service

import "sync"

// lease counts the calls that run on a snapshot, so that its roots close when the last
// of them ends, and no earlier.
type lease struct {
	mu      sync.Mutex
	users   int
	retired bool
	end     func()
}

// take returns false if the snapshot is retired: the caller must get the new one.
func (l *lease) take() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.retired {
		return false
	}
	l.users++
	return true
}

func (l *lease) release() {
	l.mu.Lock()
	l.users--
	end := l.end
	last := l.retired && l.users == 0
	l.mu.Unlock()
	if last {
		end()
	}
}

// retire ends the lease. It runs end now, or when the last user is done.
func (l *lease) retire(end func()) {
	l.mu.Lock()
	l.retired, l.end = true, end
	idle := l.users == 0
	l.mu.Unlock()
	if idle {
		end()
	}
}

// acquire returns the current snapshot with a lease on it.
func (s *Service) acquire() *Snapshot {
	for {
		if snap := s.current.Load(); snap.lease.take() {
			return snap
		}
	}
}
