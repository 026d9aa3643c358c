package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite" // SQLite in Go: no cgo, one static binary for each system
)

// patience is how long to wait for another process. It is a variable for tests.
var patience = 5 * time.Second

// oneWait is SQLite's own wait, in milliseconds. It ignores the context, so it is short and repeated.
const oneWait = 250

// openSQLite opens a file or an in-memory database.
func openSQLite(ctx context.Context, place string, _ bool) (*Store, error) {
	if place == ":memory:" {
		return connect(ctx, place, place, 1, true, false) // each connection would have a database of its own
	}
	path, err := filepath.Abs(place)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", place, err)
	}
	there, err := checkPlace(path)
	if err == nil && !there {
		if err = create(ctx, path); err == nil {
			_, err = checkPlace(path) // another process may have been faster
		}
	}
	if err != nil {
		if made := (*Error)(nil); errors.As(err, &made) {
			made.Path = path // the error has the temporary name from the creation
		}
		return nil, explain(path, err)
	}
	sweepUnfinished(filepath.Dir(path), time.Now())
	s, err := openFile(ctx, path, false)
	if err == nil {
		s.file, _ = os.Stat(path) // without it, checkFile does nothing
	}
	return s, err
}

func openFile(ctx context.Context, path string, fresh bool) (*Store, error) {
	return connect(ctx, path, fileDSN(path), 2, fresh, false) // two: reads need not wait for a write that waits
}

// connectUnread opens a file without the check for damage, for concurrent searches.
func connectUnread(ctx context.Context, path string) (*Store, error) {
	return connect(ctx, path, fileDSN(path), 8, false, true)
}

func connect(ctx context.Context, path, dsn string, connections int, fresh, unread bool) (*Store, error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, explain(path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	s := &Store{db: db, path: path, dialect: sqliteDialect{}, now: time.Now, unread: unread}
	if err := s.prepare(ctx, fresh); err != nil {
		db.Close()
		return nil, s.explain(err)
	}
	return s, nil
}

// sqliteDialect is the dialect of SQLite. Transactions of a file are serial, and a failed commit has no effect.
type sqliteDialect struct{}

func (sqliteDialect) explain(path string, err error) error { return explain(path, err) }

func (sqliteDialect) translateQuery(query string) string         { return query }
func (sqliteDialect) argument(v any) any                         { return v }
func (sqliteDialect) clock() string                              { return "CAST(unixepoch('subsec') * 1000 AS INTEGER)" }
func (sqliteDialect) lockNamed(*transaction, string) error       { return nil }
func (sqliteDialect) isFirst(*transaction, string) (bool, error) { return true, nil }
func (sqliteDialect) upsertSuffix(string, ...string) string      { return "" }
func (sqliteDialect) isRetryable(error) bool                     { return false }

func (sqliteDialect) enter(ctx context.Context, s *Store, _ time.Duration) (context.Context, func(error) error, error) {
	return ctx, s.explain, nil
}

func (sqliteDialect) begin(ctx context.Context, db *sql.DB) (tx *sql.Tx, err error) {
	err = retryBusy(ctx, func() (err error) { tx, err = db.BeginTx(ctx, nil); return err })
	return tx, err
}

// scrub gives up if others read the file for a long time: the rows are deleted, and the
// next checkpoint of those processes empties the journal.
func (sqliteDialect) scrub(ctx context.Context, s *Store) error {
	err := retryBusy(ctx, func() error { return s.checkpoint(ctx) })
	if errors.Is(err, ErrBusy) || ctx.Err() != nil {
		return nil
	}
	return err
}

// size returns the used bytes of the file.
func (sqliteDialect) size(ctx context.Context, s *Store, _ ...string) int64 {
	var pages, free, size int64
	for query, to := range map[string]*int64{"PRAGMA page_count": &pages, "PRAGMA freelist_count": &free, "PRAGMA page_size": &size} {
		if s.db.QueryRowContext(ctx, query).Scan(to) != nil {
			return 0
		}
	}
	return (pages - free) * size
}

// fileDSN returns the driver's name for a file. Transactions take the write lock at the start, since a transaction
// that reads first can only fail if the file has changed when it writes. Commits are synced to disk, as they may be
// approvals. Deleted data is overwritten, as it may be personal.
func fileDSN(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/Users/…
	}
	u := url.URL{Scheme: "file", Path: path}
	return u.String() + fmt.Sprintf("?_txlock=immediate&_pragma=busy_timeout(%d)&_pragma=synchronous(FULL)"+
		"&_pragma=cell_size_check(1)&_pragma=trusted_schema(0)&_pragma=secure_delete(1)", oneWait)
}

// retryBusy repeats do while another process has the file locked, until patience or the context ends.
func retryBusy(ctx context.Context, do func() error) error {
	for end := time.Now().Add(patience); ; {
		err := do()
		if err == nil || !errors.Is(err, ErrBusy) && kindOf(err) != ErrBusy || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Extended codes of IOERR.
const (
	shortRead    = 522  // the file is truncated
	noRoomShared = 4874 // the shared-memory file cannot grow, which happens only if the disk is full
)

// kindOf maps an error of SQLite or of the system to our kind of error, or nil if none matches.
func kindOf(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || isReadOnly(err) {
			return ErrDenied
		}
		if isFull(err) {
			return ErrFull
		}
		if isBroken(err) {
			return ErrDisk
		}
		if isCrowded(err) {
			return ErrFiles
		}
		return nil
	}
	switch kind := e.Code(); kind {
	case shortRead:
		return ErrDamaged
	case noRoomShared:
		return ErrFull
	}
	switch e.Code() & 0xff { // the upper bits are details
	case 1, 11, 20, 26: // ERROR: a table or column of ours is missing; CORRUPT, MISMATCH, NOTADB
		return ErrDamaged
	case 3, 8, 14, 23: // PERM, READONLY, CANTOPEN, AUTH
		return ErrDenied
	case 10:
		return ErrDisk
	case 13:
		return ErrFull
	case 5, 6, 15: // BUSY, LOCKED, PROTOCOL
		return ErrBusy
	}
	return nil
}
