package library

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// groupPassages is how many passages of a document are one group at most, so that what
// one group takes of memory has a bound.
const groupPassages = 256

// block is a group of passages of a document.
type block struct {
	doc  int // place of the document
	from int // its first chunk
	index.Group
}

// blocks are the groups of documents, in the order of their passages. A name says all
// that the postings of a group depend on.
func blocks(docs []Document) []block {
	recipe := indexRecipe()
	var out []block
	for i, d := range docs {
		for from := 0; from < d.Chunks; from += groupPassages {
			b := block{doc: i, from: from}
			b.Passages = min(groupPassages, d.Chunks-from)
			h := sha256.New()
			fmt.Fprintf(h, "%s\x00%s\x00%s\x00%d\x00%d", recipe, d.ID, d.Content, from, b.Passages)
			copy(b.Name[:], h.Sum(nil))
			out = append(out, b)
		}
	}
	return out
}

// indexRecipe names all that decides how an index is made of the same texts.
func indexRecipe() string { return fmt.Sprintf("index/2 %v", index.Default()) }

func groupsOf(list []block) []index.Group {
	out := make([]index.Group, len(list))
	for i, b := range list {
		out[i] = b.Group
	}
	return out
}

// growth brings the segments of an index up to date with the documents: what they lack
// is built, what is of no use any more is left out, and small segments are merged.
type growth struct {
	*run
	want   []block
	have   []*held // what the next version consists of
	lack   []block // what no segment has
	space  Space
	learnt *index.Space // nil where it was not read
	parts  []Part       // that are not written yet
	bytes  int          // of them
	fresh  bool         // there is something to publish
}

// held is a segment with the groups of it that are wanted.
type held struct {
	Segment
	live map[index.Name]bool
}

// defaultMemory is what a builder's postings take before they become a segment. An
// eighth as many bytes of new segments wait for the version to be published; what is
// more is written before.
const defaultMemory = 64 << 20

func (g *growth) memory() int { return cmp.Or(g.Memory, defaultMemory) }

// grow finds out what is there of the index of the documents, and what is not. Segments
// that are damaged are as none.
func (r *run) grow(ctx context.Context) (*growth, error) {
	g := &growth{run: r, want: blocks(r.docs)}
	left := make(map[index.Name]int, len(g.want))
	for _, b := range g.want {
		left[b.Name] = b.Passages
	}
	err := r.Shelf.View(ctx, func(v View) error {
		if r.opt.All {
			return nil
		}
		all, err := v.Segments(ctx, true)
		if err != nil {
			return err
		}
		for _, s := range all {
			if err := g.take(ctx, v, s, left); err != nil {
				return err
			}
		}
		g.space, err = v.Space(ctx)
		if err == nil && !r.opt.Trust {
			err = g.checkSpace(ctx, v)
		}
		return err
	})
	for _, b := range g.want {
		if _, missing := left[b.Name]; missing {
			g.lack = append(g.lack, b)
		}
	}
	g.fresh = g.fresh || r.opt.All || len(g.lack) > 0 || g.space.Name == ""
	for _, h := range g.have {
		g.fresh = g.fresh || h.Space != g.space.Name
	}
	return g, err
}

// take takes a segment where it has something that others have not.
func (g *growth) take(ctx context.Context, v View, s Segment, left map[index.Name]int) error {
	groups, err := index.ReadGroups(s.Groups)
	if err == nil && !g.opt.Trust {
		err = checkSegment(ctx, v, s)
	}
	if err != nil {
		if errors.Is(err, index.ErrDamaged) || errors.Is(err, index.ErrVersion) {
			g.report.Mended++
			g.fresh, err = true, nil
		}
		return err
	}
	h := &held{Segment: s, live: map[index.Name]bool{}}
	live := 0
	for _, x := range groups {
		if n, wanted := left[x.Name]; wanted && n == x.Passages {
			delete(left, x.Name)
			h.live[x.Name] = true
			live += n
		}
	}
	g.fresh = g.fresh || live != s.Live
	if h.Live = live; live > 0 {
		g.have = append(g.have, h)
	}
	return nil
}

