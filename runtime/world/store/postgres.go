package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib" // PostgreSQL in Go, by way of database/sql
)

// postgresMigrations are the migrations for PostgreSQL, by the same rules.
//
//go:embed migrations/postgres/*.sql
var postgresMigrations embed.FS

// Limits for the connections of one store. The server's connections are few and shared.
const (
	maxConnections  = 4
	idleConnections = 2
	idleTime        = time.Minute
)

// postgres is the dialect of PostgreSQL.
type postgres struct {
	schema string
	gate   gate
	slots  chan struct{} // one element per connection in use; nil if only the pool limits them

	preparing sync.Mutex
	prepared  bool
}

func openPostgres(ctx context.Context, place string, later bool) (*Store, error) {
	at, err := parseAddress("postgres:" + place)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", Shown("postgres:"+place), err)
	}
	p, s := at.newStore()
	p.slots = make(chan struct{}, maxConnections)
	_, end, err := p.enter(ctx, s, changeTime)
	if err == nil {
		err = end(nil)
	}
	if err != nil && !later {
		s.db.Close()
		return nil, err
	}
	return s, nil
}

// newStore returns a store that has not connected yet.
func (at address) newStore() (*postgres, *Store) {
	p := &postgres{schema: at.schema}
	db := sql.OpenDB(stdlib.GetConnector(*at.config, stdlib.OptionAfterConnect(p.settleConnection)))
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(idleConnections)
	db.SetConnMaxIdleTime(idleTime)
	return p, &Store{db: db, path: at.shown, dialect: p, now: time.Now}
}

// isReady reports whether a server has our tables in this version. It creates none.
func isReady(ctx context.Context, url string) (bool, error) {
	at, err := parseAddress(url)
	if err != nil {
		return false, fmt.Errorf("store %s: %w", Shown(url), err)
	}
	p, s := at.newStore()
	defer s.db.Close()
	scripts, err := fs.Glob(postgresMigrations, "migrations/postgres/*.sql")
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, changeTime)
	defer cancel()
	version, err := p.schemaVersion(ctx, s.db)
	return err == nil && version == len(scripts), s.explain(p.explainLate(ctx, err))
}

// settleConnection initializes a new connection: table names without a schema refer to ours. It
// runs a statement instead of passing startup parameters, which some poolers reject.
func (p *postgres) settleConnection(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SET search_path TO "+p.schema+"; SET lock_timeout TO '"+lockTime+"'; SET client_min_messages TO warning")
	return err
}

// enter begins a use with a time limit. A server that was away a moment ago is not
// tried again yet, so that tool calls do not wait for it.
func (p *postgres) enter(ctx context.Context, s *Store, limit time.Duration) (context.Context, func(error) error, error) {
	answered, err := p.gate.checkOpen(time.Now()) // before waiting for a slot: a slot that becomes free shows that the server answers
	if err != nil {
		return nil, nil, err
	}
	free, err := p.takeSlot(ctx, limit)
	if err != nil {
		if isLate(ctx, err) {
			if err = errCrowd; ctx.Err() == nil && p.gate.isSilent(answered) {
				err = fmt.Errorf("%w: no connection came free", errAway)
			}
		}
		err = p.explain(s.path, err)
		p.gate.fail(time.Now(), err)
		return nil, nil, err
	}
	if err := p.gate.admitUse(time.Now()); err != nil {
		free()
		return nil, nil, err
	}
	within, cancel := context.WithTimeout(ctx, limit)
	end := func(err error) error {
		defer free()
		defer cancel()
		if isLate(ctx, err) && !p.gate.isSilent(answered) {
			err = errSlow
		}
		err = p.explain(s.path, p.explainLate(ctx, err))
		p.gate.leave(time.Now(), err)
		return err
	}
	if err := p.prepare(within, s); err != nil {
		return nil, nil, end(err)
	}
	return within, end, nil
}

// takeSlot waits for one of our connections. This time is separate from the server's
// time limit: many callers of our own must not look like a server that is away.
func (p *postgres) takeSlot(ctx context.Context, limit time.Duration) (free func(), err error) {
	if p.slots == nil {
		return func() {}, nil
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if within.Err() == nil {
		select {
		case p.slots <- struct{}{}:
			return func() { <-p.slots }, nil
		case <-within.Done():
		}
	}
	return nil, within.Err()
}

// isLate reports whether err is a timeout, and not caused by a caller that has gone.
func isLate(ctx context.Context, err error) bool {
	return errors.Is(err, context.DeadlineExceeded) && !errors.Is(ctx.Err(), context.Canceled)
}

// explainLate turns a timeout into the error for a silent server.
func (p *postgres) explainLate(ctx context.Context, err error) error {
	if isLate(ctx, err) {
		return fmt.Errorf("%w: no answer in time", errAway)
	}
	return err
}

func (p *postgres) begin(ctx context.Context, db *sql.DB) (*sql.Tx, error) {
	return db.BeginTx(ctx, nil)
}

// texts caches the queries translated for PostgreSQL. Their number is bounded by the queries in the code.
var texts sync.Map

func (p *postgres) translateQuery(query string) string {
	if known, ok := texts.Load(query); ok {
		return known.(string)
	}
	text := numberPlaceholders(strings.ReplaceAll(query, "instr(", "strpos("), 1)
	texts.Store(query, text)
	return text
}

// numberPlaceholders replaces the ? of a query by numbered placeholders, beginning with first.
func numberPlaceholders(query string, first int) string {
	var b strings.Builder
	n := first - 1
	for part := range strings.SplitSeq(query, "?") {
		if n >= first {
			b.WriteString("$" + strconv.Itoa(n))
		}
		b.WriteString(part)
		n++
	}
	return b.String()
}

// argument converts an argument: text in PostgreSQL must not contain NUL bytes or
// invalid UTF-8. The names that identify records never do.
func (p *postgres) argument(v any) any {
	if text, ok := v.(string); ok {
		return plainText(text)
	}
	return v
}

// plainText replaces NUL bytes and invalid UTF-8 by U+FFFD.
func plainText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

func (p *postgres) clock() string { return "(extract(epoch FROM now()) * 1000)::bigint" }

func (p *postgres) scrub(context.Context, *Store) error { return nil }

func (p *postgres) lockNamed(tx *transaction, name string) error { return p.lock(tx.ctx, tx.Tx, name) }

// lock takes an advisory lock until the transaction ends.
func (p *postgres) lock(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "compactor "+p.schema+" "+name)
	return err
}

