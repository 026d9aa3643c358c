package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Use is how often clients of a profile called a tool.
type Use struct {
	Profile       string // "" for clients without one
	Server, Tool  string
	Count, Failed int       // calls, and those of them that failed
	Last          time.Time // of the last call; to the millisecond, UTC
}

// key is what a use is added up by.
func (u Use) key() [3]string { return [3]string{u.Profile, u.Server, u.Tool} }

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
	pending map[[3]string]Use
	sending batch // was given to the database, which has not said that it is kept
	timer   *time.Timer
	closed  bool
	dropped Uncounted
	counted int64      // calls so far
	written int64      // of counted, those that no later batch holds; writing is held
	writing sync.Mutex // one write at a time, and none after Close
}

// Uncounted are calls that Count was told of and that were given up.
type Uncounted struct {
	Calls    int
	From, To time.Time // of the last call of each tool
}

// drop gives up a use; the caller holds mu.
func (t *tally) drop(u Use) {
	d := &t.dropped
	if d.Calls += u.Count; d.From.IsZero() || u.Last.Before(d.From) {
		d.From = u.Last
	}
	if u.Last.After(d.To) {
		d.To = u.Last
	}
}

// Uncounted takes what was given up since it was last asked.
func (s *Store) Uncounted() Uncounted {
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	d := s.uses.dropped
	s.uses.dropped = Uncounted{}
	return d
}

// batch is what one write adds. Its id tells a database whether it has it: a commit whose answer was lost may have
// happened.
type batch struct {
	id   string
	uses map[[3]string]Use
}

// Count notes one call of a tool by a client of a profile and returns its number among the calls of this process: see
// UsesSince. It returns at once and never fails: it is written a little later, with others, and a count that cannot be
// written is tried again, and given up at Close: see Uncounted.
func (s *Store) Count(profile, server, tool string, ok bool) int64 {
	// PostgreSQL takes no zeros and no broken letters: two names that are one to it must not be in one statement.
	u := Use{Profile: plainText(profile), Server: plainText(server), Tool: plainText(tool), Count: 1, Last: s.now()}
	if !ok {
		u.Failed = 1
	}
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	s.uses.counted++
	if !s.uses.closed {
		s.uses.add(u)
		s.schedule()
	}
	return s.uses.counted
}

