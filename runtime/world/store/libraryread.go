package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// View reads in one transaction, which sees a single version even if others are published meanwhile.
func (b *books) View(ctx context.Context, see func(library.View) error) error {
	_, end, err := b.s.dialect.enter(ctx, b.s, libraryReadTime)
	if err != nil {
		return withReindexHint(b.shown, err)
	}
	in, done, err := b.in.snapshot(ctx, b.s)
	if err = end(err); err != nil {
		return withReindexHint(b.shown, err)
	}
	defer done()
	v := &version{b: b, in: in}
	err = b.row(ctx, in, "SELECT version FROM library WHERE @here", nil, &v.name)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return see(v)
}

// version is a view of the published version.
type version struct {
	b    *books
	in   asker
	name string
}

func (v *version) Version() string { return v.name }

func (v *version) Documents(ctx context.Context) (out []library.Document, err error) {
	err = v.b.each(ctx, v.in, "SELECT uri, id, content, version, title, kind, note, size, modified, stamp, chunks, tags FROM library_documents WHERE @here ORDER BY uri", nil,
		func(row *sql.Rows) error {
			var d library.Document
			var modified int64
			err := row.Scan(&d.URI, &d.ID, &d.Content, &d.Version, &d.Title, &d.Kind, &d.Note, &d.Size, &modified, &d.Stamp, &d.Chunks, &d.Tags)
			d.Modified = fromMillis(modified)
			out = append(out, d)
			return err
		})
	return out, err
}

func (v *version) Segments(ctx context.Context, all bool) ([]library.Segment, error) {
	return v.b.segments(ctx, v.in, all)
}

// segments lists the segments of the version, or all segments, the largest first.
func (b *books) segments(ctx context.Context, in asker, all bool) (out []library.Segment, err error) {
	err = b.each(ctx, in, "SELECT name, groups, passages, live, bytes, space, made FROM library_segments WHERE @here AND (? OR live > 0) ORDER BY passages DESC, name", []any{all},
		func(row *sql.Rows) error {
			var s library.Segment
			var made int64
			err := row.Scan(&s.Name, &s.Groups, &s.Passages, &s.Live, &s.Bytes, &s.Space, &made)
			s.Made = fromMillis(made)
			out = append(out, s)
			return err
		})
	return out, err
}

func (v *version) Part(ctx context.Context, segment, part string) ([]byte, error) {
	var size int64
	args := []any{segment, part}
	if err := v.b.row(ctx, v.in, "SELECT coalesce(sum(length(data)), 0) FROM library_parts WHERE @here AND segment = ? AND part = ?", args, &size); err != nil {
		return nil, err
	}
	out := make([]byte, 0, size)
	err := v.b.each(ctx, v.in, "SELECT data FROM library_parts WHERE @here AND segment = ? AND part = ? ORDER BY piece", args, func(row *sql.Rows) error {
		var piece sql.RawBytes
		err := row.Scan(&piece)
		out = append(out, piece...)
		return err
	})
	return out, err
}

func (v *version) Space(ctx context.Context) (library.Space, error) { return v.b.space(ctx, v.in) }

func (b *books) space(ctx context.Context, in asker) (s library.Space, err error) {
	var learnt int64
	err = b.row(ctx, in, "SELECT name, passages, changed, learnt FROM library_space WHERE @here", nil, &s.Name, &s.Passages, &s.Changed, &learnt)
	if errors.Is(err, sql.ErrNoRows) {
		return library.Space{}, nil
	}
	s.Learnt = fromMillis(learnt)
	return s, err
}

func (v *version) Content(ctx context.Context, hash string) (library.Content, error) {
	return v.b.content(ctx, v.in, hash)
}

// Content returns a stored content, whether or not the version includes it.
func (b *books) Content(ctx context.Context, hash string) (library.Content, error) {
	return b.content(ctx, nil, hash)
}

