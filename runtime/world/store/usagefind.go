package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

const sessionColumns = "s.id, s.run, s.profile, s.client, s.version, s.era, s.started, s.ended, s.offered, s.catalog, s.shown"

// Newest passes the newest sessions that have calls and began before a place to do. Its
// cost does not depend on the size of the log.
func (l usageLog) Newest(ctx context.Context, before usage.Place, most int, do func(usage.Session, []usage.Call) error) error {
	at := int64(math.MaxInt64)
	if !before.At.IsZero() {
		at = toMillis(before.At)
	}
	sessions, err := l.querySessions(ctx, sessionColumns, `WHERE (s.started, s.id) < (?, ?) AND EXISTS (SELECT 1 FROM usage_calls AS c WHERE c.session = s.id)
		ORDER BY s.started DESC, s.id DESC LIMIT ?`, at, before.ID, most)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(sessions, rowsAtOnce) {
		calls, err := l.callsOf(ctx, some, everyBatch)
		if err != nil {
			return err
		}
		for _, s := range some {
			if err := do(s, calls[s.ID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Session returns a session with its calls.
func (l usageLog) Session(ctx context.Context, id string) (usage.Session, []usage.Call, error) {
	found, err := l.querySessions(ctx, sessionColumns, "WHERE s.id = ?", id)
	if err == nil && len(found) == 0 {
		err = usage.ErrNoSession
	}
	if err != nil {
		return usage.Session{}, nil, err
	}
	calls, err := l.callsOf(ctx, found, everyBatch)
	return found[0], calls[id], err
}

func (l usageLog) querySessions(ctx context.Context, columns, which string, args ...any) (out []usage.Session, err error) {
	err = l.s.each(ctx, "SELECT "+columns+" FROM usage_sessions AS s "+which, args, func(row *sql.Rows) error {
		var x usage.Session
		var shown string
		var started, ended int64
		if err := row.Scan(&x.ID, &x.Run, &x.Profile, &x.Client, &x.Version, &x.Era, &started, &ended, &x.Offered, &x.Catalog, &shown); err != nil {
			return err
		}
		x.Started, x.Ended = fromMillis(started), fromMillis(ended)
		_ = json.Unmarshal([]byte(shown), &x.Shown) // a damaged list is left out
		out = append(out, x)
		return nil
	})
	return out, err
}

// Catalog returns the tools of a catalog, or nil if it is unknown or damaged.
func (l usageLog) Catalog(ctx context.Context, id string) (tools []string, err error) {
	var text string
	err = l.s.row(ctx, "SELECT tools FROM usage_catalogs WHERE id = ?", []any{id}, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		_ = json.Unmarshal([]byte(text), &tools) // a damaged list is left out
	}
	return tools, err
}

// everyBatch is before all batches: runs from before batches were numbered have 0.
const everyBatch = -1

// callsOf returns the calls of sessions that were written after a batch, in order, by session id.
func (l usageLog) callsOf(ctx context.Context, sessions []usage.Session, batch int64) (map[string][]usage.Call, error) {
	ids := make([]any, len(sessions))
	for i, s := range sessions {
		ids[i] = s.ID
	}
	args := append(ids, batch)
	out := map[string][]usage.Call{}
	err := l.s.each(ctx, "SELECT session, number, server, tool, arguments, at, elapsed, ok, hidden FROM usage_calls WHERE session IN (?"+
		strings.Repeat(",?", len(ids)-1)+") AND batch > ? ORDER BY session, number", args, func(row *sql.Rows) error {
		var c usage.Call
		var at, elapsed int64
		if err := row.Scan(&c.Session, &c.Number, &c.Server, &c.Tool, &c.Arguments, &at, &elapsed, &c.OK, &c.Hidden); err != nil {
			return err
		}
		c.At, c.Elapsed = fromMillis(at), time.Duration(elapsed)*time.Microsecond
		out[c.Session] = append(out[c.Session], c)
		return nil
	})
	return out, err
}

// ToolUse returns the usage of a tool. It counts in the database, and reads only the calls of the tool.
func (l usageLog) ToolUse(ctx context.Context, server, tool string, profile *string) (u usage.ToolUse, err error) {
	name, err := json.Marshal(server + "/" + tool) // as in a list
	if err != nil {
		return u, err
	}
	only, within, of := "", "", []any{}
	if profile != nil {
		only, of = " WHERE s.profile = ?", []any{*profile}
		within = " AND EXISTS (SELECT 1 FROM usage_sessions AS s WHERE s.id = c.session AND s.profile = ?)"
	}
	err = l.s.row(ctx, `SELECT count(*), count(CASE WHEN shown THEN 1 END), count(CASE WHEN used THEN 1 END), count(CASE WHEN shown AND used THEN 1 END)
		FROM (SELECT instr(s.shown, ?) > 0 AS shown, EXISTS (SELECT 1 FROM usage_calls AS c WHERE c.server = ? AND c.tool = ? AND c.session = s.id) AS used
			FROM usage_sessions AS s`+only+`) AS each`, slices.Concat([]any{string(name), server, tool}, of), &u.Sessions, &u.Shown, &u.Used, &u.ShownUsed)
	if err != nil {
		return u, err
	}
	err = l.s.each(ctx, "SELECT c.at, c.elapsed, c.ok, c.hidden FROM usage_calls AS c WHERE c.server = ? AND c.tool = ?"+within,
		slices.Concat([]any{server, tool}, of), func(row *sql.Rows) error {
			var at, elapsed int64
			var ok, hidden bool
			if err := row.Scan(&at, &elapsed, &ok, &hidden); err != nil {
				return err
			}
			u.Calls++
			if !ok {
				u.Failed++
			}
			if hidden {
				u.Hidden++
			}
			if when := fromMillis(at); u.Calls == 1 || when.Before(u.First) {
				u.First = when
			}
			if when := fromMillis(at); when.After(u.Last) {
				u.Last = when
			}
			u.Took = append(u.Took, time.Duration(elapsed)*time.Microsecond)
			return nil
		})
	return u, err
}
