package shared

// Due returns how many sessions wait for the next group.
func (s *Sharer) Due() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.due)
}
