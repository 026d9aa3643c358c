// Package store keeps what must outlive a process: approvals of upstream tools, their catalogs and how often they are
// used. It is the only package that knows a database driver.
//
// Several processes use one store at once: a client such as LM Studio starts one compactor for each of its connections.
// Approvals are never given up in silence: a damaged file is an error (ErrDamaged), and only Renew begins a new one.
//
// A kind of record has one file of Go and one migration. Another kind of database is one more entry in kinds.
package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Store is an open store. Its methods may be called at once from several goroutines.
type Store struct {
	db   *sql.DB
	path string           // for messages
	now  func() time.Time // the clock of Count

	uses    tally
	closing sync.Once
	closed  error
}

// kinds are the databases there are, by the scheme of their URL.
var kinds = map[string]func(ctx context.Context, place string) (*Store, error){
	"sqlite": openSQLite,
}

// Open opens the store at a URL and brings it to this version's schema, creating what is missing: "sqlite:/path/file.db",
// a plain path, or ":memory:" for one that ends with the process. The error is ErrDamaged, ErrNewer, ErrForeign,
// ErrPlace, ErrDenied, ErrFull, ErrDisk or ErrBusy where one of them is the cause; the file is then as it was.
func Open(ctx context.Context, url string) (*Store, error) {
	scheme, place := split(url)
	open, ok := kinds[scheme]
	if !ok {
		return nil, fmt.Errorf("store %s: is not a kind of store; there are: %s; write sqlite:/path/file.db, or the path alone",
			scheme, strings.Join(kindNames(), ", "))
	}
	if place == "" {
		return nil, fmt.Errorf("store %q: names no file; write sqlite:/path/file.db", url)
	}
	return open(ctx, place)
}

// split takes the scheme off a URL. A path has none, nor has one that starts with a drive letter. What follows an
// unknown scheme may hold a password and is not to be shown.
func split(url string) (scheme, place string) {
	scheme, place, found := strings.Cut(url, ":")
	if !found || len(scheme) < 2 || strings.ContainsAny(scheme, `/\.`) {
		return "sqlite", url
	}
	if strings.HasPrefix(place, "///") {
		place = place[2:]
	}
	return strings.ToLower(scheme), place
}

func kindNames() []string {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Close writes what Count has gathered and closes the store. It may be called again.
func (s *Store) Close() error {
	s.closing.Do(func() {
		flushed := s.stopCounting()
		s.closed = s.db.Close()
		if flushed != nil {
			s.closed = flushed
		}
	})
	return s.closed
}

// change runs a function in one transaction: all of it is kept, or nothing.
func (s *Store) change(ctx context.Context, do func(*sql.Tx) error) error {
	var tx *sql.Tx
	err := patiently(ctx, func() (err error) { tx, err = s.db.BeginTx(ctx, nil); return err })
	if err != nil {
		return s.explain(err)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return s.explain(err)
	}
	return s.explain(tx.Commit())
}

// exec is change with one statement.
func (s *Store) exec(ctx context.Context, query string, args ...any) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// millis and moment turn times to what is recorded and back; the zero time is 0.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
