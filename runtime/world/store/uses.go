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

// Use is how often the clients of a profile have called a tool.
type Use struct {
	Profile       string // "" for clients without a profile
	Server, Tool  string
	Count, Failed int       // calls, and the failed ones among them
	Last          time.Time // of the last call; to the millisecond, UTC
}

// key returns the key by which uses are added up.
func (u Use) key() [3]string { return [3]string{u.Profile, u.Server, u.Tool} }

// Limits on what Count gathers before it is written.
const (
	maxPending = 10_000 // tools; counts for more are dropped
	flushAfter = 2 * time.Second
)

// flushLimit is the time limit of one write. It is a variable for tests.
var flushLimit = 3 * time.Second

// tally gathers counts between two writes. Counts of a tool add up, so memory is independent of the rate of calls.
type tally struct {
	mu      sync.Mutex
	pending map[[3]string]Use
	sending batch // passed to the database, which has not confirmed it yet
	timer   *time.Timer
	closed  bool
	dropped Uncounted
	counted int64      // calls so far
	written int64      // number of calls that no later batch contains; guarded by writing
	writing sync.Mutex // one write at a time, and none after Close
}

// Uncounted describes calls that were passed to Count and given up.
type Uncounted struct {
	Calls    int
	From, To time.Time // of the last calls of the tools
}

// drop gives up a use. The caller holds mu.
func (t *tally) drop(u Use) {
	d := &t.dropped
	if d.Calls += u.Count; d.From.IsZero() || u.Last.Before(d.From) {
		d.From = u.Last
	}
	if u.Last.After(d.To) {
		d.To = u.Last
	}
}

// Uncounted returns the calls that were given up since it was last called.
func (s *Store) Uncounted() Uncounted {
	s.uses.mu.Lock()
	defer s.uses.mu.Unlock()
	d := s.uses.dropped
	s.uses.dropped = Uncounted{}
	return d
}

// batch is the content of one write. By its id the database recognizes a repetition: a
// commit whose answer was lost may have succeeded.
type batch struct {
	id   string
	uses map[[3]string]Use
}

// Count records one call of a tool by a client of a profile and returns its number among the calls of this process:
// see UsesSince. It returns at once and never fails. The count is written a little later, together with others. If
// that fails it is tried again, and given up on Close: see Uncounted.
func (s *Store) Count(profile, server, tool string, ok bool) int64 {
	// Names that PostgreSQL stores as equal (without NUL and invalid UTF-8) must not be in one statement.
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

// add merges a use into the pending ones. The caller holds mu.
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

// schedule starts a timer that writes the pending uses. The caller holds mu.
func (s *Store) schedule() {
	if s.uses.timer == nil {
		s.uses.timer = time.AfterFunc(flushAfter, func() {
			ctx, cancel := context.WithTimeout(context.Background(), flushLimit)
			defer cancel()
			_ = s.flush(ctx) // repeated if it fails
		})
	}
}

// flush writes the pending uses, beginning with an earlier failed batch.
func (s *Store) flush(ctx context.Context) error {
	s.uses.writing.Lock()
	defer s.uses.writing.Unlock()
	return s.writeUses(ctx)
}

// writeUses implements flush. The caller holds writing.
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

// next reports whether there is a batch to write. The caller holds writing.
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

// addUses adds a batch unless that has happened already. Rows are in the same order in
// every process: otherwise two that lock them could deadlock.
func addUses(ctx context.Context, tx *transaction, b batch) error {
	if fresh, err := tx.isFirst(b.id); err != nil || !fresh {
		return err
	}
	keys := slices.SortedFunc(maps.Keys(b.uses), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	for len(keys) > 0 {
		n := 1 // the rest one by one, so that there are only two queries to prepare
		if len(keys) >= usesAtOnce {
			n = usesAtOnce
		}
		var args []any
		for _, key := range keys[:n] {
			u := b.uses[key]
			args = append(args, u.Profile, u.Server, u.Tool, u.Count, u.Failed, toMillis(u.Last))
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

// usesAtOnce is the number of tools per statement: a server may be milliseconds away, but a change has only seconds.
const usesAtOnce = 100

// stopCounting disables Count and writes the pending uses.
func (s *Store) stopCounting() error {
	s.uses.mu.Lock()
	s.uses.closed = true
	if s.uses.timer != nil {
		s.uses.timer.Stop()
	}
	s.uses.mu.Unlock()
	err := s.flushIn(flushLimit)
	if errors.Is(err, ErrAway) || errors.Is(err, ErrSlow) || errors.Is(err, ErrCrowded) { // the server may be about to answer
		time.Sleep(restAway + restAway/5)
		err = s.flushIn(flushLimit)
	}
	if err != nil {
		s.giveUp()
	}
	return err
}

// giveUp drops what could not be written. A batch whose answer was lost may nevertheless have been stored.
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

// ForgetUses deletes the counts of tools last called before the given time, and returns their number.
func (s *Store) ForgetUses(ctx context.Context, before time.Time) (tools int64, err error) {
	s.uses.writing.Lock()
	defer s.uses.writing.Unlock()
	if err := s.writeUses(ctx); err != nil {
		return 0, err
	}
	err = s.change(ctx, func(tx *transaction) error {
		done, err := tx.ExecContext(ctx, "DELETE FROM uses WHERE last < ?", toMillis(before))
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

// Uses returns the use of every tool, ordered by profile, server and tool, including all calls counted so far.
func (s *Store) Uses(ctx context.Context) ([]Use, error) {
	uses, _, err := s.UsesSince(ctx, time.Time{})
	return uses, err
}

// UsesSince is like Uses, for tools called at or after since, with all their calls. It also returns the number of
// this process's last call that is included; later ones are not.
func (s *Store) UsesSince(ctx context.Context, since time.Time) ([]Use, int64, error) {
	s.uses.writing.Lock()
	defer s.uses.writing.Unlock()
	if err := s.writeUses(ctx); err != nil {
		return nil, 0, err
	}
	var uses []Use
	err := s.each(ctx, "SELECT profile, server, tool, count, failed, last FROM uses WHERE last >= ? ORDER BY profile, server, tool", []any{toMillis(since)}, func(row *sql.Rows) error {
		var u Use
		var last int64
		if err := row.Scan(&u.Profile, &u.Server, &u.Tool, &u.Count, &u.Failed, &last); err != nil {
			return err
		}
		u.Last = fromMillis(last)
		uses = append(uses, u)
		return nil
	})
	return uses, s.uses.written, err
}
