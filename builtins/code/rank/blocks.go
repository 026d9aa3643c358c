package rank

import (
	"encoding/binary"
	"math/bits"
)

// The fast path cuts 64 bytes at a time into subwords without a branch for
// each byte: the classes of eight bytes are worked out in one register, and
// the beginnings of subwords follow from the masks by shifts. Branches that
// depend on the text are what a plain tokenizer spends its time on.

const (
	each = 0x0101010101010101 // times a byte: that byte eight times
	tops = 0x80 * each
)

// masks are the classes of 64 bytes, one bit each: lower-case letters, capitals
// and digits, and which of the small letters are an s. Bytes beyond ASCII are in
// none.
type masks struct{ lower, upper, digit, ess uint64 }

// classify reads the 64 bytes at b.
func classify(b *[64]byte) (m masks) {
	for k := 0; k < 64; k += 8 {
		x := binary.LittleEndian.Uint64(b[k:])
		// For 7-bit bytes, adding 128-c sets the top bit of those >= c.
		folded, seven := (x|0x20*each)&^tops, x&^tops
		ascii := ^x & tops
		alpha := (folded + (0x80-'a')*each) &^ (folded + (0x80-'z'-1)*each) & ascii
		digit := (seven + (0x80-'0')*each) &^ (seven + (0x80-'9'-1)*each) & ascii
		small := alpha & (x << 2) // the bit that tells small letters from capitals
		m.lower |= gather(small) << k
		m.upper |= gather(alpha^small) << k
		m.digit |= gather(digit) << k
		m.ess |= gather(^((x^'s'*each)&^tops+0x7f*each)&ascii) << k
	}
	return m
}

// gather moves the top bits of eight bytes together.
func gather(x uint64) uint64 { return (x >> 7 & each) * 0x0102040810204080 >> 56 }

// starts are the bytes at which a subword begins, by the rules of subword,
// given the masks of the blocks before and after.
func (m masks) starts(before, after masks) uint64 {
	small := m.lower | m.digit
	smallBefore := small<<1 | (before.lower|before.digit)>>63
	upperBefore := m.upper<<1 | before.upper>>63
	lowerAfter := m.lower>>1 | after.lower<<63
	// URLs is one word: the s ends it.
	smallAfter := small>>2 | (after.lower|after.digit)<<62
	lowerAfter &^= (m.ess>>1 | after.ess<<63) &^ smallAfter
	return (small|m.upper)&^(smallBefore|upperBefore) | // after a separator
		m.upper&smallBefore | // camelCase
		m.upper&upperBefore&lowerAfter // HTTPServer
}

// findFast is find for queries in ASCII.
func (m *matcher) findFast(data []byte) int {
	pos := nearWindow + 1 // so that an empty slot of recent is never near
	first := pos
	var before, cur, after masks
	var tail [64]byte
	whole := len(data) &^ 63
	load := func(i int) masks {
		switch {
		case i < whole:
			return classify((*[64]byte)(data[i:]))
		case i == whole:
			copy(tail[:], data[i:])
			return classify(&tail)
		}
		return masks{}
	}
	cur = load(0)
	for i := 0; i < len(data); i += 64 {
		after = load(i + 64)
		starts := cur.starts(before, after)
		for rest := starts; rest != 0; rest &= rest - 1 {
			bit := bits.TrailingZeros64(rest)
			s := i + bit
			h := prefixHash(data, s)
			if m.filter[h>>6]&(1<<(h&63)) != 0 {
				m.start(data, s, pos+bits.OnesCount64(starts&(1<<bit-1)))
			}
		}
		pos += bits.OnesCount64(starts)
		before, cur = cur, after
	}
	return pos - first
}

// prefixHash mixes the first three bytes of the word at i, letters without case.
func prefixHash(data []byte, i int) uint32 {
	if i+4 <= len(data) {
		return hash3(binary.LittleEndian.Uint32(data[i:]))
	}
	var b [4]byte
	copy(b[:], data[i:])
	return hash3(binary.LittleEndian.Uint32(b[:]))
}

func hash3(key uint32) uint32 {
	return ((key | 0x202020) & 0xffffff) * 0x9E3779B1 >> (32 - filterBits)
}

// filterBits sizes the prefix filter: 8 KiB, which stays in the first cache.
const filterBits = 16

// start looks at a subword that the filter let through.
func (m *matcher) start(data []byte, s, pos int) {
	e := subword(data, s)
	if pos != m.prevPos+1 {
		m.prev = noUnit
	}
	if e-s >= 2 && e-s <= maxWord {
		m.term(data, s, e, pos)
		m.prevPos = pos
	}
	if m.idMin > 0 {
		m.identAt(data, s)
	}
}

// identAt checks the word that begins at s for being one of the identifiers.
func (m *matcher) identAt(data []byte, s int) {
	b := s
	for b > 0 && data[b-1] == '_' {
		b--
	}
	if b > 0 && class[data[b-1]] != separator {
		return
	}
	m.ident(data, s, run(data, s, lower|upper|under|wide|cont))
}
