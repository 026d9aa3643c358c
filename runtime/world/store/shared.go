package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
)

// Shared returns the store as a shelf of the data that processes share. Its Close closes the store. All times come
// from the database's clock, because the clocks of machines may differ.
func (s *Store) Shared() shared.Shelf { return sharedShelf{s} }

type sharedShelf struct{ s *Store }

// SharedPath returns the file of shared data next to the store at url; "" for a store
// in memory, and url itself for a database server.
func SharedPath(url string) string { return fileBeside(url, "-shared.db") }

func (f sharedShelf) Close() error { return f.s.Close() }

// clock returns the SQL expression for the current time.
func (f sharedShelf) clock() string { return f.s.dialect.clock() }

// Session reads one row. If its version is known, the body is nil.
func (f sharedShelf) Session(ctx context.Context, key string, known int64) (shared.Record, error) {
	r := shared.Record{Key: key}
	var left int64
	err := f.s.row(ctx, "SELECT version, expires - "+f.clock()+", ended, CASE WHEN version = ? THEN NULL ELSE body END FROM shared_sessions WHERE id = ?",
		[]any{known, key}, &r.Version, &left, &r.Ended, &r.Body)
	if errors.Is(err, sql.ErrNoRows) {
		return shared.Record{Key: key}, nil
	}
	r.Life = time.Duration(left) * time.Millisecond
	return r, err
}

// PutSessions writes all sessions in one transaction and returns the keys of those that were changed elsewhere. It
// goes in key order, so that concurrent calls wait for each other and do not deadlock.
func (f sharedShelf) PutSessions(ctx context.Context, list []shared.Record) (moved []string, err error) {
	list = slices.SortedFunc(slices.Values(list), func(a, b shared.Record) int { return cmp.Compare(a.Key, b.Key) })
	err = f.s.change(ctx, func(tx *transaction) error {
		moved = nil // the transaction may run again
		for _, r := range list {
			done, err := f.putSession(ctx, tx, r)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil {
				return err
			} else if n == 0 {
				moved = append(moved, r.Key)
			}
		}
		return nil
	})
	return moved, err
}

func (f sharedShelf) putSession(ctx context.Context, tx *transaction, r shared.Record) (sql.Result, error) {
	now := f.clock()
	if r.Version == 0 {
		return tx.ExecContext(ctx, "INSERT INTO shared_sessions (id, version, at, expires, ended, body) VALUES (?, 1, "+now+", "+now+" + ?, FALSE, ?) ON CONFLICT (id) DO NOTHING",
			r.Key, r.Life.Milliseconds(), r.Body)
	}
	return tx.ExecContext(ctx, "UPDATE shared_sessions SET version = version + 1, at = "+now+", expires = "+now+" + ?, body = ? WHERE id = ? AND version = ? AND NOT ended",
		r.Life.Milliseconds(), r.Body, r.Key, r.Version)
}

// EndSession marks a session as ended, without a body, and deletes its results.
func (f sharedShelf) EndSession(ctx context.Context, key string, life time.Duration) error {
	now := f.clock()
	return f.s.change(ctx, func(tx *transaction) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO shared_sessions (id, version, at, expires, ended, body) VALUES (?, 1, "+now+", "+now+" + ?, TRUE, ?)"+
			" ON CONFLICT (id) DO UPDATE SET version = shared_sessions.version + 1, at = excluded.at, expires = excluded.expires, ended = TRUE, body = excluded.body",
			key, life.Milliseconds(), []byte{}); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM shared_results WHERE session = ?", key)
		return err
	})
}

// PutResults writes all results in one transaction, replacing existing ones.
func (f sharedShelf) PutResults(ctx context.Context, list []shared.Result) error {
	now := f.clock()
	list = slices.SortedFunc(slices.Values(list), func(a, b shared.Result) int { return cmp.Compare(a.Key, b.Key) })
	return f.s.change(ctx, func(tx *transaction) error {
		for _, r := range list {
			if _, err := tx.ExecContext(ctx, "INSERT INTO shared_results (id, session, at, expires, body) VALUES (?, ?, "+now+", "+now+" + ?, ?)"+
				" ON CONFLICT (id) DO UPDATE SET at = excluded.at, expires = excluded.expires, body = excluded.body",
				r.Key, r.Session, r.Life.Milliseconds(), r.Body); err != nil {
				return err
			}
		}
		return nil
	})
}

// Result reads a result and extends its life.
func (f sharedShelf) Result(ctx context.Context, key string, life time.Duration) (body []byte, err error) {
	now := f.clock()
	err = f.s.change(ctx, func(tx *transaction) error {
		body = nil
		err := tx.QueryRowContext(ctx, "UPDATE shared_results SET expires = "+now+" + ? WHERE id = ? AND expires > "+now+" RETURNING body", life.Milliseconds(), key).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return body, err
}

// Purge deletes expired rows, and the ones closest to expiry beyond the bounds. Only one process at a time does it.
func (f sharedShelf) Purge(ctx context.Context, b shared.Bounds) error {
	now := f.clock()
	return f.s.change(ctx, func(tx *transaction) error {
		if err := tx.lockNamed("shared"); err != nil {
			return err
		}
		for _, step := range []struct {
			query string
			args  []any
		}{
			{"DELETE FROM shared_sessions WHERE expires <= " + now, nil},
			{"DELETE FROM shared_results WHERE expires <= " + now, nil},
			{"DELETE FROM shared_sessions WHERE id IN (SELECT id FROM shared_sessions ORDER BY expires DESC, id LIMIT 9223372036854775807 OFFSET ?)", []any{b.Sessions}},
			{`DELETE FROM shared_results WHERE id IN (SELECT id FROM (SELECT id, sum(length(body)) OVER (ORDER BY expires DESC, id) AS newer
				FROM shared_results) AS summed WHERE newer > ?)`, []any{b.Bytes}},
		} {
			if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// Forget deletes rows older than before, or all if that is 0.
func (f sharedShelf) Forget(ctx context.Context, before time.Duration) error {
	err := f.s.change(ctx, func(tx *transaction) error {
		for _, table := range []string{"shared_sessions", "shared_results"} {
			query, args := "DELETE FROM "+table, []any(nil)
			if before > 0 {
				query, args = query+" WHERE at < "+f.clock()+" - ?", []any{before.Milliseconds()}
			}
			if _, err := tx.ExecContext(ctx, query, args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return f.s.dialect.scrub(ctx, f.s)
}

// Totals counts the rows that have not expired.
func (f sharedShelf) Totals(ctx context.Context) (t shared.Totals, err error) {
	now := f.clock()
	err = f.s.row(ctx, "SELECT (SELECT count(*) FROM shared_sessions WHERE NOT ended AND expires > "+now+"), (SELECT count(*) FROM shared_results WHERE expires > "+now+
		"), (SELECT coalesce(sum(length(body)), 0) FROM shared_sessions) + (SELECT coalesce(sum(length(body)), 0) FROM shared_results)", nil, &t.Sessions, &t.Results, &t.Bytes)
	return t, err
}
