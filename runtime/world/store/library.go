package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// OpenLibrary opens a collection at a place from LibraryPath, or creates it. A file is not checked for damage as a
// whole, which would cost as much as a search: its index has a checksum, and everything in it can be rebuilt. A
// database server is not contacted before something is read or written.
func OpenLibrary(ctx context.Context, place string) (library.Shelf, error) {
	if OnServer(place) {
		return openShelf(ctx, place)
	}
	path := place
	if path == ":memory:" || path == "" {
		return nil, errors.New("a collection is kept in a file; store.url of the configuration names none")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	there, err := checkPlace(path)
	if err == nil && !there {
		if err = create(ctx, path); err == nil {
			_, err = checkPlace(path)
		}
	}
	if err != nil {
		return nil, withReindexHint(path, explain(path, err))
	}
	sweepUnfinished(filepath.Dir(path), time.Now())
	s, err := connectUnread(ctx, path)
	if err != nil {
		return nil, withReindexHint(path, err)
	}
	return &books{s: s, in: &inFile{}, shown: path, end: s.Close}, nil
}

// withReindexHint adds the remedy to the error for a damaged collection, which contains no approvals and can be rebuilt.
func withReindexHint(place string, err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind == ErrDamaged && !OnServer(e.Path) {
		return fmt.Errorf("collection %s: %w (%v); run: compactor index", place, ErrDamaged, e.Err)
	}
	return err
}

// LibraryPath returns the place of a collection: a file next to the store at url, or a part of the database; "" for a
// store in memory. id distinguishes collections of the same name with different directories.
func LibraryPath(url, name, id string) string {
	if OnServer(url) {
		return collectionURL(url, name+"-"+id)
	}
	return fileBeside(url, "-docs-"+name+"-"+id+".db")
}

// LibraryPaths returns the places of all collections of the store at url.
func LibraryPaths(ctx context.Context, url string) ([]string, error) {
	if OnServer(url) {
		return collectionURLs(ctx, url)
	}
	pattern := fileBeside(url, "-docs-*.db")
	if pattern == "" {
		return nil, nil
	}
	dir, start := filepath.Dir(pattern), strings.TrimSuffix(filepath.Base(pattern), "*.db")
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil // nothing is stored yet
	}
	var out []string
	for _, e := range list {
		if name := e.Name(); strings.HasPrefix(name, start) && strings.HasSuffix(name, ".db") && e.Type().IsRegular() {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out, nil
}

// LibraryName returns the name and id of the collection at a place, or "" if the place contains none.
func LibraryName(place string) string {
	if OnServer(place) {
		_, key, _ := strings.Cut(place, "#")
		return key
	}
	_, key, _ := strings.Cut(filepath.Base(place), "-docs-")
	return strings.TrimSuffix(key, ".db")
}

// HasLibrary reports whether a collection is stored at a place.
func HasLibrary(ctx context.Context, place string) (bool, error) {
	if !OnServer(place) {
		return place != "" && Exists(strings.TrimPrefix(place, "sqlite:")), nil
	}
	shelf, err := OpenLibrary(ctx, place)
	if err != nil {
		return false, err
	}
	defer shelf.Close()
	_, err = shelf.Origin(ctx)
	if errors.Is(err, library.ErrEmpty) {
		return false, nil
	}
	return err == nil || errors.Is(err, ErrDamaged), err
}

// ReadLibrary reads the file of a collection and its journal to the end; on a database server it reads nothing. An
// error means that the system cannot read them, so a collection that seems damaged may be intact.
func ReadLibrary(ctx context.Context, place string) error {
	if OnServer(place) {
		return ctx.Err()
	}
	path, err := filepath.Abs(strings.TrimPrefix(place, "sqlite:"))
	if err != nil {
		return err
	}
	for _, end := range []string{"", "-wal", "-journal"} {
		f, err := os.Open(path + end)
		if err == nil {
			_, err = io.Copy(io.Discard, f)
			f.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return explain(path, err)
		}
	}
	return ctx.Err()
}

// RemoveLibrary deletes a collection with all its files, unless a process is indexing it.
func RemoveLibrary(ctx context.Context, place string) error {
	if OnServer(place) {
		return removeShelf(ctx, place)
	}
	path, err := filepath.Abs(strings.TrimPrefix(place, "sqlite:"))
	if err != nil {
		return err
	}
	release, err := lockWriter(ctx, path)
	if err != nil {
		if errors.Is(err, library.ErrOwned) {
			return err
		}
		return explain(path, err)
	}
	defer func() {
		release()
		_ = os.Remove(path + ownedBy)
	}()
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return explain(path, err)
		}
	}
	return nil
}

// books implements library.Shelf for a collection in a store.
type books struct {
	s     *Store
	in    among
	shown string // the place, for messages
	end   func() error
}

