package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// shelfConnections bounds the connections of this process to one server for all collections. Each search holds one.
const shelfConnections = 8

// libraryTables are the tables that hold the rows of all collections.
var libraryTables = []string{"library", "library_contents", "library_documents", "library_jobs", "library_segments", "library_parts", "library_space", "library_vectors"}

// collectionKey matches the key of a collection on a server.
var collectionKey = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_]{0,63}-[0-9a-f]{1,16}$`)

// collectionURL returns the place of a collection: the address of the server and the collection's key.
func collectionURL(url, key string) string {
	url, _, _ = strings.Cut(url, "#")
	return url + "#" + key
}

// shelves holds the stores with open collections by server address: collections of one
// server share connections and what is known of the server.
var shelves struct {
	sync.Mutex
	open map[string]*shelfStore
}

type shelfStore struct {
	*Store
	users int
}

func openShelf(_ context.Context, place string) (*books, error) {
	url, key, _ := strings.Cut(place, "#")
	if !collectionKey.MatchString(key) {
		return nil, fmt.Errorf("store %s: %q is not a collection", Shown(url), key)
	}
	shelves.Lock()
	defer shelves.Unlock()
	s := shelves.open[url]
	if s == nil {
		at, err := parseAddress(url)
		if err != nil {
			return nil, fmt.Errorf("store %s: %w", Shown(url), err)
		}
		_, opened := at.newStore()
		opened.db.SetMaxOpenConns(shelfConnections)
		s = &shelfStore{Store: opened}
		if shelves.open == nil {
			shelves.open = map[string]*shelfStore{}
		}
		shelves.open[url] = s
	}
	s.users++
	return &books{s: s.Store, in: &onServerShelf{p: s.dialect.(*postgres), key: key}, shown: Shown(place), end: sync.OnceValue(func() error {
		shelves.Lock()
		defer shelves.Unlock()
		if s.users--; s.users > 0 {
			return nil
		}
		delete(shelves.open, url)
		return s.Close()
	})}, nil
}

// collectionURLs returns the places of the collections on a server.
func collectionURLs(ctx context.Context, url string) (out []string, err error) {
	url, _, _ = strings.Cut(url, "#")
	s, err := Open(ctx, url)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	err = s.each(ctx, "SELECT collection FROM library ORDER BY collection", nil, func(row *sql.Rows) error {
		var key string
		err := row.Scan(&key)
		out = append(out, collectionURL(url, key))
		return err
	})
	return out, err
}

func removeShelf(ctx context.Context, place string) error {
	b, err := openShelf(ctx, place)
	if err != nil {
		return err
	}
	defer b.Close()
	release, err := b.Own(ctx)
	if err != nil {
		return err
	}
	defer release()
	return b.change(ctx, func(tx *shelving) error {
		for _, table := range libraryTables {
			if err := tx.run("DELETE FROM " + table + " WHERE @here"); err != nil {
				return err
			}
		}
		return nil
	})
}

// onServerShelf is a collection in the shared tables of a server.
type onServerShelf struct {
	p   *postgres
	key string

	mu    sync.Mutex
	owned *sql.Conn // the connection that has the lock; nil if this process does not have it
}

// hereTexts caches queries translated for the server.
var hereTexts sync.Map

// rewriteQuery makes the key of the collection the first argument.
func (*onServerShelf) rewriteQuery(query string) string {
	if known, ok := hereTexts.Load(query); ok {
		return known.(string)
	}
	text := strings.ReplaceAll(query, "@here", "collection = $1")
	text = numberPlaceholders(strings.ReplaceAll(text, "json_each(", "json_array_elements_text("), 2)
	hereTexts.Store(query, text)
	return text
}

func (o *onServerShelf) arguments(args []any) []any {
	out := []any{o.key}
	for _, v := range args {
		if text, ok := v.(octets); ok {
			out = append(out, []byte(text))
			continue
		}
		out = append(out, o.p.argument(v))
	}
	return out
}

func (*onServerShelf) putStatement(table, key, columns, then string) string {
	if then == "" {
		var set []string
		for c := range strings.SplitSeq(columns, ", ") {
			set = append(set, c+" = excluded."+c)
		}
		if table == "library_vectors" {
			set = append(set, "rowid = excluded.rowid")
		}
		then = "UPDATE SET " + strings.Join(set, ", ")
	}
	if key != "" {
		key = ", " + key
	}
	return "INSERT INTO " + table + " (collection, " + columns + ") VALUES ($1" + strings.Repeat(", ?", strings.Count(columns, ",")+1) + ") ON CONFLICT (collection" + key + ") DO " + then
}

func (*onServerShelf) snapshot(ctx context.Context, s *Store) (asker, func(), error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, nil, err
	}
	return tx, func() { _ = tx.Rollback() }, nil
}

// begin begins a transaction on the connection that has the lock. A process that has lost the lock without noticing,
// for example by a network failure, can then change nothing any more.
func (o *onServerShelf) begin(ctx context.Context, s *Store) (*sql.Tx, func(), error) {
	o.mu.Lock()
	var tx *sql.Tx
	var err error
	if o.owned != nil {
		tx, err = o.owned.BeginTx(ctx, nil)
	} else {
		tx, err = s.db.BeginTx(ctx, nil)
	}
	if errors.Is(err, sql.ErrConnDone) {
		err = driver.ErrBadConn
	}
	if err == nil {
		// Contents without documents are found with a hash table in memory, as large as the collection has contents.
		if _, err = tx.ExecContext(ctx, "SET LOCAL work_mem TO '64MB'"); err != nil {
			_ = tx.Rollback()
		}
	}
	if err != nil {
		o.mu.Unlock()
		return nil, nil, err
	}
	return tx, o.mu.Unlock, nil
}

func (*onServerShelf) rowsAtOnce() int { return rowsAtOnce }

// size returns the bytes of texts, index and vectors.
func (*onServerShelf) size(ctx context.Context, b *books) (n int64, err error) {
	return n, b.row(ctx, nil, `SELECT (SELECT coalesce(sum(length(text) + length(chunks)), 0) FROM library_contents WHERE @here) +
		(SELECT coalesce(sum(length(data)), 0) FROM library_parts WHERE @here) + (SELECT coalesce(sum(length(data)), 0) FROM library_vectors WHERE @here)`, nil, &n)
}

// How long the lock of a killed process may take to be released, and the time, in seconds, after which the server
// releases it if it hears nothing from the owner's machine.
const (
	ownPatience = 3 * time.Second
	ownSilence  = 30
)

// lockKey is the SQL expression for the number of a collection's lock, given its name.
const lockKey = "hashtextextended($1, 0)"

func (o *onServerShelf) lockName() string { return "compactor " + o.p.schema + " library " + o.key }

// lockOwner takes a lock that is bound to a connection: the server releases it when the connection or the process ends.
func (o *onServerShelf) lockOwner(ctx context.Context, b *books) (release func(), err error) {
	within, end, err := o.p.enter(ctx, b.s, changeTime+ownPatience)
	if err != nil {
		return nil, err
	}
	var owned error
	conn, err := b.s.db.Conn(ctx)
	if err == nil {
		if owned, err = o.takeLock(within, conn, b); err != nil || owned != nil {
			dropConnection(conn)
		}
	}
	if err = end(err); err != nil {
		return nil, err
	}
	if owned != nil {
		return nil, owned
	}
	o.mu.Lock()
	o.owned = conn
	o.mu.Unlock()
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.owned = nil
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTime)
		defer cancel()
		_, _ = conn.ExecContext(within, "SELECT pg_advisory_unlock("+lockKey+")", o.lockName())
		dropConnection(conn)
	}, nil
}

// dropConnection closes a connection instead of returning it to the pool.
func dropConnection(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = conn.Close()
}

// takeLock returns as owned the error that names the current owner, or nil if the lock was taken.
func (o *onServerShelf) takeLock(ctx context.Context, conn *sql.Conn, b *books) (owned, err error) {
	host, _ := os.Hostname()
	for _, set := range []struct{ name, to string }{
		{"application_name", ownerForm(os.Getpid(), host)},
		{"tcp_keepalives_idle", strconv.Itoa(ownSilence)}, {"tcp_keepalives_interval", "5"}, {"tcp_keepalives_count", "3"},
	} {
		if _, err := conn.ExecContext(ctx, "SELECT set_config($1, $2, false)", set.name, set.to); err != nil {
			return nil, err
		}
	}
	for late := time.Now().Add(ownPatience); ; {
		var got bool
		if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock("+lockKey+")", o.lockName()).Scan(&got); err != nil || got {
			return nil, err
		}
		if time.Now().After(late) {
			break
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	if owned, err = o.lockHolder(ctx, b); owned == nil && err == nil {
		owned = library.ErrOwned // the owner has just ended
	}
	return owned, err
}

// ownerForm returns the application name of a connection with the lock, visible in pg_stat_activity.
func ownerForm(process int, host string) string {
	host = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return -1
		}
		return r
	}, host)
	return fmt.Sprintf("compactor process %d on %s", process, host[:min(len(host), 32)])
}

var ownerSays = lazyregexp.New(`^compactor process (\d{1,9}) on (\S*)$`)

// lockHolder returns an error that names the process with the lock, or nil if the lock is free.
func (o *onServerShelf) lockHolder(ctx context.Context, b *books) (owned, err error) {
	var name string
	err = b.s.db.QueryRowContext(ctx, `WITH k AS (SELECT `+lockKey+` AS key)
		SELECT coalesce(a.application_name, '') FROM k JOIN pg_locks AS l ON l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
			AND l.classid = ((k.key >> 32) & 4294967295)::oid AND l.objid = (k.key & 4294967295)::oid
		JOIN pg_database AS d ON d.oid = l.database AND d.datname = current_database()
		LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid LIMIT 1`, o.lockName()).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	said := ownerSays.FindStringSubmatch(name)
	if said == nil {
		return library.ErrOwned, nil
	}
	process, _ := strconv.Atoi(said[1])
	return &library.OwnedError{Process: process, Host: said[2]}, nil
}

func (o *onServerShelf) findOwner(ctx context.Context, b *books) (by writing, is bool, err error) {
	within, end, err := o.p.enter(ctx, b.s, changeTime)
	if err != nil {
		return by, false, err
	}
	owned, err := o.lockHolder(within, b)
	if err = end(err); err != nil || owned == nil {
		return by, false, err
	}
	var who *library.OwnedError
	if errors.As(owned, &who) {
		by.process, by.host = who.Process, who.Host
	}
	return by, true, nil
}

// tellProgress does nothing: each step would be a round trip to the server.
func (*onServerShelf) tellProgress(*books, library.Step) {}

// watchShelf takes the lock for following the documents of a collection, on a separate connection.
func watchShelf(ctx context.Context, place string) (release func(), err error) {
	b, err := openShelf(ctx, place)
	if err != nil {
		return nil, err
	}
	o := b.in.(*onServerShelf)
	name := o.lockName() + " watch"
	within, end, err := o.p.enter(ctx, b.s, changeTime)
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	got := false
	conn, err := b.s.db.Conn(within)
	if err == nil {
		err = conn.QueryRowContext(within, "SELECT pg_try_advisory_lock("+lockKey+")", name).Scan(&got)
	}
	if err = end(err); err != nil || !got {
		if conn != nil {
			dropConnection(conn)
		}
		_ = b.Close()
		if err == nil {
			err = library.ErrOwned
		}
		return nil, err
	}
	return func() {
		// Unlock explicitly: the server may notice the closed connection only after the next process asks.
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTime)
		defer cancel()
		_, _ = conn.ExecContext(within, "SELECT pg_advisory_unlock("+lockKey+")", name)
		dropConnection(conn)
		_ = b.Close()
	}, nil
}
