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

// OpenLibrary opens a collection at a place that LibraryPath gave, or makes it. A file is not read whole for damage, which
// would cost as much as a search: the index in it has a checksum of its own, and all of it can be made again. Of a database
// server nothing is asked before something is read or written.
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
	there, err := look(path)
	if err == nil && !there {
		if err = create(ctx, path); err == nil {
			_, err = look(path)
		}
	}
	if err != nil {
		return nil, anew(path, explain(path, err))
	}
	sweep(filepath.Dir(path), time.Now())
	s, err := connectUnread(ctx, path)
	if err != nil {
		return nil, anew(path, err)
	}
	return &books{s: s, in: &inFile{}, shown: path, end: s.Close}, nil
}

// anew says of a damaged collection what to do: approvals are not in it.
func anew(place string, err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind == ErrDamaged && !OnServer(e.Path) {
		return fmt.Errorf("collection %s: %w (%v); run: compactor index", place, ErrDamaged, e.Err)
	}
	return err
}

// LibraryPath is where a collection is kept: a file beside the store at a URL, or a part of the database; "" for a store in
// memory. Collections of one name that have other directories are others: id tells them apart.
func LibraryPath(url, name, id string) string {
	if OnServer(url) {
		return collectionURL(url, name+"-"+id)
	}
	return beside(url, "-docs-"+name+"-"+id+".db")
}

// LibraryPaths are the places of all collections of the store at a URL.
func LibraryPaths(ctx context.Context, url string) ([]string, error) {
	if OnServer(url) {
		return collectionURLs(ctx, url)
	}
	pattern := beside(url, "-docs-*.db")
	if pattern == "" {
		return nil, nil
	}
	dir, start := filepath.Dir(pattern), strings.TrimSuffix(filepath.Base(pattern), "*.db")
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil // nothing was kept yet
	}
	var out []string
	for _, e := range list {
		if name := e.Name(); strings.HasPrefix(name, start) && strings.HasSuffix(name, ".db") && e.Type().IsRegular() {
			out = append(out, filepath.Join(dir, name))
		}
	}
	return out, nil
}

// LibraryName is the name and the id of the collection at a place, "" where it shows none.
func LibraryName(place string) string {
	if OnServer(place) {
		_, key, _ := strings.Cut(place, "#")
		return key
	}
	_, key, _ := strings.Cut(filepath.Base(place), "-docs-")
	return strings.TrimSuffix(key, ".db")
}

// HasLibrary reports whether something is kept at a place.
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

// ReadLibrary reads the file of a collection as it lies there, with its journal; of a database server it reads nothing. An
// error says that the system cannot: what seems damaged may then be whole.
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

// RemoveLibrary deletes a collection with all that belongs to it, unless somebody is indexing it.
func RemoveLibrary(ctx context.Context, place string) error {
	if OnServer(place) {
		return removeShelf(ctx, place)
	}
	path, err := filepath.Abs(strings.TrimPrefix(place, "sqlite:"))
	if err != nil {
		return err
	}
	release, err := own(ctx, path)
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

// books is a collection of a store as a shelf of documents.
type books struct {
	s     *Store
	in    among
	shown string // where it is, for messages
	end   func() error
}

// among is what differs between a file, which has one collection, and a database server, whose tables have all of them. A
// query says @here where a row must be of this one, and ? for arguments.
type among interface {
	text(query string) string
	arguments(args []any) []any
	// put is a statement that puts a row in the place of the one of its key, or does then with that. No key is that of a
	// table with one row for each collection.
	put(table, key, columns, then string) string
	// snapshot shows what is there now, until done.
	snapshot(ctx context.Context, s *Store) (in asker, done func(), err error)
	// begin begins a transaction that changes something, the owner's where there is one.
	begin(ctx context.Context, s *Store) (tx *sql.Tx, done func(), err error)
	rowsAtOnce() int
	own(ctx context.Context, b *books) (release func(), err error)
	// owner is who indexes the collection; false for nobody.
	owner(ctx context.Context, b *books) (by writing, is bool, err error)
	// tell says how far the owner is, where that costs little.
	tell(b *books, s library.Step)
	size(ctx context.Context, b *books) (int64, error)
	// spread keeps the vectors of some contents, or of all for nil, beside their bytes in the form in which the database
	// compares them, where it can.
	spread(tx *shelving, contents []string) error
	comparer(ctx context.Context, v *version, tier string) (library.Comparer, error)
}

// octets are text of documents, which a server keeps as bytes: whatever is in them, they stay as they are.
type octets string

// How long one use of a server may take that reads or writes of a collection, which may be large.
const (
	libraryReadTime  = 2 * time.Minute
	libraryWriteTime = 10 * time.Minute
)

// asker is a connection, a transaction or all of them.
type asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (b *books) Close() error { return b.end() }

// explain puts an error into the user's words.
func (b *books) explain(err error) error { return anew(b.shown, b.s.explain(err)) }

// damaged is an error of rows that cannot be what was written.
func (b *books) damaged(what string) error {
	return fmt.Errorf("collection %s: %w: %s; run: compactor index", b.shown, ErrDamaged, what)
}

// each gives the rows of a query one by one. A nil asker is any connection.
func (b *books) each(ctx context.Context, in asker, query string, args []any, do func(*sql.Rows) error) error {
	within, end, err := b.s.dialect.enter(ctx, b.s, libraryReadTime)
	if err != nil {
		return anew(b.shown, err)
	}
	if in == nil {
		in = b.s.db
	}
	var refused error // by who takes the rows
	err = end(func() error {
		rows, err := in.QueryContext(within, b.in.text(query), b.in.arguments(args)...)
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
	return anew(b.shown, err)
}

// row reads one row. Where there is none the error is sql.ErrNoRows.
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

// change runs a function in one transaction: all of it is kept, or nothing.
func (b *books) change(ctx context.Context, do func(*shelving) error) error {
	within, end, err := b.s.dialect.enter(ctx, b.s, libraryWriteTime)
	if err != nil {
		return anew(b.shown, err)
	}
	for range repeatedly {
		if err = b.once(within, do); err == nil || !b.s.dialect.repeats(err) {
			break
		}
	}
	return anew(b.shown, end(err))
}

func (b *books) once(ctx context.Context, do func(*shelving) error) error {
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
	_, err := s.tx.ExecContext(s.ctx, s.b.in.text(query), s.b.in.arguments(args)...)
	return err
}

// most bytes of rows of one statement.
const bytesAtOnce = 4 << 20

// runAll runs a statement of put for each of some rows. A server takes several with one: over a network most of what a
// row costs is the way. No two of them may have the same key.
func (s *shelving) runAll(query string, rows [][]any) error {
	if most := s.b.in.rowsAtOnce(); most > 1 {
		return s.runMany(query, rows, most)
	}
	put, err := s.tx.PrepareContext(s.ctx, s.b.in.text(query))
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
