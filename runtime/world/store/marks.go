package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
)

// Mark stores or (relevant is nil) removes a person's mark on a tool. It returns an
// error if there are usage.MostMarks others.
func (l usageLog) Mark(ctx context.Context, m usage.Mark, relevant *bool) error {
	return l.s.change(ctx, func(tx *transaction) error {
		if relevant == nil {
			_, err := tx.ExecContext(ctx, "DELETE FROM usage_marks WHERE profile = ? AND client = ? AND tool = ?", m.Profile, m.Client, m.Tool)
			return err
		}
		others := 0
		if err := tx.lockNamed("marks"); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM usage_marks WHERE NOT (profile = ? AND client = ? AND tool = ?)",
			m.Profile, m.Client, m.Tool).Scan(&others); err != nil {
			return err
		}
		if others >= usage.MostMarks {
			return fmt.Errorf("there are %d marks already: take some back first", usage.MostMarks)
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO usage_marks (profile, client, tool, relevant, at) VALUES (?,?,?,?,?)
			ON CONFLICT (profile, client, tool) DO UPDATE SET relevant = excluded.relevant, at = excluded.at`,
			m.Profile, m.Client, m.Tool, *relevant, toMillis(m.At))
		return err
	})
}

// Marks returns all marks, ordered by profile, client and tool.
func (l usageLog) Marks(ctx context.Context) (out []usage.Mark, err error) {
	err = l.s.each(ctx, "SELECT profile, client, tool, relevant, at FROM usage_marks ORDER BY profile, client, tool", nil, func(row *sql.Rows) error {
		var m usage.Mark
		var at int64
		if err := row.Scan(&m.Profile, &m.Client, &m.Tool, &m.Relevant, &at); err != nil {
			return err
		}
		m.At = fromMillis(at)
		out = append(out, m)
		return nil
	})
	return out, err
}

// Unmark removes all marks.
func (l usageLog) Unmark(ctx context.Context) error {
	if err := l.s.exec(ctx, "DELETE FROM usage_marks"); err != nil {
		return err
	}
	return l.s.dialect.scrub(ctx, l.s)
}
