package coderank

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// hit is one occurrence of a unit in a file.
type hit struct {
	off, end uint32 // byte offsets of the word or subword
	unit     unit
}

// memoBits sizes the cache of subwords, with entries of 24 bytes each.
const memoBits = 12

// memory is a cache entry: a subword and its meaning.
type memory struct {
	key  uint64
	size uint8
	meaning
}

// matcher finds the hits of one worker. Its cache of subwords makes the cost of a stem one that is
// paid once for each spelling.
type matcher struct {
	*plan
	deep   bool // also find surface forms and neighbours
	hits   []hit
	memo   []memory
	misses [][]nearMiss // by term
	buf    [maxWord]byte
	words  Words // of the current file, if they are wanted

	prev    unit // the last term, if it was the subword before
	prevPos int
	recent  [8]recent
	turn    int
}

// meaning is what a subword stands for in the query.
type meaning struct {
	unit    unit
	surface bool // written as in the question
}

// recent is a term seen lately, with the number of its subword.
type recent struct {
	pos  int
	unit unit
}

func newMatcher(p *plan) *matcher {
	return &matcher{plan: p, memo: make([]memory, 1<<memoBits), misses: make([][]nearMiss, len(p.query.Terms))}
}

// find replaces m.hits with the hits in data, in order, and returns the number of subwords. Only
// subwords that the filter lets through cost more than a table lookup.
func (m *matcher) find(data []byte) int {
	m.reset()
	if m.high {
		return m.findWide(data)
	}
	return m.findFast(data)
}

func (m *matcher) reset() *matcher {
	m.hits = m.hits[:0]
	m.prev, m.prevPos = noUnit, -2
	m.recent = [8]recent{}
	return m
}

// findWide implements find for queries with characters beyond ASCII.
func (m *matcher) findWide(data []byte) int {
	pos := nearWindow + 1
	first := pos
	for i := 0; i < len(data); {
		if c := words.ClassOf(data[i]); c == words.Separator || c == words.Under {
			i++
			continue
		}
		if h := prefixHash(data, i); m.filter[h>>6]&(1<<(h&63)) != 0 {
			m.matchSubword(data, i, pos)
		}
		e := words.Next(data, i)
		if words.ClassOf(data[i]) == words.Wide {
			m.wideHits(data, i, e)
		}
		i = e
		pos++
	}
	return pos - first
}

// recordTerm records a subword that passed the filter, if it is a term; a compound
// such as sourceMap also counts for the question's sourcemap.
func (m *matcher) recordTerm(data []byte, s, e, pos int) {
	w := m.lookup(data[s:e])
	if w.unit == noUnit && e < len(data) && words.ClassOf(data[e]) == words.Upper {
		if end := words.Next(data, e); end-s <= maxWord {
			if j := m.lookup(data[s:end]); int(j.unit) < m.ident0 {
				w = j
			}
		}
	}
	if w.unit == noUnit {
		m.prev = noUnit
		return
	}
	h := hit{uint32(s), uint32(e), w.unit}
	m.hits = append(m.hits, h)
	if int(w.unit) >= m.ident0 { // a pair written as one word
		m.prev = noUnit
		return
	}
	if m.prev != noUnit {
		if u, ok := findLink(m.pairs[m.prev], w.unit); ok {
			h.unit = u
			m.hits = append(m.hits, h)
		}
	}
	if m.deep {
		m.recordNear(h, w, pos)
	}
	m.prev = w.unit
}

// recordNear records the surface form of a term and the terms near it.
func (m *matcher) recordNear(h hit, w meaning, pos int) {
	if w.surface {
		h.unit = unit(m.surface0) + w.unit
		m.hits = append(m.hits, h)
	}
	for _, r := range m.recent {
		if d := pos - r.pos; d < 2 || d > nearWindow {
			continue
		}
		if u, ok := findLink(m.near[min(r.unit, w.unit)], max(r.unit, w.unit)); ok {
			h.unit = u
			m.hits = append(m.hits, h)
		}
	}
	m.recent[m.turn&7] = recent{pos, w.unit}
	m.turn++
}

