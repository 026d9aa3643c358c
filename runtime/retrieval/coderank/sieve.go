package coderank

import "bytes"

// sieve holds back most words by the halves of their first three bytes, letters
// without case, 32 bytes at a time: up to eight groups of beginnings are told
// apart, a bit each. What it lets through the filter of the plan looks at, which
// is exact up to a few.
type sieve struct {
	tables  [3]struct{ low, high [16]byte }
	letters []byte // of the beginnings so far
}

// let lets a beginning through.
func (s *sieve) let(key [4]byte) {
	first := key[0] | 0x20
	group := bytes.IndexByte(s.letters, first)
	if group < 0 {
		group = len(s.letters)
		s.letters = append(s.letters, first)
	}
	for i := range s.tables {
		c := key[i] | 0x20
		s.tables[i].low[c&15] |= 1 << (group & 7)
		s.tables[i].high[c>>4] |= 1 << (group & 7)
	}
}

// passes reports whether a word would be let through.
func (s *sieve) passes(w string) bool {
	groups := byte(0xff)
	for i := range s.tables {
		c := byte(0x20)
		if i < len(w) {
			c |= w[i]
		}
		groups &= s.tables[i].low[c&15] & s.tables[i].high[c>>4]
	}
	return groups != 0
}

// classed is what siftBlock tells of 64 bytes, a bit each.
type classed struct{ letter, digit, bit5, under, held uint64 }

// masks gives the classes as classify does.
func (c *classed) masks() masks {
	lower := c.letter & c.bit5
	return masks{lower: lower, small: lower | c.digit, upper: c.letter &^ c.bit5, word: c.letter | c.digit | c.under, held: c.held}
}
