package rank

import (
	"bytes"
)

// hit is one occurrence of a unit in a file.
type hit struct {
	off, end uint32 // byte offsets of the word or subword
	unit     unit
}

// maxMemo bounds the memory of subwords seen; beyond it each is stemmed anew.
const maxMemo = 1 << 14

// matcher finds the hits of one worker. Its memory of subwords makes the cost
// of a stem one that is paid once for each spelling.
type matcher struct {
	*plan
	deep   bool // also find surface forms and neighbours
	hits   []hit
	memo   map[string]meaning
	misses [][]nearMiss // by term
	buf    [maxWord]byte

	prev   unit // the last term, if it was the subword before
	recent [8]recent
	turn   int
}

// meaning is what a subword stands for in the query.
type meaning struct {
	unit    unit
	surface bool // written as in the question
}

// recent is a term seen lately, at a subword's number.
type recent struct {
	pos  int
	unit unit
}

func newMatcher(p *plan) *matcher {
	return &matcher{plan: p, memo: map[string]meaning{}, misses: make([][]nearMiss, len(p.query.Terms))}
}

// find replaces m.hits by the hits of data, in order, and returns the number
// of subwords. A subword costs a table look-up for each byte and one for its
// first three; only those that the prefix filter lets through cost more.
func (m *matcher) find(data []byte) int {
	m.hits = m.hits[:0]
	m.prev = noUnit
	m.recent = [8]recent{}
	pos := 1 // so that an empty slot of recent is never near
	if m.deep {
		pos += nearWindow
	}
	first := pos
	n := len(data)
	for i := 0; i < n; {
		if class[data[i]] == separator {
			i++
			continue
		}
		start := i
		for i < n {
			c := class[data[i]]
			if c == under {
				i++
				continue
			}
			if c == separator {
				break
			}
			s := i
			if c == upper {
				i = subword(data, i)
			} else if c != wide {
				for i++; i < n && class[data[i]]&(lower|cont) != 0; i++ {
				}
			} else {
				i = run(data, i+1, wide|cont)
				m.wideHits(data, s, i, pos)
			}
			pos++
			if m.passes(data, s, i) {
				m.term(data, s, i, pos)
			} else {
				m.prev = noUnit
			}
		}
		if m.idMin > 0 && i-start >= m.idMin {
			m.ident(data, start, i)
		}
	}
	return pos - first
}

// passes reports whether the subword may be a term.
func (m *matcher) passes(data []byte, s, e int) bool {
	if e-s < 2 {
		return false
	}
	third := uint8(0)
	if e-s > 2 {
		third = code[data[s+2]]
	}
	x := prefixIndex(code[data[s]], code[data[s+1]], third)
	return m.prefix[x>>6]&(1<<(x&63)) != 0 && e-s <= maxWord
}

// term records a subword that passed the filter, if it is a term; a compound
// such as sourceMap also counts for the question's sourcemap.
func (m *matcher) term(data []byte, s, e, pos int) {
	w := m.lookup(data[s:e])
	if w.unit == noUnit && e < len(data) && class[data[e]] == upper {
		if end := subword(data, e); end-s <= maxWord {
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
		if u, ok := find(m.pairs[m.prev], w.unit); ok {
			h.unit = u
			m.hits = append(m.hits, h)
		}
	}
	if m.deep {
		m.around(h, w, pos)
	}
	m.prev = w.unit
}

// around records the surface form of a term and the terms near it.
func (m *matcher) around(h hit, w meaning, pos int) {
	if w.surface {
		h.unit = unit(m.surface0) + w.unit
		m.hits = append(m.hits, h)
	}
	for _, r := range m.recent {
		if d := pos - r.pos; d < 2 || d > nearWindow {
			continue
		}
		if u, ok := find(m.near[min(r.unit, w.unit)], max(r.unit, w.unit)); ok {
			h.unit = u
			m.hits = append(m.hits, h)
		}
	}
	m.recent[m.turn&7] = recent{pos, w.unit}
	m.turn++
}

// lookup says what a subword means, from memory where it was seen before.
func (m *matcher) lookup(w []byte) meaning {
	b := m.buf[:len(w)]
	high := false
	for i, c := range w {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		high = high || c >= 0x80
		b[i] = c
	}
	if u, ok := m.memo[string(b)]; ok {
		return u
	}
	key := string(b)
	st := stem(b)
	if high {
		if !m.high {
			return meaning{unit: noUnit}
		}
		st = bytes.ToLower(w)
	}
	u, ok := m.stems[string(st)]
	if !ok {
		if u, ok = m.joined[string(st)]; !ok {
			u = noUnit
			m.nearly(key)
		}
	}
	v := meaning{unit: u, surface: int(u) < m.ident0 && m.query.Terms[u].Word == key}
	if len(m.memo) < maxMemo {
		m.memo[key] = v
	}
	return v
}

// nearly remembers a word that differs from a term by a slip of the keyboard.
func (m *matcher) nearly(w string) {
	if len(w) < 4 {
		return
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
		if d := distance(w, t.Word, allowed); d <= allowed {
			m.misses[i] = keepNearest(m.misses[i], nearMiss{w, d})
		}
	}
}

// wideHits finds terms among the character pairs of a run without spaces.
func (m *matcher) wideHits(data []byte, s, e, pos int) {
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

// ident records a whole word that is one of the question's identifiers, in any
// case and with or without underscores.
func (m *matcher) ident(data []byte, s, e int) {
	for s < e && data[s] == '_' {
		s++
	}
	if e-s < m.idMin || e-s > 2*m.idMax+2 {
		return
	}
	if c := data[s+1]; c != '_' && !m.heads[int(code[data[s]])*codes+int(code[c])] {
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
