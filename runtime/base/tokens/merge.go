package tokens

import (
	"math"
	"slices"
	"unicode/utf8"
)

// Count returns the number of tokens in the o200k vocabulary, or more for text with a
// word of thousands of letters.
func Count(s string) int {
	_, n := Head(s, math.MaxInt)
	return n
}

// Head returns the length in bytes of the longest run of whole words at the beginning
// of s with at most limit tokens, and their number. It reads one word more.
func Head(s string, limit int) (size, count int) {
	var m merger
	for size < len(s) {
		n, whole := nextPiece(s[size:])
		tokens := m.countPiece(s[size:size+n], whole)
		if tokens > limit-count {
			break
		}
		size, count = size+n, count+tokens
	}
	return size, count
}

// A piece of more than longPiece bytes is no ordinary word, and may come from a
// malicious server. It is estimated: to merge one of megabytes takes a minute.
const longPiece = 4 << 10

// nextPiece returns the length of the first piece of s, or of the part that is estimated at
// once if the piece is longer than longPiece. It reads only a few bytes beyond that.
func nextPiece(s string) (size int, whole bool) {
	if size = splitPiece(s[:min(len(s), longPiece+16)]); size <= longPiece {
		return size, true
	}
	for size = longPiece; !utf8.RuneStart(s[size]) && size > longPiece-utf8.UTFMax; size-- {
	}
	return size, false
}

func (m *merger) countPiece(piece string, whole bool) int {
	if !utf8.ValidString(piece) {
		piece = string([]rune(piece))
	}
	if !whole || len(piece) > longPiece {
		return Estimate(piece)
	}
	return m.mergePiece(piece)
}

// merger counts the tokens of a piece by byte-pair encoding: among all pairs of
// neighbors that form a token, it merges the one of lowest rank, the first of equals,
// until there is none.
type merger struct {
	parts []part
	queue queue
}

// part is a stretch of the piece. It ends where the next one begins.
type part struct {
	next, prev int32  // offsets of the neighboring parts; -1 for none
	rank       uint32 // of this and the next part together
}

func (m *merger) mergePiece(piece string) int {
	if len(piece) == 1 || rankOf(piece) != noRank {
		return 1
	}
	m.splitBytes(piece)
	n := len(piece)
	for len(m.queue) > 0 {
		c := m.queue.pop()
		at := c.at()
		if m.parts[at].rank != c.rank() {
			continue // merged since
		}
		m.mergeParts(piece, at)
		n--
	}
	return n
}

// splitBytes makes each byte a part.
func (m *merger) splitBytes(piece string) {
	m.parts, m.queue = slices.Grow(m.parts[:0], len(piece)+1), slices.Grow(m.queue[:0], len(piece))
	for i := range len(piece) + 1 {
		m.parts = append(m.parts, part{next: int32(i + 1), prev: int32(i - 1), rank: noRank})
	}
	for i := range len(piece) - 1 {
		if r := rankOf(piece[i : i+2]); r != noRank {
			m.parts[i].rank = r
			m.queue.push(candidateOf(r, i))
		}
	}
}

// mergeParts merges the part at an offset with the next one.
func (m *merger) mergeParts(piece string, at int) {
	gone := m.parts[at].next
	m.parts[gone].rank = noRank
	next := m.parts[gone].next
	m.parts[at].next = next
	if int(next) <= len(piece) {
		m.parts[next].prev = int32(at)
	}
	m.updateRank(piece, at)
	if before := m.parts[at].prev; before >= 0 {
		m.updateRank(piece, int(before))
	}
}

// updateRank looks up the rank of the part at an offset joined with the next one.
func (m *merger) updateRank(piece string, at int) {
	p := &m.parts[at]
	p.rank = noRank
	if int(p.next) >= len(piece) {
		return
	}
	if p.rank = rankOf(piece[at:m.parts[p.next].next]); p.rank != noRank {
		m.queue.push(candidateOf(p.rank, at))
	}
}

// candidate is a pair that may be merged: its rank, and in the lower half its offset,
// so that the smallest candidate is the first of those of lowest rank.
type candidate uint64

func candidateOf(rank uint32, at int) candidate { return candidate(rank)<<32 | candidate(at) }

func (c candidate) rank() uint32 { return uint32(c >> 32) }
func (c candidate) at() int      { return int(uint32(c)) }

// queue is a min-heap. container/heap would allocate for each element.
type queue []candidate

func (q *queue) push(c candidate) {
	h := append(*q, c)
	*q = h
	i := len(h) - 1
	for i > 0 && h[(i-1)/2] > c {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = c
}

func (q *queue) pop() candidate {
	h := *q
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	for i := 0; len(h) > 0; {
		child := 2*i + 1
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if child >= len(h) || h[child] >= last {
			h[i] = last
			break
		}
		h[i] = h[child]
		i = child
	}
	return first
}
