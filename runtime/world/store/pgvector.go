package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// maxDims is the maximum number of dimensions of a pgvector vector.
const maxDims = 16_000

// The table of pgvector vectors is created once the extension exists, so no migration script contains it. It derives
// from library_vectors, whose rowid it refers to, and can be rebuilt: a server without the extension lacks no data.
const (
	rowsTable  = "library_rows"
	makeTables = "DROP TABLE IF EXISTS " + rowsTable + "; CREATE TABLE " + rowsTable + " (vectors BIGINT NOT NULL, n INTEGER NOT NULL, v %s.vector NOT NULL, PRIMARY KEY (vectors, n))"
)

// findExtension returns the quoted schema of pgvector, or "" if it is not installed. ready reports whether our table
// exists and is complete: dropping the extension drops one of its columns.
func (p *postgres) findExtension(ctx context.Context, in queried) (schema string, ready bool, err error) {
	err = in.QueryRowContext(ctx, `SELECT quote_ident(n.nspname), EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS s ON s.oid = c.relnamespace
			JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'v' AND NOT a.attisdropped WHERE s.nspname = $1 AND c.relname = '`+rowsTable+`')
		FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`, p.schema).Scan(&schema, &ready)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	return schema, ready, err
}

// ensureExtension creates the extension, if the server has it and this login may, and the table. If the server refuses, that
// is rolled back and searches compare the vectors without it.
func (p *postgres) ensureExtension(tx *shelving) (schema string, err error) {
	schema, ready, err := p.findExtension(tx.ctx, tx.tx)
	if err != nil || ready {
		return schema, err
	}
	if schema == "" {
		var there bool
		if err := tx.tx.QueryRowContext(tx.ctx, "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'vector')").Scan(&there); err != nil || !there {
			return "", err
		}
	}
	if _, err := tx.tx.ExecContext(tx.ctx, "SAVEPOINT extend"); err != nil {
		return "", err
	}
	refused := func() error {
		if err := p.lock(tx.ctx, tx.tx, "vector"); err != nil {
			return err
		}
		if _, err := tx.tx.ExecContext(tx.ctx, "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public"); err != nil {
			return err
		}
		if schema, ready, err = p.findExtension(tx.ctx, tx.tx); err != nil || schema == "" || ready {
			return err
		}
		_, err := tx.tx.ExecContext(tx.ctx, fmt.Sprintf(makeTables, schema))
		return err
	}()
	if refused == nil {
		_, err = tx.tx.ExecContext(tx.ctx, "RELEASE SAVEPOINT extend")
		return schema, err
	}
	if stateOf(refused) == "" { // not an answer of the server
		return "", refused
	}
	_, err = tx.tx.ExecContext(tx.ctx, "ROLLBACK TO SAVEPOINT extend")
	return "", err
}

// storeComparable updates the pgvector table from the vectors of a collection. If contents is
// nil, it also deletes the rows of vectors that no longer exist, in all collections.
func (o *onServerShelf) storeComparable(tx *shelving, contents []string) error {
	schema, err := o.p.ensureExtension(tx)
	if err != nil || schema == "" {
		return err
	}
	if contents == nil {
		if _, err := tx.tx.ExecContext(tx.ctx, "DELETE FROM "+rowsTable+" AS r WHERE NOT EXISTS (SELECT 1 FROM library_vectors AS l WHERE l.rowid = r.vectors)"); err != nil {
			return err
		}
	}
	for {
		some, err := tx.missingVectors(contents)
		if err != nil || len(some) == 0 {
			return err
		}
		var rows [][]any
		for id, r := range some {
			flat := make([]float32, r.Len()*r.Dims)
			r.Into(flat)
			for n := range r.Len() {
				rows = append(rows, []any{id, n, vectorText(flat[n*r.Dims : (n+1)*r.Dims])})
			}
		}
		if err := tx.insertRows(schema, rows); err != nil {
			return err
		}
	}
}

