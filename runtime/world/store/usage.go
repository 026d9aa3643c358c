package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Usage returns the store as a log of tool usage. Its Close closes the store.
func (s *Store) Usage() usage.Log { return usageLog{s} }

type usageLog struct{ s *Store }

// UsagePath returns the file of tool usage next to the store at url; "" for a store in
// memory, and url itself for a database server.
func UsagePath(url string) string { return fileBeside(url, usageEnding) }

func (l usageLog) Close() error { return l.s.Close() }

// Append writes a batch in one transaction.
func (l usageLog) Append(ctx context.Context, b usage.Batch) error {
	return l.s.change(ctx, func(tx *transaction) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO usage_runs (id, started, written, ended, batch, process) VALUES (?,?,?,?,?,?)
			ON CONFLICT (id) DO UPDATE SET written = excluded.written, ended = excluded.ended, batch = excluded.batch`,
			b.Run.ID, toMillis(b.Run.Started), toMillis(b.Run.Written), toMillis(b.Run.Ended), b.Number, b.Run.Process); err != nil {
			return err
		}
		if len(b.Catalogs) > 0 { // a concurrent purge must not delete one as unused before its session exists
			if err := tx.lockNamed("usage"); err != nil {
				return err
			}
		}
		for _, c := range b.Catalogs {
			if err := putCatalog(ctx, tx, c); err != nil {
				return err
			}
		}
		for rows := range slices.Chunk(lastOfEach(b.Sessions), rowsAtOnce) {
			if err := putSessions(ctx, tx, rows, b.Number); err != nil {
				return err
			}
		}
		for rows := range slices.Chunk(b.Calls, rowsAtOnce) {
			if err := putCalls(ctx, tx, rows, b.Number); err != nil {
				return err
			}
		}
		return nil
	})
}

// lastOfEach keeps the last version of each session: a server's statement may affect a row only once.
func lastOfEach(list []usage.Session) []usage.Session {
	last := make(map[string]int, len(list))
	for i, x := range list {
		last[x.ID] = i
	}
	if len(last) == len(list) {
		return list
	}
	var out []usage.Session
	for i, x := range list {
		if last[x.ID] == i {
			out = append(out, x)
		}
	}
	return out
}

func putCatalog(ctx context.Context, tx *transaction, c usage.Catalog) error {
	tools, err := json.Marshal(c.Tools)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO usage_catalogs (id, tools) VALUES (?,?) ON CONFLICT (id) DO NOTHING", c.ID, string(tools))
	return err
}

func putSessions(ctx context.Context, tx *transaction, rows []usage.Session, batch int64) error {
	const row = "(?,?,?,?,?,?,?,?,?,?,?,?)"
	args := make([]any, 0, 12*len(rows))
	for _, x := range rows {
		shown, err := json.Marshal(x.Shown)
		if err != nil {
			return err
		}
		args = append(args, x.ID, x.Run, x.Profile, x.Client, x.Version, x.Era, toMillis(x.Started), toMillis(x.Ended), x.Offered, x.Catalog, string(shown), batch)
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO usage_sessions (id, run, profile, client, version, era, started, ended, offered, catalog, shown, batch) VALUES "+
		row+strings.Repeat(","+row, len(rows)-1)+
		" ON CONFLICT (id) DO UPDATE SET client = excluded.client, version = excluded.version, ended = excluded.ended, offered = excluded.offered, catalog = excluded.catalog, shown = excluded.shown, batch = excluded.batch", args...)
	return err
}

func putCalls(ctx context.Context, tx *transaction, rows []usage.Call, batch int64) error {
	const row = "(?,?,?,?,?,?,?,?,?,?)"
	args := make([]any, 0, 10*len(rows))
	for _, c := range rows {
		args = append(args, c.Session, c.Number, c.Server, c.Tool, c.Arguments, toMillis(c.At), c.Elapsed.Microseconds(), c.OK, c.Hidden, batch)
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO usage_calls (session, number, server, tool, arguments, at, elapsed, ok, hidden, batch) VALUES "+
		row+strings.Repeat(","+row, len(rows)-1)+" ON CONFLICT (session, number) DO NOTHING", args...)
	return err
}

// Sessions passes sessions with their calls to do, oldest first: the newest calls overall, up to the given number.
// The tool list of a session, which may be long, is only read with the first call.
func (l usageLog) Sessions(ctx context.Context, since time.Time, calls int, do func(usage.Session, []usage.Call) error) error {
	var session usage.Session
	var list []usage.Call
	give := func() error {
		if session.ID == "" {
			return nil
		}
		return do(session, list)
	}
	err := l.s.each(ctx, `SELECT s.id, s.run, s.profile, s.client, s.version, s.era, s.started, s.ended, s.offered, s.catalog, CASE WHEN c.nth = 1 THEN s.shown ELSE '' END,
			c.number, c.server, c.tool, c.arguments, c.at, c.elapsed, c.ok, c.hidden
		FROM (SELECT *, row_number() OVER (PARTITION BY session ORDER BY number) AS nth FROM (SELECT * FROM usage_calls WHERE at >= ? ORDER BY at DESC LIMIT ?) AS newest) AS c
		JOIN usage_sessions AS s ON s.id = c.session
		ORDER BY s.started, s.id, c.number`, []any{toMillis(since), calls}, func(row *sql.Rows) error {
		x, c, err := usedRow(row)
		if err != nil {
			return err
		}
		if x.ID != session.ID {
			if err := give(); err != nil {
				return err
			}
			session, list = x, nil
		}
		list = append(list, c)
		return nil
	})
	if err != nil {
		return err
	}
	return give()
}

func usedRow(row *sql.Rows) (x usage.Session, c usage.Call, err error) {
	var shown string
	var started, ended, at, elapsed int64
	err = row.Scan(&x.ID, &x.Run, &x.Profile, &x.Client, &x.Version, &x.Era, &started, &ended, &x.Offered, &x.Catalog, &shown,
		&c.Number, &c.Server, &c.Tool, &c.Arguments, &at, &elapsed, &c.OK, &c.Hidden)
	x.Started, x.Ended, c.At, c.Elapsed, c.Session = fromMillis(started), fromMillis(ended), fromMillis(at), time.Duration(elapsed)*time.Microsecond, x.ID
	if shown != "" {
		_ = json.Unmarshal([]byte(shown), &x.Shown) // a damaged list is left out
	}
	return x, c, err
}

// Totals returns the number of sessions and calls, and their size.
func (l usageLog) Totals(ctx context.Context) (t usage.Totals, err error) {
	var oldest sql.NullInt64
	err = l.s.row(ctx, "SELECT (SELECT count(*) FROM usage_sessions), (SELECT count(*) FROM usage_calls), (SELECT min(started) FROM usage_sessions)", nil,
		&t.Sessions, &t.Calls, &oldest)
	t.Oldest, t.Bytes = fromMillis(oldest.Int64), l.s.dialect.size(ctx, l.s, "usage_sessions", "usage_calls", "usage_runs", "usage_catalogs")
	return t, err
}

// maxListed is the number of sessions without calls that are kept: a client may
// request lists all day.
const maxListed = 1000

// Purge deletes old sessions, the oldest ones while there are too many calls or too
// many sessions without calls, and records that no session refers to.
func (l usageLog) Purge(ctx context.Context, before time.Time, calls int) error {
	err := l.s.change(ctx, func(tx *transaction) error {
		if err := tx.lockNamed("usage"); err != nil {
			return err
		}
		for _, step := range []struct {
			query string
			args  []any
		}{
			{"DELETE FROM usage_sessions WHERE ended < ?", []any{toMillis(before)}},
			{`DELETE FROM usage_sessions WHERE ended <= (SELECT ended FROM (SELECT s.ended, sum(count(*)) OVER (ORDER BY s.ended DESC, s.id DESC) AS newer
				FROM usage_sessions AS s JOIN usage_calls AS c ON c.session = s.id GROUP BY s.id) AS summed WHERE newer > ? ORDER BY ended DESC LIMIT 1)`, []any{calls}},
			{`DELETE FROM usage_sessions WHERE id IN (SELECT id FROM usage_sessions WHERE id NOT IN (SELECT session FROM usage_calls)
				ORDER BY ended DESC, id DESC LIMIT 9223372036854775807 OFFSET ?)`, []any{maxListed}},
			{"DELETE FROM usage_calls WHERE session NOT IN (SELECT id FROM usage_sessions)", nil},
			{"DELETE FROM usage_catalogs WHERE id NOT IN (SELECT catalog FROM usage_sessions)", nil},
			{"DELETE FROM usage_runs WHERE (ended > 0 OR told = 1) AND ended < ? AND written < ?", []any{toMillis(before), toMillis(before)}},
		} {
			if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return l.s.dialect.scrub(ctx, l.s)
}

// saltBytes is the size of the salt for digests.
const saltBytes = 32

// Salt returns the salt, and creates it if needed.
func (l usageLog) Salt(ctx context.Context) (salt []byte, err error) {
	fresh := make([]byte, saltBytes)
	_, _ = rand.Read(fresh) // never fails
	err = l.s.change(ctx, func(tx *transaction) error {
		if err := tx.lockNamed("salts"); err != nil {
			return err
		}
		err := tx.QueryRowContext(ctx, "SELECT salt FROM usage_salts LIMIT 1").Scan(&salt)
		if errors.Is(err, sql.ErrNoRows) {
			salt = fresh
			_, err = tx.ExecContext(ctx, "INSERT INTO usage_salts (salt) VALUES (?)", fresh)
		}
		return err
	})
	return salt, err
}
