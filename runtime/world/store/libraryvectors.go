package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/vectors"
)

// Vectored returns the contents that have vectors of a tier.
func (b *books) Vectored(ctx context.Context, tier string) (map[string]bool, error) {
	return b.nameSet(ctx, "SELECT content FROM library_vectors WHERE @here AND tier = ?", tier)
}

// KeepVectors stores the vectors of some contents in one transaction.
func (b *books) KeepVectors(ctx context.Context, tier string, of map[string]vectors.Rows) error {
	rows := rowsOf[string]{}
	for content, r := range of {
		rows.put(content, tier, content, r.Len(), r.Dims, r.Data)
	}
	return b.change(ctx, func(tx *shelving) error {
		if err := tx.runAll(b.in.putStatement("library_vectors", "tier, content", "tier, content, rows, dims, data", ""), rows.list); err != nil {
			return err
		}
		return b.in.storeComparable(tx, slices.Sorted(maps.Keys(of)))
	})
}

// Vectors returns the vectors of a tier by content; without contents, all of them.
func (v *version) Vectors(ctx context.Context, tier string, contents ...string) (map[string]vectors.Rows, error) {
	out := map[string]vectors.Rows{}
	query, args := "SELECT content, rows, dims, data FROM library_vectors WHERE @here AND tier = ?", []any{tier}
	if len(contents) > 0 {
		list, err := json.Marshal(contents)
		if err != nil {
			return nil, err
		}
		query, args = query+" AND content IN (SELECT value FROM json_each(?))", append(args, string(list))
	}
	err := v.b.each(ctx, v.in, query, args, func(row *sql.Rows) error {
		var content string
		var n int
		var r vectors.Rows
		if err := row.Scan(&content, &n, &r.Dims, &r.Data); err != nil {
			return err
		}
		out[content] = r
		return r.Check(n)
	})
	return out, err
}

// VectorMark returns a text that changes when vectors of a tier are added or removed.
func (v *version) VectorMark(ctx context.Context, tier string) (string, error) {
	var n, last int64
	err := v.b.row(ctx, v.in, "SELECT count(*), coalesce(max(rowid), 0) FROM library_vectors WHERE @here AND tier = ?", []any{tier}, &n, &last)
	return fmt.Sprint(n, "-", last), err
}

// Comparer returns the database's own vector comparison for a tier, or nil if it has none.
func (v *version) Comparer(ctx context.Context, tier string) (library.Comparer, error) {
	return v.b.in.comparer(ctx, v, tier)
}

// letVectorsGo deletes the vectors of contents that are no longer stored and of tiers that are no longer configured.
// An empty list keeps all tiers: a run that may use no model must not delete what a model has computed.
func (s *shelving) letVectorsGo(tiers []string) error {
	err := s.run("DELETE FROM library_vectors WHERE @here AND content NOT IN (SELECT hash FROM library_contents WHERE @here)")
	if err == nil && len(tiers) > 0 {
		var list []byte
		if list, err = json.Marshal(tiers); err == nil {
			err = s.run("DELETE FROM library_vectors WHERE @here AND tier NOT IN (SELECT value FROM json_each(?))", string(list))
		}
	}
	if err != nil {
		return err
	}
	return s.b.in.storeComparable(s, nil)
}
