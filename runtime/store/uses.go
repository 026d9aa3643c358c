package store

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// Use is how often a tool was called.
type Use struct {
	Server, Tool  string
	Count, Failed int       // calls, and those of them that failed
	Last          time.Time // of the last call; to the millisecond, UTC
}

// The bounds of what Count gathers before it is written.
const (
	maxPending = 10_000 // tools; counts of more are dropped
	flushAfter = 2 * time.Second
)

// flushLimit is how long one write may take. It is a variable for tests.
var flushLimit = 3 * time.Second

// tally gathers counts between two writes. Counts of one tool add up, so calls at any rate take no more room.
type tally struct {
	mu      sync.Mutex
	pending map[[2]string]Use
	timer   *time.Timer
	closed  bool
	writing sync.Mutex // one write at a time, and none after Close
}

// Count notes one call of a tool. It returns at once and never fails: it is written a little later, with others, and a
// count that cannot be written is tried again and given up at Close.
func (s *Store) Count(server, tool string, ok bool) {
	u := Use{Server: server, Tool: tool, Count: 1, Last: s.now()}
	if !ok {
		u.Failed = 1
	}
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	if !s.uses.closed {
		s.uses.add(u)
		s.schedule()
	}
}

// add merges a use into what is pending; the caller holds mu.
func (t *tally) add(u Use) {
	key := [2]string{u.Server, u.Tool}
	old, has := t.pending[key]
	if !has && len(t.pending) >= maxPending {
		return
	}
	if t.pending == nil {
		t.pending = map[[2]string]Use{}
	}
	u.Count, u.Failed = u.Count+old.Count, u.Failed+old.Failed
	if old.Last.After(u.Last) { // the clock may be set back
		u.Last = old.Last
	}
	t.pending[key] = u
}

// schedule sees to it that what is pending gets written; the caller holds mu.
func (s *Store) schedule() {
	if s.uses.timer == nil {
		s.uses.timer = time.AfterFunc(flushAfter, func() {
			ctx, cancel := context.WithTimeout(context.Background(), flushLimit)
			defer cancel()
			_ = s.flush(ctx) // tried again while it fails
		})
	}
}

// flush writes what is pending. What cannot be written is pending again.
func (s *Store) flush(ctx context.Context) error {
	t := &s.uses
	t.writing.Lock()
	defer t.writing.Unlock()
	t.mu.Lock()
	batch := t.pending
	t.pending, t.timer = nil, nil
	t.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	err := s.change(ctx, func(tx *sql.Tx) error { return addUses(ctx, tx, batch) })
	if err != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, u := range batch {
			t.add(u)
		}
		if !t.closed {
			s.schedule()
		}
	}
	return err
}

func addUses(ctx context.Context, tx *sql.Tx, batch map[[2]string]Use) error {
	for _, u := range batch {
		if _, err := tx.ExecContext(ctx, `INSERT INTO uses (server, tool, count, failed, last) VALUES (?,?,?,?,?)
			ON CONFLICT (server, tool) DO UPDATE SET count = count + excluded.count, failed = failed + excluded.failed,
			last = max(last, excluded.last)`, u.Server, u.Tool, u.Count, u.Failed, millis(u.Last)); err != nil {
			return err
		}
	}
	return nil
}

// stopCounting makes Count do nothing and writes what is pending.
func (s *Store) stopCounting() error {
	s.uses.mu.Lock()
	s.uses.closed = true
	if s.uses.timer != nil {
		s.uses.timer.Stop()
	}
	s.uses.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), flushLimit)
	defer cancel()
	return s.flush(ctx)
}

// Uses returns the use of every tool, by server and tool, calls counted until now included.
func (s *Store) Uses(ctx context.Context) ([]Use, error) {
	if err := s.flush(ctx); err != nil {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx, "SELECT server, tool, count, failed, last FROM uses ORDER BY server, tool")
	if err != nil {
		return nil, s.explain(err)
	}
	defer rows.Close()
	var uses []Use
	for rows.Next() {
		var u Use
		var last int64
		if err := rows.Scan(&u.Server, &u.Tool, &u.Count, &u.Failed, &last); err != nil {
			return nil, s.explain(err)
		}
		u.Last = moment(last)
		uses = append(uses, u)
	}
	return uses, s.explain(rows.Err())
}
