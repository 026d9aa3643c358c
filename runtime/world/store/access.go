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

// dialect is what differs between kinds of databases.
type dialect interface {
	// enter begins a use of the database that may take so long. end is given its error and gives it in the user's words.
	enter(ctx context.Context, s *Store, limit time.Duration) (within context.Context, end func(error) error, err error)
	begin(ctx context.Context, db *sql.DB) (*sql.Tx, error)
	text(query string) string // of a query with ? for arguments
	argument(v any) any
	clock() string // the moment by the database's clock, in a query: Unix milliseconds
	// serial lets one transaction of that name, in whatever process, go on at a time.
	serial(tx *transaction, name string) error
	// first reports whether this transaction is the first with such an id to be kept.
	first(tx *transaction, id string) (bool, error)
	// resent ends an insertion of a row that may be there already, since an answer was lost: it takes the other's place.
	resent(key string, columns ...string) string
	// scrub leaves nothing of deleted rows in files beside the database, unless somebody reads that at the moment.
	scrub(ctx context.Context, s *Store) error
	repeats(err error) bool // whether the transaction would have gone well at another moment
	// size is the bytes that tables take, and other tables too where they cannot be told apart; 0 where it cannot be said.
	size(ctx context.Context, s *Store, tables ...string) int64
	explain(path string, err error) error
}

// How long one use of a database server may take. A file has no such bound: it waits for a lock at most.
const (
	changeTime = 5 * time.Second
	readTime   = time.Minute // of many rows
	repeatedly = 5           // times that a transaction is tried
)

// transaction is one of a store. Its queries are as SQLite has them.
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

// ExecContext is that of the database.
func (t *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return t.Tx.ExecContext(ctx, t.s.dialect.text(query), t.arguments(args)...)
}

// QueryContext is that of the database.
func (t *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return t.Tx.QueryContext(ctx, t.s.dialect.text(query), t.arguments(args)...)
}

// QueryRowContext is that of the database.
func (t *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return t.Tx.QueryRowContext(ctx, t.s.dialect.text(query), t.arguments(args)...)
}

func (t *transaction) serial(name string) error      { return t.s.dialect.serial(t, name) }
func (t *transaction) first(id string) (bool, error) { return t.s.dialect.first(t, id) }

// change runs a function in one transaction: all of it is kept, or nothing. The function is run again where another
// process was in the way.
func (s *Store) change(ctx context.Context, do func(*transaction) error) error {
	ctx, end, err := s.dialect.enter(ctx, s, changeTime)
	if err != nil {
		return err
	}
	for range repeatedly {
		if err = s.once(ctx, do); err == nil || !s.dialect.repeats(err) {
			break
		}
	}
	return end(err)
}

func (s *Store) once(ctx context.Context, do func(*transaction) error) error {
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

// checkFile returns ErrGone where the file that is open is not the one at its path any more: SQLite goes on writing to it,
// and nobody would ever read that.
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

// exec is change with one statement.
func (s *Store) exec(ctx context.Context, query string, args ...any) error {
	return s.change(ctx, func(tx *transaction) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// row reads one row. Where there is none the error is sql.ErrNoRows.
func (s *Store) row(ctx context.Context, query string, args []any, into ...any) error {
	ctx, end, err := s.dialect.enter(ctx, s, changeTime)
	if err != nil {
		return err
	}
	for range repeatedly {
		err = s.db.QueryRowContext(ctx, s.dialect.text(query), (&transaction{s: s}).arguments(args)...).Scan(into...)
		if err == nil || !s.dialect.repeats(err) {
			break
		}
	}
	return end(err)
}

// each runs a query and gives its rows one by one.
func (s *Store) each(ctx context.Context, query string, args []any, do func(*sql.Rows) error) error {
	ctx, end, err := s.dialect.enter(ctx, s, readTime)
	if err != nil {
		return err
	}
	return end(func() error {
		rows, err := s.db.QueryContext(ctx, s.dialect.text(query), (&transaction{s: s}).arguments(args)...)
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
