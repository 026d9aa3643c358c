package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Parsing of the PostgreSQL scripts: a table begins and ends on separate lines, and has one column per line.
var (
	madeTable  = lazyregexp.New(`(?ms)^CREATE TABLE (\w+) \(\n(.*?)^\);`)
	madeColumn = lazyregexp.New(`(?m)^\t([a-z_]+) +[A-Z]`)
)

// serverTables returns our tables on a server, with their columns.
var serverTables = sync.OnceValues(func() (map[string][]string, error) {
	entries, err := postgresMigrations.ReadDir("migrations/postgres")
	if err != nil {
		return nil, err
	}
	out := map[string][]string{"compactor_schema": {"version"}}
	for _, entry := range entries {
		script, err := postgresMigrations.ReadFile("migrations/postgres/" + entry.Name())
		if err != nil {
			return nil, err
		}
		for _, table := range madeTable.FindAllStringSubmatch(string(script), -1) {
			for _, column := range madeColumn.FindAllStringSubmatch(table[2], -1) {
				out[table[1]] = append(out[table[1]], column[1])
			}
		}
	}
	return out, nil
})

// checkTables reports missing tables and columns. It does not read rows: there may be many,
// and page checksums are the server's own concern.
func (p *postgres) checkTables(ctx context.Context, s *Store) error {
	want, err := serverTables()
	if err != nil {
		return err
	}
	rows, err := s.db.QueryContext(ctx, "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = $1", p.schema)
	if err != nil {
		return err
	}
	defer rows.Close()
	there := map[string]bool{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return err
		}
		there[table+"."+column] = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	var missing []string
	for _, table := range slices.Sorted(maps.Keys(want)) {
		for _, column := range want[table] {
			if !there[table+"."+column] {
				missing = append(missing, table+"."+column)
			}
		}
	}
	if len(missing) > 0 {
		return &Error{s.path, ErrDamaged, fmt.Errorf("schema %s lacks %s, or this login may not see it", p.schema, strings.Join(missing[:min(len(missing), 3)], ", "))}
	}
	return nil
}

// maxDamaged limits the number of schemas for damaged tables.
const maxDamaged = 1000

// renewServer implements Renew for a database server. In one transaction it moves our
// tables to another schema and creates new ones; tables of other programs stay.
func renewServer(ctx context.Context, url string) (s *Store, moved string, err error) {
	s, err = Open(ctx, url)
	if !errors.Is(err, ErrDamaged) {
		return s, "", err
	}
	at, err := parseAddress(url)
	if err != nil {
		return nil, "", err
	}
	p, old := at.newStore()
	within, cancel := context.WithTimeout(ctx, readTime)
	err = p.moveAside(within, old, &moved)
	cancel()
	_ = old.db.Close()
	if err != nil {
		return nil, "", p.explain(old.path, p.explainLate(ctx, err))
	}
	s, err = Open(ctx, url)
	return s, moved, err
}

func (p *postgres) moveAside(ctx context.Context, s *Store, moved *string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := p.lock(ctx, tx, "schema"); err != nil {
		return err
	}
	target, err := p.freeSchema(ctx, tx)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "CREATE SCHEMA "+target); err != nil {
		return err
	}
	tables, err := serverTables()
	if err != nil {
		return err
	}
	for _, table := range append(slices.Sorted(maps.Keys(tables)), rowsTable) {
		if _, err := tx.ExecContext(ctx, "ALTER TABLE IF EXISTS "+p.schema+"."+table+" SET SCHEMA "+target); err != nil {
			return err
		}
	}
	scripts, err := fs.Glob(postgresMigrations, "migrations/postgres/*.sql")
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, schemaTable); err != nil {
		return err
	}
	if err := p.runScripts(ctx, tx, scripts, 0); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	*moved = "schema " + target
	return nil
}

// freeSchema returns the first unused name of SCHEMA_damaged_1, SCHEMA_damaged_2 and so on.
func (p *postgres) freeSchema(ctx context.Context, tx *sql.Tx) (string, error) {
	base := p.schema[:min(len(p.schema), 48)] // a name has at most 63 characters
	for n := 1; n <= maxDamaged; n++ {
		name, there := fmt.Sprintf("%s_damaged_%d", base, n), false
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)", name).Scan(&there); err != nil || !there {
			return name, err
		}
	}
	return "", fmt.Errorf("there are %d damaged schemas beside %s; drop some", maxDamaged, p.schema)
}
