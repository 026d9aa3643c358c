package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// Timeline returns the store as a shelf of sessions. Its Close closes the store.
func (s *Store) Timeline() timeline.Store { return shelf{s, maxTimeline} }

type shelf struct {
	s    *Store
	most int64 // bytes in use
}

// Limits of the timeline's file, of the spans returned per session, and of sessions deleted per transaction.
const (
	maxTimeline = 256 << 20 // bytes; beyond, the oldest sessions are deleted
	maxSpans    = 20_000
	atOnce      = 200
)

func (f shelf) Close() error { return f.s.Close() }

// Put writes everything in one transaction.
func (f shelf) Put(ctx context.Context, sessions []timeline.Session, spans []timeline.Span) error {
	return f.s.change(ctx, func(tx *transaction) error {
		for _, x := range sessions {
			body, err := json.Marshal(x)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO sessions (id, last, find, body) VALUES (?,?,?,?)
				ON CONFLICT (id) DO UPDATE SET last = excluded.last, find = excluded.find, body = excluded.body`,
				x.ID, toMillis(x.Last), searchText(x.Title, x.Client), body); err != nil {
				return err
			}
		}
		return putSpans(ctx, tx, spans)
	})
}

// A row of spans holds a single span, as in earlier versions, or a list of spans of one
// session. Most of a row's cost is the statement around it, and a session has many
// spans per second.
const inRow = 256

// putSpans writes the spans of each session in few rows. A summary gets a separate row,
// because its savings are queried separately.
func putSpans(ctx context.Context, tx *transaction, spans []timeline.Span) error {
	var ids []string // in order of appearance
	rows := map[string][]*timeline.Span{}
	for i := range spans {
		x := &spans[i]
		if original, given, ok := x.Summarized(); ok {
			if err := putRow(ctx, tx, []*timeline.Span{x}, original, given); err != nil {
				return err
			}
			continue
		}
		if rows[x.Session] == nil {
			ids = append(ids, x.Session)
		}
		rows[x.Session] = append(rows[x.Session], x)
	}
	for _, id := range ids {
		for row := range slices.Chunk(rows[id], inRow) {
			if err := putRow(ctx, tx, row, 0, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// putRow writes spans of one session as a row with the earliest start time and the id of the first span in row. A
// repetition, possibly with more spans behind, thus replaces the row.
func putRow(ctx context.Context, tx *transaction, row []*timeline.Span, original, given int) error {
	first, find, last := row[0], []string{}, ""
	for _, x := range row {
		if x.Started.Before(first.Started) {
			first = x
		}
		if w := searchText(x.Server, x.Tool, x.Error); w != last && !slices.Contains(find, w) {
			find, last = append(find, w), w
		}
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO spans (session, started, id, find, original, given, body) VALUES (?,?,?,?,?,?,?)"+
		tx.s.dialect.upsertSuffix("session, id", "started", "find", "body"),
		first.Session, first.Started.UnixMicro(), row[0].ID, strings.Join(find, "\n"), original, given, timeline.AppendJSON(nil, row))
	return err
}

// spansOf returns the spans of a row, or nil if it is damaged.
func spansOf(body []byte) (list []timeline.Span) {
	if len(body) > 0 && body[0] == '{' {
		list = make([]timeline.Span, 1)
		if json.Unmarshal(body, &list[0]) != nil {
			return nil
		}
		return list
	}
	if json.Unmarshal(body, &list) != nil {
		return nil
	}
	return list
}

// searchText returns texts in the form in which they are searched.
func searchText(list ...string) string { return strings.ToLower(strings.Join(list, "\n")) }

// Sessions lists sessions, the newest first.
func (f shelf) Sessions(ctx context.Context, q timeline.Query) ([]timeline.Session, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = 50
	}
	query, args := "SELECT body FROM sessions AS s WHERE last >= ?", []any{toMillis(q.Since)}
	if q.After != "" {
		query += " AND (last, id) < (SELECT last, id FROM sessions WHERE id = ?)"
		args = append(args, q.After)
	}
	if q.Text != "" {
		query += " AND (instr(find, ?) > 0 OR EXISTS (SELECT 1 FROM spans WHERE session = s.id AND instr(find, ?) > 0))"
		args = append(args, searchText(q.Text), searchText(q.Text))
	}
	out := []timeline.Session{}
	err := f.s.each(ctx, query+" ORDER BY last DESC, id DESC LIMIT ?", append(args, limit), func(row *sql.Rows) error {
		var body []byte
		var x timeline.Session
		if err := row.Scan(&body); err != nil {
			return err
		}
		if json.Unmarshal(body, &x) == nil { // damaged ones are left out
			out = append(out, x)
		}
		return nil
	})
	return out, err
}

// Session returns a session with its newest spans, in start order.
func (f shelf) Session(ctx context.Context, id string) (out timeline.Session, spans []timeline.Span, err error) {
	var body []byte
	err = f.s.row(ctx, "SELECT body FROM sessions WHERE id = ?", []any{id}, &body)
	if errors.Is(err, sql.ErrNoRows) || err == nil && json.Unmarshal(body, &out) != nil {
		return out, nil, timeline.ErrUnknown
	}
	if err != nil {
		return out, nil, err
	}
	spans, err = f.newestSpans(ctx, id)
	return out, spans, err
}

// errEnough stops the reading of rows.
var errEnough = errors.New("enough rows")

// newestSpans returns the newest spans of a session, in start order.
func (f shelf) newestSpans(ctx context.Context, id string) (spans []timeline.Span, err error) {
	var rows [][]timeline.Span // the newest first
	n := 0
	err = f.s.each(ctx, "SELECT body FROM spans WHERE session = ? ORDER BY started DESC, rowid DESC", []any{id}, func(row *sql.Rows) error {
		var body sql.RawBytes
		if err := row.Scan(&body); err != nil {
			return err
		}
		rows = append(rows, spansOf(body))
		if n += len(rows[len(rows)-1]); n >= maxSpans {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	for _, row := range slices.Backward(rows) {
		spans = append(spans, row...)
	}
	slices.SortStableFunc(spans, func(a, b timeline.Span) int { return a.Started.Compare(b.Started) })
	return spans[max(len(spans)-maxSpans, 0):], nil
}

// Savings returns what summaries saved since a time, per step of time, the oldest first.
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

// Purge deletes the sessions that ended before a time, the oldest ones beyond a number,
// and the oldest ones while the file is too large. It deletes a few at a time, so that
// other writers do not have to wait long. The error is a timeline.CrowdedError if
// sessions were deleted because of the file's size.
func (f shelf) Purge(ctx context.Context, before time.Time, sessions int) error {
	if _, err := f.dropSessions(ctx, "last < ?", toMillis(before)); err != nil {
		return err
	}
	if _, err := f.dropSessions(ctx, "id IN (SELECT id FROM sessions ORDER BY last DESC, id DESC LIMIT 9223372036854775807 OFFSET ?)", sessions); err != nil {
		return err
	}
	gone := 0
	for f.s.dialect.size(ctx, f.s, "sessions", "spans") > f.most {
		var there int
		if err := f.s.row(ctx, "SELECT count(*) FROM sessions", nil, &there); err != nil {
			return err
		}
		if there <= 1 {
			break
		}
		n := min(there-1, max(there/10, 1), atOnce-1)
		if _, err := f.dropSessions(ctx, "id IN (SELECT id FROM sessions ORDER BY last LIMIT ?)", n); err != nil {
			return err
		}
		gone += n
	}
	if gone > 0 {
		return &timeline.CrowdedError{Sessions: gone, Bytes: f.most}
	}
	return nil
}

// ForgetSessions deletes the sessions of the timeline whose last request came before
// the given time, and returns their number.
func (s *Store) ForgetSessions(ctx context.Context, before time.Time) (int64, error) {
	sessions, err := shelf{s: s}.dropSessions(ctx, "last < ?", toMillis(before))
	if err == nil {
		err = s.dialect.scrub(ctx, s)
	}
	return sessions, err
}

// CountSessions returns the number of sessions in the timeline, and the time of the
// last event in the session that is idle longest; zero if the timeline is empty.
func (s *Store) CountSessions(ctx context.Context) (sessions int, last time.Time, err error) {
	var ms sql.NullInt64
	if err = s.row(ctx, "SELECT count(*), min(last) FROM sessions", nil, &sessions, &ms); err == nil && ms.Valid {
		last = fromMillis(ms.Int64)
	}
	return sessions, last, err
}

// dropSessions deletes the sessions that match a condition, with their spans, and returns their
// number.
func (f shelf) dropSessions(ctx context.Context, condition string, arg any) (sessions int64, err error) {
	for {
		var gone int64
		err := f.s.change(ctx, func(tx *transaction) error {
			if err := tx.lockNamed("timeline"); err != nil {
				return err
			}
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
		if sessions += gone; err != nil || gone < atOnce {
			return sessions, err
		}
	}
}

// TimelinePath returns the timeline's file next to the store at url; "" for a store in
// memory, and url itself for a database server.
func TimelinePath(url string) string { return fileBeside(url, timelineEnding) }

// Exists reports whether a file exists. For a database server it returns true, as only
// a query could tell.
func Exists(path string) bool {
	if OnServer(path) {
		return true
	}
	_, err := os.Stat(path)
	return err == nil
}
