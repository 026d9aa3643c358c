package index

import (
	"encoding/binary"
	"math"
)

// posting is one passage that holds a key.
type posting struct {
	passage uint32
	counts  counts
}

// appendPosting appends a posting to data: the distance from the previous passage, whose lowest bit
// says that the key occurs once in the body and nowhere else; otherwise the counts follow.
func appendPosting(data []byte, distance uint32, c counts) []byte {
	if c == (counts{Body: 1}) {
		return binary.AppendUvarint(data, uint64(distance)<<1|1)
	}
	data = binary.AppendUvarint(data, uint64(distance)<<1)
	if c[Title] == 0 && c[Section] == 0 {
		return binary.AppendUvarint(data, uint64(c[Body])<<1)
	}
	data = binary.AppendUvarint(data, uint64(c[Body])<<1|1)
	data = binary.AppendUvarint(data, uint64(c[Title]))
	return binary.AppendUvarint(data, uint64(c[Section]))
}

// nextPosting reads the posting that follows passage before, and returns its length in bytes, or 0
// if data does not begin with a posting.
func nextPosting(data []byte, before uint32) (p posting, n int) {
	x, n := uvarint(data)
	if n <= 0 || x>>1 > math.MaxUint32-uint64(before) {
		return p, 0
	}
	p.passage = before + uint32(x>>1)
	if x&1 == 1 {
		p.counts[Body] = 1
		return p, n
	}
	return p, readCounts(data, n, &p.counts)
}

// readCounts reads counts from n on and returns where they end, or 0 for invalid data.
func readCounts(data []byte, n int, c *counts) int {
	body, k := uvarint(data[n:])
	if k <= 0 || body>>1 > math.MaxUint32 {
		return 0
	}
	n += k
	c[Body] = uint32(body >> 1)
	if body&1 == 0 {
		return n
	}
	for _, f := range [...]Field{Title, Section} {
		x, k := uvarint(data[n:])
		if k <= 0 || x > math.MaxUint32 {
			return 0
		}
		n += k
		c[f] = uint32(x)
	}
	return n
}

// uvarint decodes like binary.Uvarint, with a fast path for a single byte, the usual case.
func uvarint(data []byte) (uint64, int) {
	if len(data) > 0 && data[0] < 0x80 {
		return uint64(data[0]), 1
	}
	return binary.Uvarint(data)
}
