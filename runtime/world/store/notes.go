package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
)

// PutNote stores a pin, or replaces the one with its id. It first deletes the owner's pins from before since. It
// returns notes.ErrFull if the owner has most other pins already.
func (s *Store) PutNote(ctx context.Context, p notes.Pin, most int, since time.Time) error {
	section, err := json.Marshal(append([]string{}, p.Section...))
	if err != nil {
		return err
	}
	tags, err := json.Marshal(append([]string{}, p.Tags...))
	if err != nil {
		return err
	}
	full := false
	err = s.change(ctx, func(tx *transaction) error {
		if err := tx.lockNamed("notes"); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM notes WHERE account = ? AND client = ? AND at < ?", p.Owner.User, p.Owner.Client, toMillis(since)); err != nil {
			return err
		}
		others := 0
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM notes WHERE account = ? AND client = ? AND id <> ?", p.Owner.User, p.Owner.Client, p.ID).Scan(&others); err != nil {
			return err
		}
		if full = others >= most; full {
			return nil
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO notes (id, account, client, collection, home, uri, version, title, section, start, stop, quote, note, tags, at)
			VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET version = excluded.version, title = excluded.title,
			section = excluded.section, start = excluded.start, stop = excluded.stop, note = excluded.note, tags = excluded.tags, at = excluded.at`,
			p.ID, p.Owner.User, p.Owner.Client, p.Collection, p.Home, p.URI, p.Version, p.Title, string(section), p.Start, p.End, p.Quote, p.Note, string(tags), toMillis(p.At))
		return err
	})
	if err == nil && full {
		return notes.ErrFull
	}
	return err
}

// notesSeen selects the pins that an owner sees: those of one client and of all clients, or all of the user.
const notesSeen = " FROM notes WHERE account = ? AND (? = '' OR client = ? OR client = '')"

// Notes lists the pins that an owner sees and that are not older than since, the latest first.
func (s *Store) Notes(ctx context.Context, of notes.Owner, since time.Time) (out []notes.Pin, err error) {
	err = s.each(ctx, "SELECT id, client, collection, home, uri, version, title, section, start, stop, quote, note, tags, at"+notesSeen+" AND at >= ? ORDER BY at DESC, id",
		[]any{of.User, of.Client, of.Client, toMillis(since)}, func(row *sql.Rows) error {
			p := notes.Pin{Owner: notes.Owner{User: of.User}}
			var section, tags []byte
			var at int64
			if err := row.Scan(&p.ID, &p.Owner.Client, &p.Collection, &p.Home, &p.URI, &p.Version, &p.Title, &section, &p.Start, &p.End, &p.Quote, &p.Note, &tags, &at); err != nil {
				return err
			}
			p.At = fromMillis(at)
			if err := json.Unmarshal(section, &p.Section); err != nil {
				return s.fault(ErrDamaged, err)
			}
			if err := json.Unmarshal(tags, &p.Tags); err != nil {
				return s.fault(ErrDamaged, err)
			}
			out = append(out, p)
			return nil
		})
	return out, err
}

// DropNote deletes a pin that an owner sees, and reports whether it existed.
func (s *Store) DropNote(ctx context.Context, of notes.Owner, id string) (there bool, err error) {
	err = s.change(ctx, func(tx *transaction) error {
		done, err := tx.ExecContext(ctx, "DELETE"+notesSeen+" AND id = ?", of.User, of.Client, of.Client, id)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		there = n > 0
		return err
	})
	return there, err
}
