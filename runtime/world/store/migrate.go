package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Moved counts the copied rows of one table.
type Moved struct {
	Table   string `json:"table"`
	Read    int    `json:"read"`
	Written int    `json:"written"`
	There   int    `json:"there"` // existed already, and were left unchanged
}

// table is a table that is copied. Rows are identified by the key of the target table.
type table struct {
	name    string
	columns string
	file    func(url string) string // returns the file that has the table, of a store in files
}

func mainFile(url string) string { return url }

// moving lists the tables in the order in which they are copied.
var moving = []table{
	{"pins", "server, tool, hash, state, seen, decided, definition, offered, offered_hash, sum", mainFile},
	{"catalogs", "server, key, fetched, body", mainFile},
	{"uses", "profile, server, tool, count, failed, last", mainFile},
	{"notes", "id, account, client, collection, home, uri, version, title, section, start, stop, quote, note, tags, at", mainFile},
	{"usage_salts", "salt", UsagePath},
	{"usage_runs", "id, started, written, ended, told, batch, process", UsagePath},
	{"usage_catalogs", "id, tools", UsagePath},
	{"usage_sessions", "id, run, profile, client, version, era, started, ended, offered, catalog, shown, batch", UsagePath},
	{"usage_calls", "session, number, server, tool, arguments, at, elapsed, ok, hidden, batch", UsagePath},
	{"usage_marks", "profile, client, tool, relevant, at", UsagePath},
	{"sessions", "id, last, find, body", TimelinePath},
	{"spans", "session, started, id, find, original, given, body", TimelinePath},
}

// rowsAtOnce is the number of rows per statement: most of a row's cost is the statement around it.
const rowsAtOnce = 64

// moveTime is the time limit of a migration.
const moveTime = 2 * time.Hour

// errDry ends the transaction of a dry run.
var errDry = errors.New("only tried")

// Migrate copies a store in files to a database server, in one transaction: it copies everything or nothing. Existing
// rows stay unchanged, so it can run again to copy later additions. A dry run changes nothing; if the server does not
// have our tables, it only connects. progress is called for each table.
func Migrate(ctx context.Context, from, to string, dry bool, progress func(Moved)) error {
	if OnServer(from) || !OnServer(to) {
		return errors.New("what is copied is a store in files, and it is copied to a database server: postgres://user:${NAME}@host/database")
	}
	if !Exists(Shown(from)) {
		return fmt.Errorf("there is no file %s, so nothing to copy", Shown(from))
	}
	sources, end, err := openSources(ctx, from)
	if err != nil {
		return err
	}
	defer end()
	if dry {
		ready, err := isReady(ctx, to)
		if err != nil {
			return err
		}
		if !ready {
			return countAll(ctx, from, sources, progress)
		}
	}
	target, err := Open(ctx, to)
	if err != nil {
		return err
	}
	defer target.Close()
	within, done, err := target.dialect.enter(ctx, target, moveTime)
	if err != nil {
		return err
	}
	err = done(target.tryOnce(within, func(tx *transaction) error {
		for _, name := range []string{"pins", "salts", "usage", "timeline"} {
			if err := tx.lockNamed(name); err != nil {
				return err
			}
		}
		for _, t := range moving {
			source := sources[t.file(from)]
			if source == nil {
				continue
			}
			m, err := t.moveRows(within, source, tx)
			if err != nil {
				return fmt.Errorf("%s: %w; nothing was copied", t.name, err)
			}
			progress(m)
		}
		if dry {
			return errDry
		}
		return nil
	}))
	if errors.Is(err, errDry) {
		return nil
	}
	return err
}

// openSources opens the existing files, by path.
func openSources(ctx context.Context, from string) (map[string]*Store, func(), error) {
	sources := map[string]*Store{}
	end := func() {
		for _, s := range sources {
			_ = s.Close()
		}
	}
	for _, path := range []string{from, UsagePath(from), TimelinePath(from)} {
		if !Exists(Shown(path)) {
			continue
		}
		s, err := Open(ctx, path)
		if err != nil {
			end()
			return nil, nil, err
		}
		sources[path] = s
	}
	return sources, end, nil
}

// countAll reports what would be copied to an empty server.
func countAll(ctx context.Context, from string, sources map[string]*Store, progress func(Moved)) error {
	for _, t := range moving {
		source := sources[t.file(from)]
		if source == nil {
			continue
		}
		m := Moved{Table: t.name}
		if err := source.row(ctx, "SELECT count(*) FROM "+t.name, nil, &m.Read); err != nil {
			return err
		}
		m.Written = m.Read
		progress(m)
	}
	return nil
}

// moveRows copies one table, and compares the number of rows afterwards with the expected one.
func (t table) moveRows(ctx context.Context, from *Store, to *transaction) (m Moved, err error) {
	m.Table = t.name
	before, err := t.count(ctx, to)
	if err != nil || t.name == "usage_salts" && before > 0 { // digests made with another salt stay, and never equal new ones
		m.There = before
		return m, err
	}
	var rows [][]any
	var refused error // by the target: must not be reported as an error of the source
	give := func() error {
		if len(rows) == 0 {
			return nil
		}
		n := 0
		n, refused = t.insert(ctx, to, rows)
		m.Written += n
		rows = rows[:0]
		return refused
	}
	err = from.each(ctx, "SELECT "+t.columns+" FROM "+t.name, nil, func(row *sql.Rows) error {
		values, into := t.scanRow()
		if err := row.Scan(into...); err != nil {
			return err
		}
		m.Read++
		if rows = append(rows, values()); len(rows) == rowsAtOnce {
			return give()
		}
		return nil
	})
	if err == nil {
		err = give()
	}
	if err = cmp.Or(refused, err); err != nil {
		return m, err
	}
	m.There = m.Read - m.Written
	after, err := t.count(ctx, to)
	if err == nil && after != before+m.Written {
		err = fmt.Errorf("%d rows are there, and there should be %d", after, before+m.Written)
	}
	return m, err
}

func (t table) count(ctx context.Context, tx *transaction) (n int, err error) {
	return n, tx.QueryRowContext(ctx, "SELECT count(*) FROM "+t.name).Scan(&n)
}

// scanRow returns scan destinations for one row, and a function that returns the converted values after the scan.
func (t table) scanRow() (values func() []any, into []any) {
	columns := strings.Split(t.columns, ", ")
	raw := make([]any, len(columns))
	for i := range raw {
		into = append(into, &raw[i])
	}
	return func() []any {
		for i, name := range columns {
			n, _ := raw[i].(int64)
			data, is := raw[i].([]byte)
			switch {
			case name == "ok" || name == "hidden" || name == "relevant":
				raw[i] = n != 0
			case raw[i] == nil || is && data == nil: // an empty value: our columns are never NULL
				raw[i] = []byte{}
			}
		}
		return raw
	}, into
}

func (t table) insert(ctx context.Context, tx *transaction, rows [][]any) (int, error) {
	one := "(" + strings.Repeat("?,", strings.Count(t.columns, ",")) + "?)"
	done, err := tx.ExecContext(ctx, "INSERT INTO "+t.name+" ("+t.columns+") VALUES "+one+strings.Repeat(","+one, len(rows)-1)+" ON CONFLICT DO NOTHING", slices.Concat(rows...)...)
	if err != nil {
		return 0, err
	}
	n, err := done.RowsAffected()
	return int(n), err
}