// rememberBatches is how long the ids of written batches are kept, in seconds.
const rememberBatches = 7 * 24 * 3600

func (p *postgres) upsertSuffix(key string, columns ...string) string {
	for i, c := range columns {
		columns[i] = c + " = excluded." + c
	}
	return " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(columns, ", ")
}

func (p *postgres) isFirst(tx *transaction, id string) (bool, error) {
	const now = "extract(epoch FROM now())::bigint"
	if _, err := tx.Tx.ExecContext(tx.ctx, "DELETE FROM batches WHERE at < "+now+" - $1", rememberBatches); err != nil {
		return false, err
	}
	done, err := tx.Tx.ExecContext(tx.ctx, "INSERT INTO batches (id, at) VALUES ($1, "+now+") ON CONFLICT DO NOTHING", id)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

// size returns the size of the rows of tables: the disk space of a table does not shrink when rows are deleted.
func (p *postgres) size(ctx context.Context, s *Store, tables ...string) (all int64) {
	for _, table := range tables {
		var n int64
		if s.row(ctx, "SELECT coalesce(sum(pg_column_size(t.*)), 0)::bigint FROM "+table+" AS t", nil, &n) != nil {
			return 0
		}
		all += n
	}
	return all
}

// prepare migrates the schema to this version, once per store.
func (p *postgres) prepare(ctx context.Context, s *Store) error {
	p.preparing.Lock()
	defer p.preparing.Unlock()
	if p.prepared {
		return nil
	}
	scripts, err := fs.Glob(postgresMigrations, "migrations/postgres/*.sql")
	if err != nil {
		return err
	}
	version, err := p.schemaVersion(ctx, s.db)
	switch {
	case err != nil:
		return err
	case version > len(scripts):
		return &Error{s.path, ErrNewer, fmt.Errorf("schema %d; this one knows %d", version, len(scripts))}
	case version < len(scripts):
		err = p.migrateSchema(ctx, s, scripts)
	default:
		err = p.checkTables(ctx, s)
	}
	if err != nil {
		return err
	}
	p.prepared = true
	return nil
}

// queried is a database or a transaction.
type queried interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// schemaVersion returns the number of migration scripts that were run, 0 for a new schema. It queries the catalog tables:
// functions such as to_regclass use a cache, which may miss what another process has just created.
func (p *postgres) schemaVersion(ctx context.Context, in queried) (version int, err error) {
	var there bool
	if err := in.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'compactor_schema')",
		p.schema).Scan(&there); err != nil || !there {
		return 0, err
	}
	err = in.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM compactor_schema").Scan(&version)
	return version, err
}

// migrateSchema runs the missing scripts in one transaction. If several processes start at
// once, one of them does it, and the others find it done.
func (p *postgres) migrateSchema(ctx context.Context, s *Store, scripts []string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := p.lock(ctx, tx, "schema"); err != nil {
		return err
	}
	version, err := p.schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	if version == 0 {
		if err := p.createSchema(ctx, tx, s.path); err != nil {
			return err
		}
	}
	if err := p.runScripts(ctx, tx, scripts, version); err != nil {
		return err
	}
	return tx.Commit()
}

// schemaTable has one row per migration script that was run.
const schemaTable = "CREATE TABLE compactor_schema (version INTEGER NOT NULL PRIMARY KEY)"

// runScripts runs the scripts after a version.
func (p *postgres) runScripts(ctx context.Context, tx *sql.Tx, scripts []string, version int) error {
	for ; version < len(scripts); version++ {
		script, err := postgresMigrations.ReadFile(scripts[version])
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("%s: %w", scripts[version], err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO compactor_schema (version) VALUES ($1)", version+1); err != nil {
			return err
		}
	}
	return nil
}

// createSchema creates the schema, and rejects one that contains tables of another program.
func (p *postgres) createSchema(ctx context.Context, tx *sql.Tx, path string) error {
	var there bool
	var tables int
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1),
		(SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'v', 'm', 'p', 'f'))`,
		p.schema).Scan(&there, &tables); err != nil {
		return err
	}
	if tables > 0 {
		return &Error{path, ErrForeign, fmt.Errorf("schema %s has %d tables and not compactor_schema", p.schema, tables)}
	}
	if !there {
		if _, err := tx.ExecContext(ctx, "CREATE SCHEMA "+p.schema); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, schemaTable)
	return err
}
