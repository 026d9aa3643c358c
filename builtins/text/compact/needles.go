package compact

// needles are texts of two bytes or more that are searched in one pass: their first two bytes rule out most places.
type needles struct {
	pairs [1 << 16 / 64]uint64 // the first two bytes of each
	first [256][]string        // by first byte
}

func newNeedles(texts []string) *needles {
	n := &needles{}
	for _, t := range texts {
		p := pairAt(t, 0)
		n.pairs[p/64] |= 1 << (p % 64)
		n.first[t[0]] = append(n.first[t[0]], t)
	}
	return n
}

func pairAt(text string, i int) uint { return uint(text[i])<<8 | uint(text[i+1]) }

// matchAt reports whether one of the needles is at offset i.
func (n *needles) matchAt(text string, i int) bool {
	if i+1 >= len(text) {
		return false
	}
	if p := pairAt(text, i); n.pairs[p/64]&(1<<(p%64)) == 0 {
		return false
	}
	return hasPrefix(text[i:], n.first[text[i]]...)
}

// foundIn reports whether a text contains one of the needles.
func (n *needles) foundIn(text string) bool {
	for i := range len(text) {
		if n.matchAt(text, i) {
			return true
		}
	}
	return false
}