func (b *books) content(ctx context.Context, in asker, hash string) (library.Content, error) {
	c := library.Content{Hash: hash}
	var chunks []byte
	err := b.row(ctx, in, "SELECT title, kind, note, text, tags, chunks FROM library_contents WHERE @here AND hash = ?", []any{hash}, &c.Title, &c.Kind, &c.Note, &c.Text, &c.Tags, &chunks)
	if err == nil {
		err = json.Unmarshal(chunks, &c.Chunks)
	}
	for _, k := range c.Chunks {
		if k.Start < 0 || k.Start > k.End || k.End > len(c.Text) {
			err = b.damagedError("a passage lies outside of its text")
		}
	}
	return c, b.explain(err)
}

// State returns the state of the collection.
func (b *books) State(ctx context.Context) (st library.State, err error) {
	var published int64
	err = b.row(ctx, nil, "SELECT version, published, passages FROM library WHERE @here", nil, &st.Version, &published, &st.Passages)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return st, err
	}
	st.Published = fromMillis(published)
	err = b.row(ctx, nil, `SELECT (SELECT count(*) FROM library_documents WHERE @here), (SELECT count(*) FROM library_contents WHERE @here),
		(SELECT coalesce(sum(length(data)), 0) FROM library_parts WHERE @here), (SELECT coalesce(sum(length(text)), 0) FROM library_contents WHERE @here),
		(SELECT count(*) FROM library_jobs WHERE @here AND state = ?), (SELECT count(*) FROM library_jobs WHERE @here AND state = ?)`, []any{library.Failed, library.Left},
		&st.Documents, &st.Kept, &st.Index, &st.Text, &st.Failed, &st.Left)
	if err != nil {
		return st, err
	}
	if st.Segments, err = b.segments(ctx, nil, false); err != nil {
		return st, err
	}
	if st.Space, err = b.space(ctx, nil); err != nil {
		return st, err
	}
	if st.File, err = b.in.size(ctx, b); err != nil {
		return st, err
	}
	if st.Jobs, err = b.jobCounts(ctx); err != nil {
		return st, err
	}
	by, running, err := b.in.findOwner(ctx, b)
	if err != nil {
		return st, b.explain(err)
	}
	st.Running, st.Process, st.Host, st.Step = running, by.process, by.host, by.step
	return st, nil
}

// Origin returns the source and settings from which the collection was made.
func (b *books) Origin(ctx context.Context) (o library.Origin, err error) {
	var text []byte
	err = b.row(ctx, nil, "SELECT origin FROM library WHERE @here", nil, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return o, library.ErrEmpty
	}
	if err == nil && json.Unmarshal(text, &o) != nil {
		err = b.damagedError("what it was made of cannot be read")
	}
	return o, err
}

// Jobs lists the jobs in a state, the latest first; most <= 0 means all.
func (b *books) Jobs(ctx context.Context, state string, most int) (out []library.Job, err error) {
	if most <= 0 {
		most = math.MaxInt
	}
	err = b.each(ctx, nil, "SELECT key, stage, uri, state, attempts, error, ended, took FROM library_jobs WHERE @here AND state = ? ORDER BY ended DESC, key LIMIT ?", []any{state, int64(most)},
		func(row *sql.Rows) error {
			var j library.Job
			var ended, took int64
			err := row.Scan(&j.Key, &j.Stage, &j.URI, &j.State, &j.Attempts, &j.Error, &ended, &took)
			j.Ended, j.Took = fromMillis(ended), time.Duration(took)*time.Microsecond
			out = append(out, j)
			return err
		})
	return out, err
}

// Contents returns the hashes of the stored contents.
func (b *books) Contents(ctx context.Context) (map[string]bool, error) {
	return b.nameSet(ctx, "SELECT hash FROM library_contents WHERE @here")
}

// nameSet returns the results of a one-column query as a set.
func (b *books) nameSet(ctx context.Context, query string, args ...any) (map[string]bool, error) {
	out := map[string]bool{}
	err := b.each(ctx, nil, query, args, func(row *sql.Rows) error {
		var name string
		err := row.Scan(&name)
		out[name] = true
		return err
	})
	return out, err
}
