package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// migrations are numbered from 1 without gaps; the last number is the version of the
// schema. A released migration never changes.
//
//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks a file as ours, in the field of the SQLite header for that purpose: "cmpr".
const applicationID = 0x636d7072

// header is the identification of a database file.
type header struct {
	application, version int64
	tables               int64
}

// prepare checks the file and migrates it to this version's schema. Files of other
// programs or of later versions are not changed. Only a fresh file may be empty.
func (s *Store) prepare(ctx context.Context, fresh bool) error {
	scripts, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	var h header
	err = retryBusy(ctx, func() error { h, err = s.header(ctx); return err })
	if err != nil {
		return err
	}
	switch known := int64(len(scripts)); {
	case h.application != applicationID && (h.tables > 0 || h.application != 0 || h.version != 0):
		return &Error{s.path, ErrForeign, fmt.Errorf("it has %d tables and application id %#x", h.tables, h.application)}
	case h.application == 0 && !fresh:
		return &Error{s.path, ErrDamaged, errors.New("it is empty")}
	case h.version > known:
		return &Error{s.path, ErrNewer, fmt.Errorf("schema %d; this one knows %d", h.version, known)}
	case h.version > 0 && !s.unread:
		if err := s.checkIntegrity(ctx); err != nil {
			return err
		}
	}
	if err := s.writeAhead(ctx); err != nil {
		return err
	}
	if h.version == int64(len(scripts)) {
		return nil
	}
	return s.change(ctx, func(tx *transaction) error { return migrate(ctx, tx.Tx, scripts) })
}

// header reads the three values in one transaction, because another process may be creating the schema.
func (s *Store) header(ctx context.Context) (h header, err error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return h, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return h, err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	for _, q := range []struct {
		text string
		into *int64
	}{
		{"SELECT count(*) FROM sqlite_schema", &h.tables},
		{"PRAGMA application_id", &h.application},
		{"PRAGMA user_version", &h.version},
	} {
		if err := conn.QueryRowContext(ctx, q.text).Scan(q.into); err != nil {
			return h, err
		}
	}
	return h, nil
}

// checkIntegrity reads the whole file for damage. There are few records, and damage found too late would cost an approval.
func (s *Store) checkIntegrity(ctx context.Context) error {
	var said string
	if err := s.db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&said); err != nil {
		return err
	}
	if said != "ok" {
		return &Error{s.path, ErrDamaged, errors.New(said)}
	}
	return nil
}

// writeAhead enables the write-ahead log, with which readers and a writer do not block each other. On file systems
// without shared memory SQLite keeps its older journal, which is slower but equally safe.
func (s *Store) writeAhead(ctx context.Context) error {
	return retryBusy(ctx, func() error {
		var mode string
		return s.db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
	})
}

// migrate runs the scripts that the file lacks; another process may have run some since the header was read.
func migrate(ctx context.Context, tx *sql.Tx, scripts []string) error {
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for ; version < len(scripts); version++ {
		script, err := migrations.ReadFile(scripts[version])
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("%s: %w", scripts[version], err)
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version+1)); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}
