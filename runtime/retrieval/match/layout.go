package match

// Costs in nanoseconds on a 3 GHz x86-64 machine. Only their ratios matter, and only for speed: they choose among
// strategies that all give the same lines.
const (
	sampleCost  = 0.5  // one lookup in the finder's table
	hitCost     = 30   // a sample that fell into a window: mispredicted branches, and comparing
	indexCost   = 0.06 // one byte of bytes.IndexByte
	byteCost    = 15   // a byte that it finds
	confirmCost = 100  // running the automaton over a candidate line
	stepCost    = 1.7  // one byte of the automaton
)

// layout is how a finder searches for a set of words.
type layout struct {
	stride  int     // distance of the samples; 0: search for the one byte at offset
	windows []int   // for each word, the offset of its first sampled block
	offset  int     // of the rare byte
	cost    float64 // expected per byte of text
}

// chooseLayout returns the cheapest layout for words, none of which is empty.
func chooseLayout(words []word) layout {
	shortest := len(words[0])
	for _, w := range words {
		shortest = min(shortest, len(w))
	}
	best := sampleWindows(words, 1)
	for _, stride := range []int{2, 4, 8} {
		if stride >= shortest {
			break
		}
		if l := sampleWindows(words, stride); l.cost < best.cost {
			best = l
		}
	}
	if len(words) > 1 {
		return best
	}
	for i := range words[0] {
		c := words[0][i]
		if cost := indexCost + byteCost*c.freq; c.size == 1 && cost < best.cost {
			best = layout{offset: i, cost: cost}
		}
	}
	return best
}

// sampleWindows chooses each word's rarest window for a stride. A one-byte word makes blocks with any byte after it.
func sampleWindows(words []word, stride int) layout {
	l := layout{stride: stride, windows: make([]int, len(words))}
	hits := 0.0
	for i, w := range words {
		pair := func(off int) float64 {
			if off+1 == len(w) {
				return w[off].freq
			}
			return pairFreq(w[off], w[off+1])
		}
		sum := 0.0
		for off := range stride {
			sum += pair(off)
		}
		least := sum
		for off := stride; off+1 < len(w); off++ {
			sum += pair(off) - pair(off-stride)
			if sum < least {
				least, l.windows[i] = sum, off-stride+1
			}
		}
		hits += least
	}
	l.cost = (sampleCost + hitCost*hits) / float64(stride)
	return l
}
