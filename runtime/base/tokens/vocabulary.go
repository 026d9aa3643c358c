package tokens

import _ "embed"

// The vocabulary is used in place, so that loading it costs nothing and only the pages
// that are touched take memory: for each of 2^16 hashes, the offset of its entries in
// three bytes, little-endian, and one more for their end; then the entries: length,
// rank in three bytes, the token.
//
//go:embed o200k.bin
var vocabulary string

const (
	buckets    = 1 << 16
	entryHead  = 4
	noRank     = ^uint32(0)
	longest    = 128 // bytes of the longest token
	vocabTable = 3 * (buckets + 1)
)

// rankOf returns a token's number, or noRank if it is not a token. Lower ranks are merged
// first.
func rankOf(token string) uint32 {
	if len(token) > longest {
		return noRank
	}
	h := 3 * int(hashToken(token))
	for at, end := readNumber(h), readNumber(h+3); at < end; {
		n := int(vocabulary[at])
		if n == len(token) && vocabulary[at+entryHead:at+entryHead+n] == token {
			return uint32(readNumber(at + 1))
		}
		at += entryHead + n
	}
	return noRank
}

// readNumber reads three bytes.
func readNumber(at int) int {
	b := vocabulary[at : at+3]
	return int(b[0]) | int(b[1])<<8 | int(b[2])<<16
}

// hashToken returns the FNV-1a hash of s, folded to 16 bits.
func hashToken(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return (h ^ h>>16) & (buckets - 1)
}