// missingVectors returns some vectors of the collection that the pgvector table lacks.
func (s *shelving) missingVectors(contents []string) (map[int64]vectors.Rows, error) {
	const most = 256
	query, args := "SELECT rowid, rows, dims, data FROM library_vectors AS l WHERE @here AND rows > 0 AND dims <= ? AND NOT EXISTS (SELECT 1 FROM "+rowsTable+
		" AS r WHERE r.vectors = l.rowid)", []any{maxDims}
	if contents != nil {
		list, err := json.Marshal(contents)
		if err != nil {
			return nil, err
		}
		query, args = query+" AND content IN (SELECT value FROM json_each(?))", append(args, string(list))
	}
	rows, err := s.tx.QueryContext(s.ctx, s.b.in.rewriteQuery(query+" ORDER BY rowid LIMIT ?"), s.b.in.arguments(append(args, most))...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[int64]vectors.Rows{}
	for rows.Next() {
		var id int64
		var n int
		var r vectors.Rows
		if err := rows.Scan(&id, &n, &r.Dims, &r.Data); err != nil {
			return nil, err
		}
		if err := r.Check(n); err != nil {
			return nil, err
		}
		out[id] = r
	}
	return out, rows.Err()
}

func (s *shelving) insertRows(schema string, rows [][]any) error {
	for len(rows) > 0 {
		n := min(len(rows), rowsAtOnce)
		var args []any
		for _, row := range rows[:n] {
			args = append(args, row...)
		}
		one := "(?, ?, ?::text::" + schema + ".vector)"
		if _, err := s.tx.ExecContext(s.ctx, numberPlaceholders("INSERT INTO "+rowsTable+" (vectors, n, v) VALUES "+one+strings.Repeat(", "+one, n-1), 1), args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// vectorText formats a vector for pgvector.
func vectorText(v []float32) string {
	out := []byte{'['}
	for i, x := range v {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, float64(x), 'g', -1, 32)
	}
	return string(append(out, ']'))
}

// comparer returns a comparison by pgvector, if it has vectors of the tier. All vectors are normalized, so the inner
// product is the cosine. For a zero vector it is 0, as in memory, while <=> would yield NaN.
func (o *onServerShelf) comparer(ctx context.Context, v *version, tier string) (library.Comparer, error) {
	within, end, err := o.p.enter(ctx, v.b.s, libraryReadTime)
	if err != nil {
		return nil, err
	}
	schema, ready, err := o.p.findExtension(within, v.in)
	if err = end(err); err != nil || !ready {
		return nil, err
	}
	var some bool
	if err := v.b.row(ctx, v.in, `SELECT EXISTS (SELECT 1 FROM library_vectors AS l JOIN `+rowsTable+` AS r ON r.vectors = l.rowid WHERE l.@here AND l.tier = ?)`,
		[]any{tier}, &some); err != nil || !some {
		return nil, err
	}
	return func(ctx context.Context, question []float32, contents []string) (map[string][]float32, error) {
		query := `SELECT l.content, l.rows, string_agg(int4send(r.n) || float4send((-(r.v OPERATOR(` + schema + `.<#>) ?::text::` + schema + `.vector))::float4), ''::bytea)
			FROM library_vectors AS l JOIN ` + rowsTable + ` AS r ON r.vectors = l.rowid WHERE l.@here AND l.tier = ? AND l.dims = ?`
		args := []any{vectorText(question), tier, len(question)}
		if len(contents) > 0 {
			list, err := json.Marshal(contents)
			if err != nil {
				return nil, err
			}
			query, args = query+" AND l.content IN (SELECT value FROM json_each(?))", append(args, string(list))
		}
		out := map[string][]float32{}
		err := v.b.each(ctx, v.in, query+" GROUP BY l.content, l.rows", args, func(row *sql.Rows) error {
			var content string
			var n int
			var pairs sql.RawBytes
			if err := row.Scan(&content, &n, &pairs); err != nil {
				return err
			}
			out[content] = decodeProducts(n, pairs)
			return nil
		})
		return out, err
	}, nil
}

// decodeProducts decodes the products of the passages of a content, or returns nil if they are incomplete.
func decodeProducts(n int, pairs []byte) []float32 {
	if len(pairs) != 8*n {
		return nil
	}
	out := make([]float32, n)
	for ; len(pairs) > 0; pairs = pairs[8:] {
		if at := binary.BigEndian.Uint32(pairs); int64(at) < int64(n) {
			out[at] = math.Float32frombits(binary.BigEndian.Uint32(pairs[4:]))
		}
	}
	return out
}
