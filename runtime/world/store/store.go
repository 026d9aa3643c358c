// Package store keeps what must outlive a process: approvals of upstream tools, their catalogs, how often they are
// used, and what happened in sessions. It is the only package that knows a database driver.
//
// Several processes use one store at once: a client such as LM Studio starts one compactor for each of its connections,
// and several machines may share one PostgreSQL. Approvals are never given up in silence: a damaged store is an error
// (ErrDamaged), and only Renew begins a new one.
//
// A kind of record has one file of Go, whose queries every database takes: in the SQL that SQLite and PostgreSQL share,
// with ? for arguments. What differs stands in a dialect: sqlite.go, and postgres.go with its own migrations. Another
// kind of database is one more of those, and an entry in kinds; the tests of a store run on each.
package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Store is an open store. Its methods may be called at once from several goroutines.
type Store struct {
	db      *sql.DB
	path    string // for messages; never with a password
	dialect dialect
	now     func() time.Time // the clock of Count

	unread bool        // is not read whole for damage when it is opened
	file   os.FileInfo // that is written to, nil for none

	uses    tally
	closing sync.Once
	closed  error
}

// kinds are the databases there are, by the scheme of their URL.
var kinds = map[string]func(ctx context.Context, place string, later bool) (*Store, error){
	"sqlite":     openSQLite,
	"postgres":   openPostgres,
	"postgresql": openPostgres,
}

// Open opens the store at a URL and brings it to this version's schema, creating what is missing: "sqlite:/path/file.db",
// a plain path, ":memory:" for one that ends with the process, or "postgres://user:password@host/database". The error
// wraps one of those in errors.go where it is the cause; the store is then as it was.
func Open(ctx context.Context, url string) (*Store, error) { return open(ctx, url, false) }

// OpenLater is Open for who serves. A database server that cannot be used now is no error: the store it gives tries
// again when it is used, and until then each use is the error that Open had given.
func OpenLater(ctx context.Context, url string) (*Store, error) { return open(ctx, url, true) }

func open(ctx context.Context, url string, later bool) (*Store, error) {
	scheme, place := split(url)
	open, ok := kinds[scheme]
	if !ok {
		return nil, fmt.Errorf("store %s: is not a kind of store; there are: %s; write sqlite:/path/file.db, the path alone, or postgres://user@host/database",
			scheme, strings.Join(kindNames(), ", "))
	}
	if place == "" {
		return nil, fmt.Errorf("store %q: names no file; write sqlite:/path/file.db", url)
	}
	return open(ctx, place, later)
}

// split takes the scheme off a URL. A path has none, nor has one that starts with a drive letter. What follows an
// unknown scheme may hold a password and is not to be shown.
func split(url string) (scheme, place string) {
	scheme, place, found := strings.Cut(url, ":")
	if !found || len(scheme) < 2 || strings.ContainsAny(scheme, `/\.`) {
		return "sqlite", url
	}
	scheme = strings.ToLower(scheme)
	if strings.HasPrefix(place, "///") && scheme == "sqlite" {
		place = place[2:]
	}
	return scheme, place
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
