package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Unended returns the runs that were killed, and marks them as reported: of several
// calling processes, only one gets each run.
func (l usageLog) Unended(ctx context.Context, killed func(usage.Run) bool) (out []usage.Killed, err error) {
	runs, err := l.unendedRuns(ctx)
	if err != nil {
		return nil, err
	}
	for _, r := range runs {
		if !killed(r) {
			continue
		}
		mine := false
		if err := l.s.change(ctx, func(tx *transaction) error {
			done, err := tx.ExecContext(ctx, "UPDATE usage_runs SET told = 1 WHERE id = ? AND ended = 0 AND told = 0 AND written = ?", r.ID, toMillis(r.Written))
			if err != nil {
				return err
			}
			n, err := done.RowsAffected()
			mine = n == 1
			return err
		}); err != nil {
			return out, err
		}
		if !mine { // another process was faster, or the run is alive
			continue
		}
		k := usage.Killed{Run: r}
		k.Last, k.Sessions, err = l.lastOf(ctx, r.ID)
		if out = append(out, k); err != nil {
			return out, err
		}
	}
	return out, nil
}

// maxUnended bounds the runs examined per call.
const maxUnended = 1000

func (l usageLog) unendedRuns(ctx context.Context) (out []usage.Run, err error) {
	err = l.s.each(ctx, "SELECT id, started, written, process FROM usage_runs WHERE ended = 0 AND told = 0 ORDER BY written LIMIT ?", []any{maxUnended}, func(row *sql.Rows) error {
		var r usage.Run
		var started, written int64
		if err := row.Scan(&r.ID, &started, &written, &r.Process); err != nil {
			return err
		}
		r.Started, r.Written = fromMillis(started), fromMillis(written)
		out = append(out, r)
		return nil
	})
	return out, err
}

// lastOf returns the last call in each of a run's most recently used sessions, and the number of its sessions.
func (l usageLog) lastOf(ctx context.Context, run string) (out []usage.Call, sessions int, err error) {
	err = l.s.each(ctx, `SELECT c.session, c.number, c.server, c.tool, c.at, (SELECT count(*) FROM usage_sessions WHERE run = ?)
		FROM (SELECT id, ended FROM usage_sessions WHERE run = ? ORDER BY ended DESC, id LIMIT ?) AS s
		JOIN usage_calls AS c ON c.session = s.id AND c.number = (SELECT max(number) FROM usage_calls WHERE session = s.id)
		ORDER BY s.ended DESC, s.id`, []any{run, run, usage.MostTold}, func(row *sql.Rows) error {
		var c usage.Call
		var at int64
		if err := row.Scan(&c.Session, &c.Number, &c.Server, &c.Tool, &at, &sessions); err != nil {
			return err
		}
		c.At = fromMillis(at)
		out = append(out, c)
		return nil
	})
	return out, sessions, err
}

// maxRuns bounds the runs that are followed.
const maxRuns = 1000

// Since passes calls that runs wrote after a position to do, and advances it. It skips runs not heard of since heard.
func (l usageLog) Since(ctx context.Context, at usage.Position, heard time.Time, do func(usage.Session, []usage.Call) error) error {
	type run struct {
		id    string
		batch int64
	}
	var runs []run
	if err := l.s.each(ctx, "SELECT id, batch FROM usage_runs WHERE written >= ? ORDER BY written DESC LIMIT ?", []any{toMillis(heard), maxRuns}, func(row *sql.Rows) error {
		var r run
		if err := row.Scan(&r.id, &r.batch); err != nil {
			return err
		}
		runs = append(runs, r)
		return nil
	}); err != nil {
		return err
	}
	for _, r := range runs {
		if r.batch <= at[r.id] {
			continue
		}
		if do != nil {
			if err := l.writtenSince(ctx, r.id, at[r.id], do); err != nil {
				return err
			}
		}
		at[r.id] = r.batch
	}
	return nil
}

// writtenSince passes the sessions of a run that have calls after a batch to do, with those calls.
func (l usageLog) writtenSince(ctx context.Context, run string, batch int64, do func(usage.Session, []usage.Call) error) error {
	sessions, err := l.querySessions(ctx, withoutList, "WHERE s.run = ? AND s.batch > ? ORDER BY s.started, s.id", run, batch)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(sessions, rowsAtOnce) {
		calls, err := l.callsOf(ctx, some, batch)
		if err != nil {
			return err
		}
		for _, s := range some {
			if list := calls[s.ID]; len(list) > 0 {
				if err := do(s, list); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// withoutList are the columns of a session except for its list, which may be long.
var withoutList = strings.Replace(sessionColumns, "s.shown", "''", 1)
