package store

import "time"

// Knock has the next use try a server that was away a moment ago.
func (s *Store) Knock() {
	gate := &s.dialect.(*postgres).gate
	gate.mu.Lock()
	defer gate.mu.Unlock()
	gate.until = time.Time{}
}

// Crowd takes all connections, until it is ended.
func (s *Store) Crowd() (end func()) {
	slots := s.dialect.(*postgres).slots
	for range cap(slots) {
		slots <- struct{}{}
	}
	return func() {
		for range cap(slots) {
			<-slots
		}
	}
}
