package coderank

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const blocksQuestion = "where does parseHTTPRequest read max_body_size, and URLs of the sourcemap?"

// FuzzBlocks says that the fast path finds what the plain one does.
func FuzzBlocks(f *testing.F) {
	f.Add("func parseHTTPRequest(max_body_size int) { URLs; SourceMap; source_map; read2body; __max_bodySize }")
	for n := range 130 { // words that begin and end at every place of a block
		f.Add(strings.Repeat(" ", n) + "parseHTTPRequest" + strings.Repeat("x", n) + "MaxBodySize URLs")
	}
	f.Add(strings.Repeat("A", 64) + strings.Repeat("a", 64) + "1_" + strings.Repeat("bodyRead", 40))
	plan := newPlan(Parse(blocksQuestion))
	f.Fuzz(func(t *testing.T, data string) {
		if strings.ContainsFunc(data, func(r rune) bool { return r >= 0x80 }) {
			t.Skip("the two count characters beyond ASCII differently")
		}
		fast, plain := newMatcher(plan), newMatcher(plan)
		fast.deep, plain.deep = true, true
		a, b := fast.reset().findFast([]byte(data)), plain.reset().findWide([]byte(data))
		if a != b || !slices.Equal(fast.hits, plain.hits) {
			t.Errorf("%q\nfast  %d %v\nplain %d %v", data, a, fast.hits, b, plain.hits)
		}
	})
}

// TestSiftBlock holds the wide instructions against what they stand for, at the two
// bytes behind the block too.
func TestSiftBlock(t *testing.T) {
	if !vectors {
		t.Skip("not on this processor")
	}
	plan := newPlan(Parse(blocksQuestion))
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b [66]byte
		for i := range b {
			b[i] = byte(rnd.Uint32())
			if rnd.IntN(4) > 0 {
				b[i] = blocksQuestion[rnd.IntN(len(blocksQuestion))]
			}
		}
		var c classed
		siftBlock(&b[0], &plan.sieve, &c)
		want := classify((*[64]byte)(b[:]))
		for i := range 64 {
			if !plan.sieve.passes(string(b[i : i+3])) {
				want.held |= 1 << i
			}
		}
		if got := c.masks(); got != want {
			t.Fatalf("%q\ngot  %x\nwant %x", b, got, want)
		}
	}
}
