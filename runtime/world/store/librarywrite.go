package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// Own makes the caller the only writer.
func (b *books) Own(ctx context.Context) (release func(), err error) {
	release, err = b.in.lockOwner(ctx, b)
	if err != nil && !errors.Is(err, library.ErrOwned) {
		err = b.explain(err)
	}
	return release, err
}

// Begin records the origin of a collection, unless it is recorded already.
func (b *books) Begin(ctx context.Context, o library.Origin) error {
	var there int
	err := b.row(ctx, nil, "SELECT 1 FROM library WHERE @here", nil, &there)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	origin, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return b.change(ctx, func(tx *shelving) error {
		return tx.run(b.in.putStatement("library", "", "version, published, passages, origin", "NOTHING"), "", 0, 0, octets(origin))
	})
}

// Keep stores contents and jobs in one transaction.
func (b *books) Keep(ctx context.Context, contents []library.Content, jobs []library.Job) error {
	rows := rowsOf[string]{}
	for _, c := range contents {
		chunks, err := json.Marshal(c.Chunks)
		if err != nil {
			return err
		}
		rows.put(c.Hash, c.Hash, octets(c.Title), c.Kind, octets(c.Note), octets(c.Text), octets(c.Tags), octets(chunks))
	}
	return b.change(ctx, func(tx *shelving) error {
		if err := tx.runAll(b.in.putStatement("library_contents", "hash", "hash, title, kind, note, text, tags, chunks", ""), rows.list); err != nil {
			return err
		}
		return tx.putJobs(jobs)
	})
}

// rowsOf collects rows with distinct keys; a later row replaces an earlier one.
type rowsOf[K comparable] struct {
	list [][]any
	at   map[K]int
}

func (r *rowsOf[K]) put(key K, row ...any) {
	if r.at == nil {
		r.at = map[K]int{}
	}
	if i, there := r.at[key]; there {
		r.list[i] = row
		return
	}
	r.at[key] = len(r.list)
	r.list = append(r.list, row)
}

func (s *shelving) putJobs(jobs []library.Job) error {
	rows := rowsOf[string]{}
	for _, j := range jobs {
		rows.put(j.Key, j.Key, hashOf(j.Key), j.Stage, octets(j.URI), j.State, j.Attempts, octets(j.Error), toMillis(j.Ended), j.Took.Microseconds())
	}
	return s.runAll(s.b.in.putStatement("library_jobs", "key", "key, hash, stage, uri, state, attempts, error, ended, took", `UPDATE SET uri = excluded.uri, state = excluded.state,
		attempts = library_jobs.attempts + 1, error = excluded.error, ended = excluded.ended, took = excluded.took`), rows.list)
}

// hashOf returns the hash in the key of a job.
func hashOf(key string) string {
	parts := strings.Split(key, ":")
	return parts[min(1, len(parts)-1)]
}

// KeepSegment writes a segment in a separate transaction. If the version has a segment
// of that name, that stays part of it: readers skip segments that are not live.
func (b *books) KeepSegment(ctx context.Context, x library.Segment, parts []library.Part) error {
	return b.change(ctx, func(tx *shelving) error {
		x.Live = 0
		if err := tx.putSegment(x, "UPDATE SET groups = excluded.groups, passages = excluded.passages, bytes = excluded.bytes"); err != nil {
			return err
		}
		return tx.putParts(parts)
	})
}

func (s *shelving) putSegment(x library.Segment, then string) error {
	return s.run(s.b.in.putStatement("library_segments", "name", "name, groups, passages, live, bytes, space, made", then),
		x.Name, x.Groups, x.Passages, x.Live, x.Bytes, x.Space, toMillis(x.Made))
}

