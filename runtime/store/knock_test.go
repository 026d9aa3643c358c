package store

import "time"

// Knock has the next use try a server that was away a moment ago.
func (s *Store) Knock() {
	gate := &s.dialect.(*postgres).gate
	gate.mu.Lock()
	defer gate.mu.Unlock()
	gate.until = time.Time{}
}
