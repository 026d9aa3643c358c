package library

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
)

// However a collection grows and shrinks, it has few segments for what it has: fewer
// than mergeAt in each tier that is merged, and one for each 4 MiB above. What is merged
// at once has a bound, and a byte is written again about once a tier.
func TestTiersHaveABound(t *testing.T) {
	const steps, topTier = 3000, 3 // segments of the top tier and above are too large to be merged
	bottom := int64(minTier)
	for range topTier - 1 {
		bottom *= mergeAt
	}
	for _, c := range []struct {
		name string
		size func(*rand.Rand) int64
		gone float64 // how much of a segment goes with a step, at most
	}{
		{"a file at a time", func(r *rand.Rand) int64 { return 1 + r.Int64N(4<<10) }, 0},
		{"a file at a time, and as many go", func(r *rand.Rand) int64 { return 1 + r.Int64N(64<<10) }, 0.01},
		{"folders", func(r *rand.Rand) int64 { return 1 + r.Int64N(1<<20) }, 0},
		{"just above a tier", func(*rand.Rand) int64 { return minTier + 1 }, 0},
		{"just below the top", func(*rand.Rand) int64 { return 4<<20 - 1 }, 0.001},
		{"just above a quarter of what is merged", func(*rand.Rand) int64 { return 4<<20 + 1 }, 0},
		{"anything", func(r *rand.Rand) int64 { return 1 << r.IntN(25) }, 0.05},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 9))
			g, total, added, again := &growth{}, int64(0), int64(0), int64(0)
			for step := range steps {
				for _, h := range g.have {
					h.Live -= int(float64(h.Live) * c.gone * r.Float64())
				}
				size := c.size(r)
				if total+size > int64(index.Default().Bytes) { // where growing is an error
					break
				}
				added += size
				g.have = append(g.have, heldOf(fmt.Sprint(step), size))
				for n := 0; ; n++ {
					some := g.dueSegments()
					if len(some) == 0 {
						break
					}
					if n > len(g.have)+mergeAt {
						t.Fatalf("step %d: merging does not end", step)
					}
					sum := int64(0)
					for _, h := range some {
						sum += h.liveSize()
					}
					if len(some) > 1 && sum > maxMerged {
						t.Fatalf("step %d: %d bytes are merged at once", step, sum)
					}
					again += sum
					g.dropSegments(some)
					g.have = append(g.have, heldOf(fmt.Sprint(step, "-", n), sum))
				}
				tiers := map[int]int{}
				total = 0
				for _, h := range g.have {
					total += h.liveSize()
					tiers[h.sizeTier()]++
				}
				large := 0
				for tier, n := range tiers {
					if tier >= topTier {
						large += n
					} else if n >= mergeAt {
						t.Fatalf("step %d: tier %d has %d segments", step, tier, n)
					}
				}
				if most := topTier*(mergeAt-1) + int(total/bottom); len(g.have) > most || large > int(total/bottom) {
					t.Fatalf("step %d: %d segments for %d bytes, %d are the bound", step, len(g.have), total, most)
				}
			}
			// Once into each tier, and once more for what a merge of live rests leaves half gone.
			if again > (topTier+2)*added {
				t.Errorf("%d bytes came, and %d were written again", added, again)
			}
			t.Logf("%d segments; a byte was written again %.1f times", len(g.have), float64(again)/float64(added))
		})
	}
}

// heldOf is a segment of a passage a byte.
func heldOf(name string, size int64) *held {
	n := int(max(size, 1))
	return &held{Segment: Segment{Name: name, Bytes: int64(n), Passages: n, Live: n}}
}
