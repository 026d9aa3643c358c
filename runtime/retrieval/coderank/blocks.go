package coderank

import (
	"encoding/binary"
	"math/bits"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// The fast path cuts 64 bytes at a time into subwords without a branch for each byte: the classes
// of eight bytes are computed in one register, and the starts of subwords follow from the masks by
// shifts. A plain tokenizer spends its time on branches that depend on the text.

const (
	each = 0x0101010101010101 // multiplied by a byte: that byte eight times
	tops = 0x80 * each
)

// masks holds the character classes of 64 bytes, one bit for each byte: lowercase letters, these
// and digits, uppercase letters, and all of these with underscores. Bytes beyond ASCII are in no
// class.
type masks struct {
	lower, small, upper, word uint64
	held                      uint64 // starts only words that the sieve rules out
}

// classify returns the masks of the 64 bytes at b. Each step yields a class as the top bits of eight bytes;
// the results of eight steps, packed side by side, are transposed into one mask at the end.
func classify(b *[64]byte) (m masks) {
	for k := 0; k < 64; k += 8 {
		x := binary.LittleEndian.Uint64(b[k:])
		// For 7-bit bytes, adding 128-c sets the top bit of those >= c.
		folded, seven, ascii := (x|0x20*each)&^tops, x&^tops, ^x&tops
		alpha := (folded + (0x80-'a')*each) &^ (folded + (0x80-'z'-1)*each) & ascii
		digit := (seven + (0x80-'0')*each) &^ (seven + (0x80-'9'-1)*each) & ascii
		bit5 := x << 2 // separates lowercase from uppercase letters, and _ from DEL
		lower := alpha & bit5
		m.lower = m.lower>>1 | lower
		m.small = m.small>>1 | lower | digit
		m.upper = m.upper>>1 | alpha&^bit5
		m.word = m.word>>1 | alpha | digit | (folded+each)&^bit5&ascii
	}
	return masks{lower: transpose(m.lower), small: transpose(m.small), upper: transpose(m.upper), word: transpose(m.word)}
}

// transpose transposes a matrix of eight by eight bits.
func transpose(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// starts returns the bytes at which a subword begins, by the rules of words.Next, given the masks
// of the blocks before and after; last are the bytes at which one may begin as the last capital of
// several.
func (m masks) starts(before, after masks) (starts, last uint64) {
	smallBefore := m.small<<1 | before.small>>63
	upperBefore := m.upper<<1 | before.upper>>63
	lowerAfter := m.lower>>1 | after.lower<<63
	return (m.small|m.upper)&^(smallBefore|upperBefore) | m.upper&smallBefore, // after a separator, camelCase
		m.upper & upperBefore & lowerAfter // HTTPServer
}

// isPlural reports whether the capital at i is followed by an s that ends the word, as in URLs, which
// is a single subword.
func isPlural(data []byte, i int) bool {
	return data[i+1] == 's' && (i+2 >= len(data) || data[i+2] >= 0x80 || words.ClassOf(data[i+2])&words.Lower == 0)
}

// findFast implements find for queries in ASCII.
func (m *matcher) findFast(data []byte) int {
	pos := nearWindow + 1 // so that an empty slot of recent is never near
	first := pos
	var before, cur, after masks
	var tail [64]byte
	copy(tail[:], data[len(data)&^63:])
	cur = m.loadSieved(data, 0, &tail)
	for i := 0; i < len(data); i += 64 {
		after = m.loadSieved(data, i+64, &tail)
		starts, last := cur.starts(before, after)
		for ; last != 0; last &= last - 1 {
			if bit := bits.TrailingZeros64(last); !isPlural(data, i+bit) {
				starts |= 1 << bit
			}
		}
		for pass := m.filterStarts(data, i, starts&^cur.held); pass != 0; pass &= pass - 1 {
			bit := bits.TrailingZeros64(pass)
			m.matchSubword(data, i+bit, pos+bits.OnesCount64(starts&(1<<bit-1)))
		}
		pos += bits.OnesCount64(starts)
		if m.words != nil {
			m.words.addBlock(data, i, before.word, cur.word, after.word)
		}
		before, cur = cur, after
	}
	return pos - first
}

// loadSieved returns the masks of the 64 bytes at i, with the bytes that the sieve rules out if vectors is set.
func (m *matcher) loadSieved(data []byte, i int, tail *[64]byte) masks {
	if vectors && i+64+2 <= len(data) {
		var c classed
		siftBlock(&data[i], &m.sieve, &c)
		return c.masks()
	}
	return loadBlock(data, i, tail)
}

// loadBlock returns the masks of the 64 bytes at i; tail is the last, incomplete block.
func loadBlock(data []byte, i int, tail *[64]byte) masks {
	switch {
	case i+64 <= len(data):
		return classify((*[64]byte)(data[i:]))
	case i < len(data):
		return classify(tail)
	}
	return masks{}
}

// filterStarts returns the starts that the prefix filter lets through.
func (m *matcher) filterStarts(data []byte, i int, starts uint64) (pass uint64) {
	if i+64+4 > len(data) {
		for ; starts != 0; starts &= starts - 1 {
			bit := bits.TrailingZeros64(starts)
			pass |= m.passes(prefixHash(data, i+bit)) << bit
		}
		return pass
	}
	block := (*[64 + 4]byte)(data[i:])
	for ; starts != 0; starts &= starts - 1 {
		bit := bits.TrailingZeros64(starts) & 63
		pass |= m.passes(hash3(binary.LittleEndian.Uint32(block[bit:]))) << bit
	}
	return pass
}

// passes returns 1 if the filter lets a prefix with the hash h through, otherwise 0.
func (m *matcher) passes(h uint32) uint64 { return m.filter[h>>6&(1<<filterBits/64-1)] >> (h & 63) & 1 }

// prefixHash hashes the first three bytes of the word at i, ignoring the case of letters.
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

// filterBits sizes the prefix filter: 8 KiB, which fits in the L1 cache.
const filterBits = 16

// matchSubword handles a subword at s that the filter let through; pos is its number in the file.
func (m *matcher) matchSubword(data []byte, s, pos int) {
	e := words.Next(data, s)
	if pos != m.prevPos+1 {
		m.prev = noUnit
	}
	if e-s >= 2 && e-s <= maxWord {
		m.recordTerm(data, s, e, pos)
		m.prevPos = pos
	}
	if m.idMin > 0 {
		m.identAt(data, s)
	}
}

// identAt records the word that begins at s if it is one of the identifiers.
func (m *matcher) identAt(data []byte, s int) {
	b := s
	for b > 0 && data[b-1] == '_' {
		b--
	}
	if b > 0 && words.ClassOf(data[b-1]) != words.Separator {
		return
	}
	m.recordIdent(data, s, words.Run(data, s, words.Any))
}
