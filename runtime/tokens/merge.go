package tokens

import (
	"container/heap"
	"unicode/utf8"
)

// Count is the number of tokens in the o200k vocabulary, or more for text with a
// word of thousands of letters.
func Count(s string) int {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	var m merger
	n := 0
	for s != "" {
		size := split(s)
		n += m.all(s[:size])
		s = s[size:]
	}
	return n
}

// A piece of more than longPiece bytes is no word of anybody's. It is estimated, as
// of a server that means harm: to merge one of megabytes takes a minute.
const longPiece = 4 << 10

func (m *merger) all(piece string) int {
	if len(piece) > longPiece {
		return Estimate(piece)
	}
	return m.count(piece)
}

// merger counts the tokens of a piece by byte-pair encoding: of all pairs of
// neighbours that are a token together, the one of lowest rank is merged, the
// first of equals, until there is none.
type merger struct {
	parts []part
	queue queue
}

// part is a stretch of the piece. Its end is where the next one begins.
type part struct {
	next, prev int32  // parts by where they begin; -1 is none
	rank       uint32 // of this and the next part together
}

func (m *merger) count(piece string) int {
	if len(piece) == 1 || rank(piece) != noRank {
		return 1
	}
	m.begin(piece)
	n := len(piece)
	for len(m.queue) > 0 {
		c := heap.Pop(&m.queue).(candidate)
		at := int(c.at)
		if m.parts[at].rank != c.rank {
			continue // merged since
		}
		m.join(piece, at)
		n--
	}
	return n
}

// begin makes each byte a part.
func (m *merger) begin(piece string) {
	m.parts, m.queue = m.parts[:0], m.queue[:0]
	for i := range len(piece) + 1 {
		m.parts = append(m.parts, part{next: int32(i + 1), prev: int32(i - 1), rank: noRank})
	}
	for i := range len(piece) - 1 {
		if r := rank(piece[i : i+2]); r != noRank {
			m.parts[i].rank = r
			m.queue = append(m.queue, candidate{r, int32(i)})
		}
	}
	heap.Init(&m.queue)
}

// join merges the part at a place with the next one.
func (m *merger) join(piece string, at int) {
	gone := m.parts[at].next
	m.parts[gone].rank = noRank
	next := m.parts[gone].next
	m.parts[at].next = next
	if int(next) <= len(piece) {
		m.parts[next].prev = int32(at)
	}
	m.judge(piece, at)
	if before := m.parts[at].prev; before >= 0 {
		m.judge(piece, int(before))
	}
}

// judge looks up the part at a place together with the next one.
func (m *merger) judge(piece string, at int) {
	p := &m.parts[at]
	p.rank = noRank
	if int(p.next) >= len(piece) {
		return
	}
	if p.rank = rank(piece[at:m.parts[p.next].next]); p.rank != noRank {
		heap.Push(&m.queue, candidate{p.rank, int32(at)})
	}
}

// candidate is a pair that may be merged.
type candidate struct {
	rank uint32
	at   int32
}

type queue []candidate

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].rank < q[j].rank || q[i].rank == q[j].rank && q[i].at < q[j].at
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(candidate)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	*q = (*q)[:last]
	return c
}
