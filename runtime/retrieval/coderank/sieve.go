package coderank

import "bytes"

// sieve rejects most words by the halves of their first three bytes, ignoring the case of letters,
// 32 bytes at a time. It distinguishes up to eight groups of prefixes, with a bit for each. What it
// lets through is checked by the filter of the plan, which is exact except for a few.
type sieve struct {
	tables  [3]struct{ low, high [16]byte }
	letters []byte // first letters of the prefixes so far
}

// addPrefix adds a prefix that passes.
func (s *sieve) addPrefix(key [4]byte) {
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

// passes reports whether the sieve lets a word through.
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

// classed is the result of siftBlock for 64 bytes, one bit each.
type classed struct{ letter, digit, bit5, under, held uint64 }

// masks returns the same classes as classify, and the bytes that the sieve rules out.
func (c *classed) masks() masks {
	lower := c.letter & c.bit5
	return masks{lower: lower, small: lower | c.digit, upper: c.letter &^ c.bit5, word: c.letter | c.digit | c.under, held: c.held}
}
