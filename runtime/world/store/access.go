package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"time"
)

// dialect covers the differences between databases.
type dialect interface {
	// enter begins a use of the database with a time limit. end takes its error and returns it in the user's terms.
	enter(ctx context.Context, s *Store, limit time.Duration) (within context.Context, end func(error) error, err error)
	begin(ctx context.Context, db *sql.DB) (*sql.Tx, error)
	translateQuery(query string) string // rewrites a query with ? placeholders
	argument(v any) any
	clock() string // SQL expression for the database's current time, in Unix milliseconds
	// lockNamed lets only one transaction with that name, of any process, proceed at a time.
	lockNamed(tx *transaction, name string) error
	// isFirst reports whether this is the first stored transaction with that id.
	isFirst(tx *transaction, id string) (bool, error)
	// upsertSuffix returns the end of an INSERT that replaces an existing row: it may be repeated after a lost answer.
	upsertSuffix(key string, columns ...string) string
	// scrub removes deleted rows from the files next to the database, unless they are being read.
	scrub(ctx context.Context, s *Store) error
	isRetryable(err error) bool // whether the transaction might succeed if repeated
	// size returns the bytes used by tables, including other tables if they cannot be separated, or 0 if unknown.
	size(ctx context.Context, s *Store, tables ...string) int64
	explain(path string, err error) error
}

// Time limits of one use of a database server. A file has none: it waits for locks at most.
const (
	changeTime = 5 * time.Second
	readTime   = time.Minute // for many rows
	repeatedly = 5           // attempts of a transaction
)

// transaction is a transaction of a store. Its queries use SQLite's placeholders.
type transaction struct {
	*sql.Tx
	ctx context.Context
	s   *Store
}

func (t *transaction) arguments(args []any) []any {
	out := make([]any, len(args))
	for i, v := range args {
		out[i] = t.s.dialect.argument(v)
	}
	return out
}

// ExecContext is like Tx.ExecContext, with a query in SQLite's form.
func (t *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.Tx.ExecContext(ctx, t.s.dialect.translateQuery(query), t.arguments(args)...)
}

// QueryContext is like Tx.QueryContext, with a query in SQLite's form.
func (t *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.Tx.QueryContext(ctx, t.s.dialect.translateQuery(query), t.arguments(args)...)
}

// QueryRowContext is like Tx.QueryRowContext, with a query in SQLite's form.
func (t *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.Tx.QueryRowContext(ctx, t.s.dialect.translateQuery(query), t.arguments(args)...)
}

func (t *transaction) lockNamed(name string) error     { return t.s.dialect.lockNamed(t, name) }
func (t *transaction) isFirst(id string) (bool, error) { return t.s.dialect.isFirst(t, id) }

// change runs do in a transaction, which is committed as a whole or not at all. do runs
// again if another process caused a conflict.
func (s *Store) change(ctx context.Context, do func(*transaction) error) error {
	ctx, end, err := s.dialect.enter(ctx, s, changeTime)
	if err != nil {
		return err
	}
	for range repeatedly {
		if err = s.tryOnce(ctx, do); err == nil || !s.dialect.isRetryable(err) {
			break
		}
	}
	return end(err)
}

func (s *Store) tryOnce(ctx context.Context, do func(*transaction) error) error {
	if err := s.checkFile(); err != nil {
		return err
	}
	tx, err := s.dialect.begin(ctx, s.db)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(&transaction{tx, ctx, s}); err != nil {
		if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil { // rolled back between two statements
			return ctx.Err()
		}
		return err
	}
	return tx.Commit()
}

// checkFile returns ErrGone if the open file is no longer the one at its path: SQLite
// would continue to write to it, and the data would be lost.
func (s *Store) checkFile() error {
	if s.file == nil {
		return nil
	}
	now, err := os.Stat(s.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && os.SameFile(s.file, now) {
		return nil
	}
	return s.fault(ErrGone, cmp.Or(err, errors.New("another file is there")))
}

// exec runs a single statement with change.
func (s *Store) exec(ctx context.Context, query string, args ...any) error {
	return s.change(ctx, func(tx *transaction) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// row reads one row, or returns sql.ErrNoRows.
func (s *Store) row(ctx context.Context, query string, args []any, into ...any) error {
	ctx, end, err := s.dialect.enter(ctx, s, changeTime)
	if err != nil {
		return err
	}
	for range repeatedly {
		err = s.db.QueryRowContext(ctx, s.dialect.translateQuery(query), (&transaction{s: s}).arguments(args)...).Scan(into...)
		if err == nil || !s.dialect.isRetryable(err) {
			break
		}
	}
	return end(err)
}

// each runs a query and calls do for each row.
func (s *Store) each(ctx context.Context, query string, args []any, do func(*sql.Rows) error) error {
	ctx, end, err := s.dialect.enter(ctx, s, readTime)
	if err != nil {
		return err
	}
	return end(func() error {
		rows, err := s.db.QueryContext(ctx, s.dialect.translateQuery(query), (&transaction{s: s}).arguments(args)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := do(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}())
}