// lookup returns the meaning of a subword, from the cache if it was seen lately. Beyond ASCII,
// keys fold more than case, so in a query beyond ASCII such words bypass the cache.
func (m *matcher) lookup(w []byte) meaning {
	if m.high && !isASCII(w) {
		return m.resolveMeaning(w)
	}
	key := wordKey(w)
	slot := &m.memo[key*0x9E3779B97F4A7C15>>(64-memoBits)]
	if slot.key != key || int(slot.size) != len(w) {
		*slot = memory{key, uint8(len(w)), m.resolveMeaning(w)}
	}
	return slot.meaning
}

// resolveMeaning determines the meaning of a subword.
func (m *matcher) resolveMeaning(w []byte) meaning {
	b := m.buf[:len(w)]
	high := false
	for i, c := range w {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		high = high || c >= 0x80
		b[i] = c
	}
	if high {
		if !m.high {
			return meaning{unit: noUnit}
		}
		b = bytes.ToLower(w)
	}
	key := string(b)
	u, ok := m.stems[string(words.Stem(b))]
	if !ok {
		if u, ok = m.joined[words.StemOf(key)]; !ok {
			m.recordMiss(key)
			return meaning{unit: noUnit}
		}
	}
	return meaning{unit: u, surface: int(u) < m.ident0 && m.query.Terms[u].Word == key}
}

func isASCII(w []byte) bool {
	for _, c := range w {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// wordKey returns a number for a word, ignoring the case of letters: the word itself up to eight
// bytes, a hash of 64 bits for a longer one.
func wordKey(w []byte) uint64 {
	const fold = 0x20 * each
	if len(w) <= 8 {
		var b [8]byte
		copy(b[:], w)
		return binary.LittleEndian.Uint64(b[:]) | fold
	}
	h := uint64(0)
	for ; len(w) > 8; w = w[8:] {
		h = bits.RotateLeft64((h^(binary.LittleEndian.Uint64(w)|fold))*0x9E3779B97F4A7C15, 29)
	}
	var b [8]byte
	copy(b[:], w)
	return (h ^ (binary.LittleEndian.Uint64(b[:]) | fold)) * 0x9E3779B97F4A7C15
}

// recordMiss remembers a word that differs from a term by a typing error.
func (m *matcher) recordMiss(w string) {
	if len(w) < 4 || !m.sieve.passes(w) {
		return // a vectorized scan never sees what only the filter lets through
	}
	for i := range m.query.Terms {
		t := &m.query.Terms[i]
		allowed := 1
		if len(t.Word) > 7 {
			allowed = 2
		}
		if t.Of >= 0 || len(t.Word) < 4 || len(w)-len(t.Word) > allowed || len(t.Word)-len(w) > allowed {
			continue
		}
		if d := words.Edits(w, t.Word, allowed); d <= allowed {
			m.misses[i] = keepNearest(m.misses[i], nearMiss{w, d})
		}
	}
}

// wideHits finds terms among the character pairs of a run without spaces.
func (m *matcher) wideHits(data []byte, s, e int) {
	if !m.wide {
		return
	}
	at := s
	forPairs(string(data[s:e]), func(pair string) {
		if u, ok := m.stems[pair]; ok {
			m.hits = append(m.hits, hit{uint32(at), uint32(at + len(pair)), u})
		}
		at += len(pair) / 2
	})
}

// recordIdent records a whole word that is one of the question's identifiers, ignoring case and
// underscores.
func (m *matcher) recordIdent(data []byte, s, e int) {
	for s < e && data[s] == '_' {
		s++
	}
	if e-s < m.idMin || e-s > 2*m.idMax+2 {
		return
	}
	var b [256]byte
	n := 0
	for _, c := range data[s:e] {
		if c == '_' {
			continue
		}
		if n == len(b) {
			return
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		b[n] = c
		n++
	}
	if u, ok := m.idents[string(b[:n])]; ok {
		m.hits = append(m.hits, hit{uint32(s), uint32(e), u})
	}
}