// add merges a use into what is pending; the caller holds mu.
func (t *tally) add(u Use) {
	key := u.key()
	old, has := t.pending[key]
	if !has && len(t.pending) >= maxPending {
		t.drop(u)
		return
	}
	if t.pending == nil {
		t.pending = map[[3]string]Use{}
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

// flush writes what is pending, what could not be written before first.
func (s *Store) flush(ctx context.Context) error {
	s.uses.writing.Lock()
	defer s.uses.writing.Unlock()
	return s.writeUses(ctx)
}

// writeUses is flush for a caller that holds writing.
func (s *Store) writeUses(ctx context.Context) error {
	t := &s.uses
	t.mu.Lock()
	t.timer = nil
	t.mu.Unlock()
	for t.next() {
		if err := s.change(ctx, func(tx *transaction) error { return addUses(ctx, tx, t.sending) }); err != nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			if !t.closed {
				s.schedule()
			}
			return err
		}
		t.sending = batch{}
	}
	return nil
}

// next reports whether there is a batch to write; writing is held.
func (t *tally) next() bool {
	if t.sending.uses != nil {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.pending) == 0 {
		t.written = t.counted
		return false
	}
	t.sending, t.pending = batch{id: rand.Text(), uses: t.pending}, nil
	return true
}

// addUses adds a batch once. Its rows are in one order in every process: two that lock them in turn would wait for each
// other.
func addUses(ctx context.Context, tx *transaction, b batch) error {
	if fresh, err := tx.first(b.id); err != nil || !fresh {
		return err
	}
	keys := slices.SortedFunc(maps.Keys(b.uses), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	for len(keys) > 0 {
		n := 1 // the rest one by one: there are two queries to prepare, and not one of each length
		if len(keys) >= usesAtOnce {
			n = usesAtOnce
		}
		var args []any
		for _, key := range keys[:n] {
			u := b.uses[key]
			args = append(args, u.Profile, u.Server, u.Tool, u.Count, u.Failed, millis(u.Last))
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO uses (profile, server, tool, count, failed, last) VALUES (?,?,?,?,?,?)`+strings.Repeat(",(?,?,?,?,?,?)", n-1)+`
			ON CONFLICT (profile, server, tool) DO UPDATE SET count = uses.count + excluded.count, failed = uses.failed + excluded.failed,
			last = CASE WHEN uses.last > excluded.last THEN uses.last ELSE excluded.last END`, args...); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// usesAtOnce is how many tools one statement writes: a server may be milliseconds away, and a change has seconds.
const usesAtOnce = 100

// stopCounting makes Count do nothing and writes what is pending.
func (s *Store) stopCounting() error {
	s.uses.mu.Lock()
	s.uses.closed = true
	if s.uses.timer != nil {
		s.uses.timer.Stop()
	}
	s.uses.mu.Unlock()
	err := s.flushIn(flushLimit)
	if errors.Is(err, ErrAway) || errors.Is(err, ErrSlow) || errors.Is(err, ErrCrowded) { // it may answer just now
		time.Sleep(restAway + restAway/5)
		err = s.flushIn(flushLimit)
	}
	if err != nil {
		s.giveUp()
	}
	return err
}

// giveUp drops what could not be written until the end. Of a batch whose answer was lost it is not known.
func (s *Store) giveUp() {
	t := &s.uses
	t.writing.Lock()
	defer t.writing.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, uses := range []map[[3]string]Use{t.sending.uses, t.pending} {
		for _, u := range uses {
			t.drop(u)
		}
	}
	t.sending, t.pending = batch{}, nil
}

func (s *Store) flushIn(limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return s.flush(ctx)
}

// ForgetUses deletes the counts of tools that were last called before a moment, and returns of how many.
func (s *Store) ForgetUses(ctx context.Context, before time.Time) (tools int64, err error) {
	s.uses.writing.Lock()
	defer s.uses.writing.Unlock()
	if err := s.writeUses(ctx); err != nil {
		return 0, err
	}
	err = s.change(ctx, func(tx *transaction) error {
		done, err := tx.ExecContext(ctx, "DELETE FROM uses WHERE last < ?", millis(before))
		if err == nil {
			tools, err = done.RowsAffected()
		}
		return err
	})
	if err == nil {
		err = s.dialect.scrub(ctx, s)
	}
	return tools, err
}

// Uses returns the use of every tool, by profile, server and tool, calls counted until now included.
func (s *Store) Uses(ctx context.Context) ([]Use, error) {
	uses, _, err := s.UsesSince(ctx, time.Time{})
	return uses, err
}

// UsesSince is Uses of the tools that were called at or after a moment, of all their calls. It returns the number of the
// last call of this process that they hold: of later ones they hold none.
func (s *Store) UsesSince(ctx context.Context, since time.Time) ([]Use, int64, error) {
	s.uses.writing.Lock()
	defer s.uses.writing.Unlock()
	if err := s.writeUses(ctx); err != nil {
		return nil, 0, err
	}
	var uses []Use
	err := s.each(ctx, "SELECT profile, server, tool, count, failed, last FROM uses WHERE last >= ? ORDER BY profile, server, tool", []any{millis(since)}, func(row *sql.Rows) error {
		var u Use
		var last int64
		if err := row.Scan(&u.Profile, &u.Server, &u.Tool, &u.Count, &u.Failed, &last); err != nil {
			return err
		}
		u.Last = moment(last)
		uses = append(uses, u)
		return nil
	})
	return uses, s.uses.written, err
}
