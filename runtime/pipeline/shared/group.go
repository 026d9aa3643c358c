package shared

import (
	"context"
	"slices"
)

// joinGroup adds a session to the next transaction, and returns a channel closed after it. Sessions that arrive during
// one share the next: a transaction for each would keep hundreds of clients waiting for a few connections.
func (s *Sharer) joinGroup(e *entry) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.grouped == nil {
		s.grouped = make(chan struct{})
	}
	done := s.grouped
	if !slices.Contains(s.due, e) {
		s.due = append(s.due, e)
	}
	if s.closed { // Close writes the rest
		close(done)
		s.grouped, s.due = nil, nil
	} else if !s.saving {
		s.saving = true
		s.work.Go(s.saveGroups)
	}
	return done
}

// saveGroups writes groups of sessions until there are no more.
func (s *Sharer) saveGroups() {
	for {
		s.mu.Lock()
		list, done := s.due, s.grouped
		s.due, s.grouped = nil, nil
		s.saving = len(list) > 0
		s.mu.Unlock()
		if len(list) == 0 {
			return
		}
		s.reportError(s.saveGroup(list))
		close(done)
	}
}

func (s *Sharer) saveGroup(list []*entry) error {
	ctx, cancel := context.WithTimeout(context.Background(), writeTime)
	defer cancel()
	shelf, err := s.open(ctx)
	if err != nil {
		return err
	}
	var busy []*entry
	for part := range slices.Chunk(list, maxAtOnce) {
		skipped, err := s.putAll(ctx, shelf, part)
		if err != nil {
			return err
		}
		busy = append(busy, skipped...)
	}
	for _, e := range busy {
		if err := e.acquire(ctx); err != nil {
			return err
		}
		var err error
		if s.isStale(e) { // otherwise the goroutine that held it has written it
			err = s.mergeAndWrite(ctx, shelf, e, false)
		}
		e.release()
		if err != nil {
			return err
		}
	}
	return nil
}

// isStale reports whether a session has changes that are not on the shelf.
func (s *Sharer) isStale(e *entry) bool {
	s.mu.Lock()
	changed := e.changed
	s.mu.Unlock()
	of := s.opt.Sessions(e.id)
	return changed || of != nil && of.Fresh().Is()
}
