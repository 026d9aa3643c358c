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

// groupPassages limits the passages of a document in one group, so that the memory of a group is
// bounded.
const groupPassages = 256

// block is a group of passages of a document.
type block struct {
	doc  int // index of the document
	from int // its first chunk
	index.Group
}

// groupBlocks returns the groups of documents, in the order of their passages. A name depends on
// everything that the postings of a group depend on.
func groupBlocks(docs []Document) []block {
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

// indexRecipe describes everything that determines the index of the same texts.
func indexRecipe() string { return fmt.Sprintf("index/2 %v", index.Default()) }

func groupsOf(list []block) []index.Group {
	out := make([]index.Group, len(list))
	for i, b := range list {
		out[i] = b.Group
	}
	return out
}

// growth brings the segments of an index up to date with the documents: missing groups are built,
// unused ones are left out, and small segments are merged.
type growth struct {
	*run
	want   []block
	have   []*held // segments of the next version
	lack   []block // blocks that no segment has
	space  Space
	learnt *index.Space // nil if it was not read
	parts  []Part       // not written yet
	bytes  int          // of parts
	fresh  bool         // there is something to publish
}

// held is a segment with its wanted groups.
type held struct {
	Segment
	live map[index.Name]bool
}

// defaultMemory is the memory of a builder's postings from which on they become a segment. New
// segments of up to an eighth as many bytes wait for the version to be published; more are written
// before.
const defaultMemory = 64 << 20

func (g *growth) memoryLimit() int { return cmp.Or(g.Memory, defaultMemory) }

// planGrowth determines which parts of the documents' index exist and which are missing. Damaged segments
// are treated as missing.
func (r *run) planGrowth(ctx context.Context) (*growth, error) {
	g := &growth{run: r, want: groupBlocks(r.docs)}
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
			if err := g.takeSegment(ctx, v, s, left); err != nil {
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

// takeSegment adds a segment if it has a wanted group that the others lack.
func (g *growth) takeSegment(ctx context.Context, v View, s Segment, left map[index.Name]int) error {
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

// checkSegment checks the parts of a segment for damage.
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

// checkSpace drops a damaged space, so that it is learnt again.
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

// embed builds the missing groups, merges segments and learns the space.
func (g *growth) embed(ctx context.Context, passages int) error {
	if err := g.buildMissing(ctx, passages); err != nil {
		return err
	}
	if err := g.mergeSegments(ctx); err != nil {
		return err
	}
	return g.learnSpace(ctx, passages)
}

// buildMissing makes segments of the missing groups, each within the memory limit.
func (g *growth) buildMissing(ctx context.Context, passages int) error {
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
		err := g.addSegment(ctx, b.Segment(), names)
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
			p := index.Passage{ID: passageID(d, n), Title: d.Title, Section: headingLines(d, k), Body: c.Text[k.Start:k.End]}
			if err := b.Add(p); err != nil {
				return fmt.Errorf("%s: %w", d.URI, err)
			}
		}
		names = append(names, x)
		g.reportStep(Embed, d.First+x.from+x.Passages, passages)
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.Kept() >= g.memoryLimit() {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// addSegment adds a new segment. A large one is written at once.
func (g *growth) addSegment(ctx context.Context, p index.Packed, of []block) error {
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
	if g.bytes+p.Bytes() > g.memoryLimit()/8 {
		return g.Shelf.KeepSegment(ctx, h.Segment, parts)
	}
	g.parts = append(g.parts, parts...)
	g.bytes += p.Bytes()
	return nil
}

// partData returns a part of a segment, wherever it is stored.
func (g *growth) partData(ctx context.Context, segment, name string) (data []byte, err error) {
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

// loadSegment reads a segment, with its sequences of characters if whole is set.
func (g *growth) loadSegment(ctx context.Context, h *held, whole bool) (*index.Segment, error) {
	p := index.Packed{Groups: h.Groups}
	var err error
	if p.Words, err = g.partData(ctx, h.Name, WordsPart); err != nil {
		return nil, err
	}
	if whole {
		if p.Grams, err = g.partData(ctx, h.Name, GramsPart); err != nil {
			return nil, err
		}
	}
	return index.ReadSegment(p)
}

// wantedOf returns the wanted groups of some segments.
func (g *growth) wantedOf(some ...*held) (out []block) {
	for _, b := range g.want {
		if slices.ContainsFunc(some, func(h *held) bool { return h.live[b.Name] }) {
			out = append(out, b)
		}
	}
	return out
}
