package store

import (
	"context"
	"database/sql"
	"os"
	"strings"
	"sync/atomic"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// inFile is a collection in a file of its own.
type inFile struct {
	owned atomic.Pointer[os.File] // the file with the owner's PID and progress, while this process is the owner
}

func (*inFile) rewriteQuery(query string) string { return strings.ReplaceAll(query, "@here", "TRUE") }

func (*inFile) arguments(args []any) []any {
	out := make([]any, len(args))
	for i, v := range args {
		if text, ok := v.(octets); ok {
			v = string(text)
		}
		out[i] = v
	}
	return out
}

func (*inFile) putStatement(table, key, columns, then string) string {
	values := strings.Repeat(", ?", strings.Count(columns, ",")+1)[2:]
	if key == "" { // a table with one row
		key, columns, values = "one", "one, "+columns, "1, "+values
	}
	text := " INTO " + table + " (" + columns + ") VALUES (" + values + ")"
	if then == "" {
		return "INSERT OR REPLACE" + text
	}
	return "INSERT" + text + " ON CONFLICT (" + key + ") DO " + then
}

// snapshot reads in one transaction, which sees a single version even if others are published meanwhile.
func (*inFile) snapshot(ctx context.Context, s *Store) (asker, func(), error) {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		conn.Close()
		return nil, nil, err
	}
	return conn, func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		conn.Close()
	}, nil
}

func (*inFile) begin(ctx context.Context, s *Store) (*sql.Tx, func(), error) {
	tx, err := s.dialect.begin(ctx, s.db)
	return tx, func() {}, err
}

func (*inFile) rowsAtOnce() int { return 1 }

func (*inFile) size(ctx context.Context, b *books) (int64, error) {
	return b.s.dialect.size(ctx, b.s), nil
}

func (*inFile) storeComparable(*shelving, []string) error { return nil }

func (*inFile) comparer(context.Context, *version, string) (library.Comparer, error) { return nil, nil }