// among covers the differences between a file, which has one collection, and a database server, whose tables hold all
// collections. A query contains @here where the row must belong to the collection, and ? for arguments.
type among interface {
	rewriteQuery(query string) string
	arguments(args []any) []any
	// putStatement returns a statement that inserts a row and, if its key exists, replaces the
	// row or does then. An empty key means a table with one row per collection.
	putStatement(table, key, columns, then string) string
	// snapshot returns a consistent view, valid until done is called.
	snapshot(ctx context.Context, s *Store) (in asker, done func(), err error)
	// begin begins a transaction for changes, on the owner's connection if there is an owner.
	begin(ctx context.Context, s *Store) (tx *sql.Tx, done func(), err error)
	rowsAtOnce() int
	lockOwner(ctx context.Context, b *books) (release func(), err error)
	// findOwner returns the process that indexes the collection, if any.
	findOwner(ctx context.Context, b *books) (by writing, is bool, err error)
	// tellProgress reports the owner's progress, if that is cheap.
	tellProgress(b *books, s library.Step)
	size(ctx context.Context, b *books) (int64, error)
	// storeComparable stores the vectors of contents (nil: of all) again, in the form in which
	// the database can compare them, if it can.
	storeComparable(tx *shelving, contents []string) error
	comparer(ctx context.Context, v *version, tier string) (library.Comparer, error)
}

// octets is text from documents. A server stores it as bytes, so that it stays unchanged whatever it contains.
type octets string

// Time limits of one use of a server for reading from or writing to a collection, which may be large.
const (
	libraryReadTime  = 2 * time.Minute
	libraryWriteTime = 10 * time.Minute
)

// asker is a connection, a transaction or a database.
type asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (b *books) Close() error { return b.end() }

// explain puts an error in the user's terms.
func (b *books) explain(err error) error { return withReindexHint(b.shown, b.s.explain(err)) }

// damagedError returns the error for rows that cannot be as they were written.
func (b *books) damagedError(what string) error {
	return fmt.Errorf("collection %s: %w: %s; run: compactor index", b.shown, ErrDamaged, what)
}

// each runs a query and calls do for each row. If in is nil, any connection is used.
func (b *books) each(ctx context.Context, in asker, query string, args []any, do func(*sql.Rows) error) error {
	within, end, err := b.s.dialect.enter(ctx, b.s, libraryReadTime)
	if err != nil {
		return withReindexHint(b.shown, err)
	}
	if in == nil {
		in = b.s.db
	}
	var refused error // error of do
	err = end(func() error {
		rows, err := in.QueryContext(within, b.in.rewriteQuery(query), b.in.arguments(args)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if refused = do(rows); refused != nil {
				return nil
			}
		}
		return rows.Err()
	}())
	if refused != nil {
		return b.explain(refused)
	}
	return withReindexHint(b.shown, err)
}

// row reads one row, or returns sql.ErrNoRows.
func (b *books) row(ctx context.Context, in asker, query string, args []any, into ...any) error {
	found := false
	err := b.each(ctx, in, query, args, func(row *sql.Rows) error {
		found = true
		return row.Scan(into...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// change runs do in a transaction, which is committed as a whole or not at all.
func (b *books) change(ctx context.Context, do func(*shelving) error) error {
	within, end, err := b.s.dialect.enter(ctx, b.s, libraryWriteTime)
	if err != nil {
		return withReindexHint(b.shown, err)
	}
	for range repeatedly {
		if err = b.tryOnce(within, do); err == nil || !b.s.dialect.isRetryable(err) {
			break
		}
	}
	return withReindexHint(b.shown, end(err))
}

func (b *books) tryOnce(ctx context.Context, do func(*shelving) error) error {
	tx, done, err := b.in.begin(ctx, b.s)
	if err != nil {
		return err
	}
	defer done()
	defer tx.Rollback()
	if err := do(&shelving{b, tx, ctx}); err != nil {
		return err
	}
	return tx.Commit()
}

// shelving is a transaction that changes a collection.
type shelving struct {
	b   *books
	tx  *sql.Tx
	ctx context.Context
}

func (s *shelving) run(query string, args ...any) error {
	_, err := s.tx.ExecContext(s.ctx, s.b.in.rewriteQuery(query), s.b.in.arguments(args)...)
	return err
}

// bytesAtOnce bounds the rows of one statement, in bytes.
const bytesAtOnce = 4 << 20

// runAll runs a put statement for each row. A server takes several rows per statement, because over a network most of
// a row's cost is the round trip. The rows must have distinct keys.
func (s *shelving) runAll(query string, rows [][]any) error {
	if most := s.b.in.rowsAtOnce(); most > 1 {
		return s.runMany(query, rows, most)
	}
	put, err := s.tx.PrepareContext(s.ctx, s.b.in.rewriteQuery(query))
	if err != nil {
		return err
	}
	defer put.Close()
	for _, row := range rows {
		if _, err := put.ExecContext(s.ctx, s.b.in.arguments(row)...); err != nil {
			return err
		}
	}
	return nil
}

func (s *shelving) runMany(query string, rows [][]any, most int) error {
	before, rest, _ := strings.Cut(query, " VALUES ")
	one, after, _ := strings.Cut(rest, ")")
	one += ")"
	for len(rows) > 0 {
		n, size := 0, 0
		var args []any
		for n < min(len(rows), most) && (n == 0 || size < bytesAtOnce) {
			for _, v := range rows[n] {
				switch v := v.(type) {
				case octets:
					size += len(v)
				case []byte:
					size += len(v)
				}
			}
			args = append(args, rows[n]...)
			n++
		}
		if err := s.run(before+" VALUES "+one+strings.Repeat(","+one, n-1)+after, args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}
