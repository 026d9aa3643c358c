package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// The rule for learning the space again: if more than a fifth as many passages have come or gone as
// there were, and always in small collections, where it takes no time. In between, new passages are
// placed in the existing space, with the word frequencies of that time; the other legs do not
// learn.
const (
	learnAlways = 1000
	learnPart   = 5
)

// learnSpace learns the space if that is due, and gives all segments their vectors.
func (g *growth) learnSpace(ctx context.Context, passages int) error {
	g.space.Changed += g.countChurn()
	if g.space.Name == "" || g.space.Changed > 0 && passages <= learnAlways || g.space.Changed*learnPart > g.space.Passages {
		if err := g.relearn(ctx, passages); err != nil {
			return err
		}
	}
	for _, h := range g.have {
		if h.Space == g.space.Name {
			continue
		}
		if err := g.readSpace(ctx); err != nil {
			return err
		}
		s, err := g.loadSegment(ctx, h, false)
		if err != nil {
			return err
		}
		data, err := g.learnt.Fold(index.Default(), s)
		if err != nil {
			return err
		}
		g.parts = append(g.parts, Part{h.Name, VectorsPart, data})
		h.Space, g.fresh = g.space.Name, true
	}
	return ctx.Err()
}

// countChurn returns the number of passages that come and go with the documents of the next version.
func (g *growth) countChurn() (n int) {
	now := map[string]string{}
	for _, d := range g.docs {
		now[d.URI] = d.Content
		if g.was[d.URI].Content != d.Content {
			n += d.Chunks
		}
	}
	for uri, d := range g.was {
		if now[uri] != d.Content {
			n += d.Chunks
		}
	}
	return n
}

// relearn learns the space of all wanted groups.
func (g *growth) relearn(ctx context.Context, passages int) error {
	var from []*index.Segment
	for _, h := range g.have {
		s, err := g.loadSegment(ctx, h, false)
		if err != nil {
			return err
		}
		from = append(from, s)
	}
	var err error
	if g.learnt, err = index.Learn(ctx, index.Default(), groupsOf(g.want), from...); err != nil {
		return err
	}
	data := g.learnt.Packed()
	sum := sha256.Sum256(data)
	g.space = Space{Name: hex.EncodeToString(sum[:])[:idDigits*2], Passages: passages, Learnt: g.Now()}
	g.parts = append(g.parts, Part{"", SpacePart, data})
	g.fresh = true
	return nil
}

// readSpace reads the previous space if no new one was learnt.
func (g *growth) readSpace(ctx context.Context) error {
	if g.learnt != nil {
		return nil
	}
	data, err := g.partData(ctx, "", SpacePart)
	if err == nil {
		g.learnt, err = index.ReadSpace(data)
	}
	return err
}
