package library

import (
	"cmp"
	"context"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// The policy for merging segments. Segments of about one size are a tier, and a tier has fewer than
// mergeAt of them, so an index has a few segments for each time it grew eightfold, and a passage is
// written again about as often. Segments larger than maxMerged stay, which bounds the memory that
// a merge takes, unless more than half of their passages are gone.
const (
	mergeAt   = 8
	minTier   = 64 << 10
	maxMerged = 16 << 20
)

// liveSize returns the size of a segment without the passages that are gone.
func (h *held) liveSize() int64 { return h.Bytes * int64(h.Live) / int64(max(h.Passages, 1)) }

// sizeTier returns about how often mergeAt segments were merged to get to this size.
func (h *held) sizeTier() int {
	n := 0
	for size := int64(minTier); h.liveSize() > size; size *= mergeAt {
		n++
	}
	return n
}

// mergeSegments merges segments until each tier has few.
func (g *growth) mergeSegments(ctx context.Context) error {
	for {
		some := g.dueSegments()
		if len(some) == 0 {
			return nil
		}
		g.fresh = true
		var from []*index.Segment
		for _, h := range some {
			s, err := g.loadSegment(ctx, h, true)
			if err != nil {
				return err
			}
			from = append(from, s)
		}
		of := g.wantedOf(some...)
		merged, err := index.Merge(groupsOf(of), from...)
		if err != nil {
			return err
		}
		g.dropSegments(some)
		if err := g.addSegment(ctx, merged, of); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// dueSegments returns the segments that are merged next: the smallest tier that has too many, or a segment
// if half of it is gone.
func (g *growth) dueSegments() []*held {
	slices.SortFunc(g.have, func(a, b *held) int {
		return cmp.Or(cmp.Compare(a.liveSize(), b.liveSize()), cmp.Compare(a.Name, b.Name))
	})
	tiers := map[int][]*held{}
	for _, h := range g.have {
		if 2*h.Live < h.Passages {
			return []*held{h}
		}
		list, sum := tiers[h.sizeTier()], h.liveSize()
		for _, other := range list {
			sum += other.liveSize()
		}
		if sum > maxMerged {
			if 2*len(list) >= mergeAt {
				return list
			}
			continue
		}
		if list = append(list, h); len(list) == mergeAt {
			return list
		}
		tiers[h.sizeTier()] = list
	}
	return nil
}

// dropSegments removes segments, and their parts that are not written yet.
func (g *growth) dropSegments(some []*held) {
	gone := map[string]bool{}
	for _, h := range some {
		gone[h.Name] = true
	}
	g.have = slices.DeleteFunc(g.have, func(h *held) bool { return gone[h.Name] })
	g.parts = slices.DeleteFunc(g.parts, func(p Part) bool { return gone[p.Segment] })
	g.bytes = 0
	for _, p := range g.parts {
		g.bytes += len(p.Data)
	}
}