// checkSegment reads the parts of a segment for damage.
func checkSegment(ctx context.Context, v View, s Segment) error {
	names := []string{WordsPart, GramsPart}
	if s.Space != "" {
		names = append(names, VectorsPart)
	}
	for _, name := range names {
		data, err := v.Part(ctx, s.Name, name)
		if err == nil {
			err = index.Check(data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkSpace lets go of a space that is damaged: it is learnt again.
func (g *growth) checkSpace(ctx context.Context, v View) error {
	if g.space.Name == "" {
		return nil
	}
	data, err := v.Part(ctx, "", SpacePart)
	if err != nil {
		return err
	}
	if index.Check(data) != nil {
		g.space = Space{}
		g.report.Mended++
	}
	return nil
}

// embed builds what is lacking, merges and learns.
func (g *growth) embed(ctx context.Context, passages int) error {
	if err := g.build(ctx, passages); err != nil {
		return err
	}
	if err := g.merge(ctx); err != nil {
		return err
	}
	return g.learn(ctx, passages)
}

// build makes segments of what is lacking, each of no more than a bound of memory.
func (g *growth) build(ctx context.Context, passages int) error {
	b, err := index.NewBuilder(index.Default())
	if err != nil {
		return err
	}
	var c Content
	var names []block
	flush := func() error {
		if len(names) == 0 {
			return nil
		}
		err := g.add(ctx, b.Segment(), names)
		names = nil
		return err
	}
	for _, x := range g.lack {
		d := g.docs[x.doc]
		if c.Hash != d.Content {
			if c, err = g.Shelf.Content(ctx, d.Content); err != nil {
				return fmt.Errorf("%s: %w", d.URI, err)
			}
		}
		if len(c.Chunks) < x.from+x.Passages {
			return fmt.Errorf("%s: %w: it has %d passages, of %d", d.URI, index.ErrDamaged, len(c.Chunks), d.Chunks)
		}
		b.Begin(x.Name)
		for n := x.from; n < x.from+x.Passages; n++ {
			k := c.Chunks[n]
			p := index.Passage{ID: passageID(d, n), Title: d.Title, Section: headings(d, k), Body: c.Text[k.Start:k.End]}
			if err := b.Add(p); err != nil {
				return fmt.Errorf("%s: %w", d.URI, err)
			}
		}
		names = append(names, x)
		g.step(Embed, d.First+x.from+x.Passages, passages)
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.Kept() >= g.memory() {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// add puts a new segment to the others. A large one is written at once.
func (g *growth) add(ctx context.Context, p index.Packed, of []block) error {
	h := &held{live: map[index.Name]bool{}}
	for _, b := range of {
		h.live[b.Name] = true
		h.Passages += b.Passages
	}
	sum := sha256.New()
	for _, data := range [][]byte{p.Groups, p.Words, p.Grams} {
		sum.Write(data)
	}
	h.Segment = Segment{Name: hex.EncodeToString(sum.Sum(nil))[:idDigits*2], Groups: p.Groups, Passages: h.Passages, Live: h.Passages, Bytes: int64(p.Bytes()), Made: g.Now()}
	total := h.Bytes
	for _, other := range g.have {
		total += other.Bytes
	}
	if most := int64(index.Default().Bytes); total > most {
		return fmt.Errorf("%w: its segments take %d bytes, of %d; leave files out (exclude), or split the collection", index.ErrFull, total, most)
	}
	parts := []Part{{h.Name, WordsPart, p.Words}, {h.Name, GramsPart, p.Grams}}
	g.have = append(g.have, h)
	if g.bytes+p.Bytes() > g.memory()/8 {
		return g.Shelf.KeepSegment(ctx, h.Segment, parts)
	}
	g.parts = append(g.parts, parts...)
	g.bytes += p.Bytes()
	return nil
}

// part is a part of a segment, wherever it is.
func (g *growth) part(ctx context.Context, segment, name string) (data []byte, err error) {
	for _, p := range g.parts {
		if p.Segment == segment && p.Name == name {
			return p.Data, nil
		}
	}
	err = g.Shelf.View(ctx, func(v View) error {
		data, err = v.Part(ctx, segment, name)
		return err
	})
	return data, err
}

// segment reads a segment, with or without its sequences.
func (g *growth) segment(ctx context.Context, h *held, whole bool) (*index.Segment, error) {
	p := index.Packed{Groups: h.Groups}
	var err error
	if p.Words, err = g.part(ctx, h.Name, WordsPart); err != nil {
		return nil, err
	}
	if whole {
		if p.Grams, err = g.part(ctx, h.Name, GramsPart); err != nil {
			return nil, err
		}
	}
	return index.ReadSegment(p)
}

// of are the wanted groups that some segments have.
func (g *growth) of(some ...*held) (out []block) {
	for _, b := range g.want {
		if slices.ContainsFunc(some, func(h *held) bool { return h.live[b.Name] }) {
			out = append(out, b)
		}
	}
	return out
}
