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
	"sync"
	"time"

	"modernc.org/sqlite" // SQLite in Go: no cgo, one static binary for each system
)

// How long to wait for another process. SQLite's own wait does not end with a context, so it is short and repeated.
const (
	patience = 5 * time.Second
	oneWait  = 250 // milliseconds
)

// openSQLite opens a file, or memory.
func openSQLite(ctx context.Context, place string) (*Store, error) {
	s := &Store{path: place, now: time.Now}
	dsn, connections := ":memory:", 1 // each connection to memory would be a database of its own
	if place != ":memory:" {
		path, err := filepath.Abs(place)
		if err != nil {
			return nil, fmt.Errorf("store %s: %w", place, err)
		}
		if err := create(path); err != nil {
			return nil, err
		}
		s.path, dsn, connections = path, fileDSN(path), 2 // reads need not wait for a write that waits
	}
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, s.explain(err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	s.db = db
	if err := s.prepare(ctx); err != nil {
		db.Close()
		return nil, s.explain(err)
	}
	return s, nil
}

// fileDSN is the driver's name of a file. Transactions take the write lock when they begin: one that reads first and
// then finds the file changed could only fail. Commits reach the disk before they return, for they may be approvals.
func fileDSN(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/Users/…
	}
	u := url.URL{Scheme: "file", Path: path}
	return u.String() + fmt.Sprintf("?_txlock=immediate&_pragma=busy_timeout(%d)&_pragma=synchronous(FULL)"+
		"&_pragma=cell_size_check(1)&_pragma=trusted_schema(0)", oneWait)
}

// creating guards create: closing any handle of a file makes the system drop SQLite's locks on it in this process.
var creating sync.Mutex

// create makes a file that only its owner can read, and its directory. It leaves alone what is there.
func create(path string) error {
	creating.Lock()
	defer creating.Unlock()
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("store %s: is not a file; name a file", path)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return explain(path, err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	}
	if err != nil {
		return explain(path, err)
	}
	return explain(path, f.Close())
}

// patiently repeats what another process keeps from happening, until patience or the context ends.
func patiently(ctx context.Context, do func() error) error {
	for end := time.Now().Add(patience); ; {
		err := do()
		if err == nil || kindOf(err) != ErrBusy || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// kindOf tells what is wrong from the code of SQLite or of the system; nil when it is none of ours.
func kindOf(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || isReadOnly(err) {
			return ErrDenied
		}
		if isFull(err) {
			return ErrFull
		}
		return nil
	}
	const shortRead = 522 // a kind of IOERR: the file ends too early
	if e.Code() == shortRead {
		return ErrDamaged
	}
	switch e.Code() & 0xff { // the rest of the code is detail
	case 1, 11, 20, 26: // ERROR: a table or column of ours is not there; CORRUPT, MISMATCH, NOTADB
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