// Publish writes a version in one transaction.
func (b *books) Publish(ctx context.Context, v library.Version, o library.Origin) error {
	origin, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return b.change(ctx, func(tx *shelving) error {
		if err := tx.putDocuments(v); err != nil {
			return err
		}
		if err := tx.run(b.in.putStatement("library", "", "version, published, passages, origin", `UPDATE SET
			published = CASE WHEN library.version = excluded.version THEN library.published ELSE excluded.published END,
			version = excluded.version, passages = excluded.passages, origin = excluded.origin`), v.Name, toMillis(v.At), v.Passages, octets(origin)); err != nil {
			return err
		}
		if err := tx.putIndex(v); err != nil {
			return err
		}
		return tx.letGo(v)
	})
}

// putDocuments writes the changed documents and deletes the removed ones.
func (s *shelving) putDocuments(v library.Version) error {
	for _, uri := range v.Gone {
		if err := s.run("DELETE FROM library_documents WHERE @here AND uri = ?", octets(uri)); err != nil {
			return err
		}
	}
	rows := rowsOf[string]{}
	for _, d := range v.Put {
		rows.put(d.URI, octets(d.URI), d.ID, d.Content, d.Version, octets(d.Title), d.Kind, octets(d.Note), d.Size, toMillis(d.Modified), d.Stamp, d.Chunks, octets(d.Tags))
	}
	return s.runAll(s.b.in.putStatement("library_documents", "uri", "uri, id, content, version, title, kind, note, size, modified, stamp, chunks, tags", ""), rows.list)
}

// putIndex writes a version's segments and its space, and deletes segments that are not part of it.
func (s *shelving) putIndex(v library.Version) error {
	names := []string{""}
	for _, x := range v.Segments {
		if err := s.putSegment(x, "UPDATE SET groups = excluded.groups, passages = excluded.passages, live = excluded.live, bytes = excluded.bytes, space = excluded.space"); err != nil {
			return err
		}
		names = append(names, x.Name)
	}
	stay, err := json.Marshal(names)
	if err != nil {
		return err
	}
	for _, query := range []string{
		"DELETE FROM library_segments WHERE @here AND name NOT IN (SELECT value FROM json_each(?))",
		"DELETE FROM library_parts WHERE @here AND segment NOT IN (SELECT value FROM json_each(?))",
	} {
		if err := s.run(query, string(stay)); err != nil {
			return err
		}
	}
	if err := s.run(s.b.in.putStatement("library_space", "", "name, passages, changed, learnt", ""), v.Space.Name, v.Space.Passages, v.Space.Changed, toMillis(v.Space.Learnt)); err != nil {
		return err
	}
	return s.putParts(v.Parts)
}

// pieceSize is the size of the piece of a part in one row, in bytes.
const pieceSize = 1 << 20

// putParts writes parts and replaces previous ones.
func (s *shelving) putParts(parts []library.Part) error {
	for _, p := range parts {
		if err := s.run("DELETE FROM library_parts WHERE @here AND segment = ? AND part = ?", p.Segment, p.Name); err != nil {
			return err
		}
		rows := rowsOf[int]{}
		for piece := range slices.Chunk(p.Data, pieceSize) {
			n := len(rows.list)
			rows.put(n, p.Segment, p.Name, n, piece)
		}
		if err := s.runAll(s.b.in.putStatement("library_parts", "segment, part, piece", "segment, part, piece, data", ""), rows.list); err != nil {
			return err
		}
	}
	return nil
}

// letGo deletes contents without documents, and their jobs.
func (s *shelving) letGo(v library.Version) error {
	if err := s.run("DELETE FROM library_contents WHERE @here AND hash NOT IN (SELECT content FROM library_documents WHERE @here)"); err != nil {
		return err
	}
	if err := s.letVectorsGo(v.Tiers); err != nil {
		return err
	}
	failing, err := json.Marshal(append([]string{}, v.Failing...)) // null instead of [] would make both IN and NOT IN false
	if err != nil {
		return err
	}
	if err := s.run(`DELETE FROM library_jobs WHERE @here AND hash <> ? AND (state <> ? OR hash NOT IN (SELECT value FROM json_each(?)))
		AND hash NOT IN (SELECT hash FROM library_contents WHERE @here)`, v.Name, library.Failed, string(failing)); err != nil {
		return err
	}
	return s.putJobs(v.Jobs)
}
