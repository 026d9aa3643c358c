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

// Store is an open store. Its methods may be called concurrently.
type Store struct {
	db      *sql.DB
	path    string // for messages; never with a password
	dialect dialect
	now     func() time.Time // the clock of Count

	unread bool        // skip the check for damage when opening
	file   os.FileInfo // the open file, for checkFile; nil if there is none

	uses    tally
	closing sync.Once
	closed  error
}

// kinds are the supported databases, by URL scheme.
var kinds = map[string]func(ctx context.Context, place string, later bool) (*Store, error){
	"sqlite":     openSQLite,
	"postgres":   openPostgres,
	"postgresql": openPostgres,
}

// Open opens the store at a URL, migrates it to this version's schema and creates what is missing. A URL is a path,
// "sqlite:/path/file.db", ":memory:" (ends with the process) or "postgres://user:password@host/database". The error
// wraps one listed in errors.go if that is the cause; the store is then unchanged.
func Open(ctx context.Context, url string) (*Store, error) { return open(ctx, url, false) }

// OpenLater is like Open, for servers. It does not fail if a database server is unavailable: the returned store tries
// again on each use, and until then each use fails with the error that Open would have returned.
func OpenLater(ctx context.Context, url string) (*Store, error) { return open(ctx, url, true) }

func open(ctx context.Context, url string, later bool) (*Store, error) {
	scheme, place := splitURL(url)
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

// splitURL splits the scheme from a URL. A plain path has the scheme sqlite, even if it starts with a drive letter. The
// part after an unknown scheme may contain a password and must not be displayed.
func splitURL(url string) (scheme, place string) {
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

// Close writes pending counts and closes the store. Further calls return the same result.
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

// toMillis and fromMillis convert times to and from stored milliseconds; the zero time is 0.
func toMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
