package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/timeline"
)

// Timeline is the store as a shelf of sessions, whose Close closes the store.
func (s *Store) Timeline() timeline.Shelf { return shelf{s} }

type shelf struct{ s *Store }

// Bounds of the timeline's file, and of what one session gives.
const (
	mostTimeline = 256 << 20 // bytes; the oldest sessions make room
	mostSpans    = 20_000
	atOnce       = 200
)

func (f shelf) Close() error { return f.s.Close() }

// Put writes all in one transaction.
func (f shelf) Put(ctx context.Context, sessions []timeline.Session, spans []timeline.Span) error {
	return f.s.change(ctx, func(tx *sql.Tx) error {
		for _, x := range sessions {
			body, err := json.Marshal(x)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO sessions (id, last, find, body) VALUES (?,?,?,?)",
				x.ID, millis(x.Last), words(x.Title, x.Client), body); err != nil {
				return err
			}
		}
		put, err := tx.PrepareContext(ctx, "INSERT INTO spans (session, started, id, find, original, given, body) VALUES (?,?,?,?,?,?,?)")
		if err != nil {
			return err
		}
		defer put.Close()
		for _, x := range spans {
			body, err := json.Marshal(x)
			if err != nil {
				return err
			}
			original, given, ok := x.Summarized()
			if !ok {
				original, given = 0, 0
			}
			if _, err := put.ExecContext(ctx, x.Session, x.Started.UnixMicro(), x.ID, words(x.Server, x.Tool, x.Error), original, given, body); err != nil {
				return err
			}
		}
		return nil
	})
}

// words are texts as a search looks at them.
func words(list ...string) string { return strings.ToLower(strings.Join(list, "\n")) }

// Sessions lists sessions, the newest first.
func (f shelf) Sessions(ctx context.Context, q timeline.Query) ([]timeline.Session, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = 50
	}
	query, args := "SELECT body FROM sessions AS s WHERE last >= ?", []any{millis(q.Since)}
	if q.After != "" {
		query += " AND (last, id) < (SELECT last, id FROM sessions WHERE id = ?)"
		args = append(args, q.After)
	}
	if q.Text != "" {
		query += " AND (instr(find, ?) > 0 OR EXISTS (SELECT 1 FROM spans WHERE session = s.id AND instr(find, ?) > 0))"
		args = append(args, words(q.Text), words(q.Text))
	}
	out := []timeline.Session{}
	err := f.s.each(ctx, query+" ORDER BY last DESC, id DESC LIMIT ?", append(args, limit), func(row *sql.Rows) error {
		var body []byte
		var x timeline.Session
		if err := row.Scan(&body); err != nil {
			return err
		}
		if json.Unmarshal(body, &x) == nil { // what is damaged is left out
			out = append(out, x)
		}
		return nil
	})
	return out, err
}

// Session gives one, with the newest of its spans in the order they began.
func (f shelf) Session(ctx context.Context, id string) (out timeline.Session, spans []timeline.Span, err error) {
	var body []byte
	err = f.s.db.QueryRowContext(ctx, "SELECT body FROM sessions WHERE id = ?", id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) || err == nil && json.Unmarshal(body, &out) != nil {
		return out, nil, timeline.ErrUnknown
	}
	if err != nil {
		return out, nil, f.s.explain(err)
	}
	err = f.s.each(ctx, "SELECT body FROM (SELECT rowid AS n, started, body FROM spans WHERE session = ? ORDER BY started DESC, rowid DESC LIMIT ?) ORDER BY started, n",
		[]any{id, mostSpans}, func(row *sql.Rows) error {
			var x timeline.Span
			if err := row.Scan(&body); err != nil {
				return err
			}
			if json.Unmarshal(body, &x) == nil {
				spans = append(spans, x)
			}
			return nil
		})
	return out, spans, err
}

// Savings gives the steps from a time until now, oldest first.
func (f shelf) Savings(ctx context.Context, since time.Time, step time.Duration) ([]timeline.Saving, error) {
	steps := timeline.NewSteps(since, step)
	from := int64(0)
	if !since.IsZero() {
		from = since.UnixMicro()
	}
	err := f.s.each(ctx, "SELECT started, original, given FROM spans WHERE original > 0 AND started >= ? ORDER BY started", []any{from}, func(row *sql.Rows) error {
		var at int64
		var original, given int
		if err := row.Scan(&at, &original, &given); err != nil {
			return err
		}
		steps.Add(time.UnixMicro(at), original, given)
		return nil
	})
	return steps.List(), err
}

// Purge lets go of sessions that ended before a time, of the oldest beyond a number,
// and of the oldest while the file is too large. A few at once, so that nobody else
// who writes has to wait long.
func (f shelf) Purge(ctx context.Context, before time.Time, sessions int) error {
	if err := f.drop(ctx, "last < ?", millis(before)); err != nil {
		return err
	}
	if err := f.drop(ctx, "id IN (SELECT id FROM sessions ORDER BY last DESC, id DESC LIMIT -1 OFFSET ?)", sessions); err != nil {
		return err
	}
	for f.size(ctx) > mostTimeline {
		var there int
		if err := f.s.db.QueryRowContext(ctx, "SELECT count(*) FROM sessions").Scan(&there); err != nil || there <= 1 {
			return f.s.explain(err)
		}
		if err := f.drop(ctx, "id IN (SELECT id FROM sessions ORDER BY last LIMIT ?)", min(there-1, max(there/10, 1), atOnce-1)); err != nil {
			return err
		}
	}
	return nil
}

// size is how much of the file is in use.
func (f shelf) size(ctx context.Context) int64 {
	var pages, free, size int64
	for query, to := range map[string]*int64{"PRAGMA page_count": &pages, "PRAGMA freelist_count": &free, "PRAGMA page_size": &size} {
		if f.s.db.QueryRowContext(ctx, query).Scan(to) != nil {
			return 0
		}
	}
	return (pages - free) * size
}

// drop deletes the sessions that a condition holds of, with their spans.
func (f shelf) drop(ctx context.Context, condition string, arg any) error {
	for {
		var gone int64
		err := f.s.change(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "CREATE TEMP TABLE IF NOT EXISTS going (id TEXT)"); err != nil {
				return err
			}
			for _, step := range []struct {
				query string
				args  []any
			}{
				{"DELETE FROM going", nil},
				{"INSERT INTO going SELECT id FROM sessions WHERE " + condition + " LIMIT ?", []any{arg, atOnce}},
				{"DELETE FROM spans WHERE session IN (SELECT id FROM going)", nil},
			} {
				if _, err := tx.ExecContext(ctx, step.query, step.args...); err != nil {
					return err
				}
			}
			done, err := tx.ExecContext(ctx, "DELETE FROM sessions WHERE id IN (SELECT id FROM going)")
			if err == nil {
				gone, err = done.RowsAffected()
			}
			return err
		})
		if err != nil || gone < atOnce {
			return err
		}
	}
}

// each runs a query and gives its rows one by one.
func (s *Store) each(ctx context.Context, query string, args []any, do func(*sql.Rows) error) error {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return s.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return s.explain(err)
		}
	}
	return s.explain(rows.Err())
}

// TimelinePath is the file of the timeline beside the store at a URL; "" for a store
// in memory.
func TimelinePath(url string) string {
	scheme, place := split(url)
	if scheme != "sqlite" || place == "" || place == ":memory:" {
		return ""
	}
	return strings.TrimSuffix(place, ".db") + "-timeline.db"
}

// Exists reports whether a file is there.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
