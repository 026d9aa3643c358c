package rank

// unit is what a hit counts: a term, an identifier or a pair, numbered in one row.
type unit uint16

const noUnit = ^unit(0)

// hit is one occurrence in a file.
type hit struct {
	off  uint32 // byte offset of the word or subword
	end  uint32
	pos  uint32 // subwords before it
	unit unit
}

// plan is the part of a query that all collectors share while they scan.
type plan struct {
	query  *Query
	terms  map[string]unit // stem -> term
	idents map[string]unit // normal form -> identifier
	pairs  map[[2]unit]unit
	units  int
	idMin  int
	idMax  int

	prefix [38*38*38/64 + 1]uint64 // first three codes of a term's stem
	idHead [38 * 38]bool           // first two codes of an identifier
}

func newPlan(q *Query) *plan {
	p := &plan{query: q, terms: map[string]unit{}, idents: map[string]unit{}, pairs: map[[2]unit]unit{}}
	for i, t := range q.Terms {
		p.terms[t.Stem] = unit(i)
		p.mark(t.Stem)
		if len(t.Word) < 4 {
			p.mark(t.Word)
		}
	}
	n := len(q.Terms)
	p.idMin = 1 << 30
	for i, id := range q.Idents {
		p.idents[id.Norm] = unit(n + i)
		p.idHead[code[id.Norm[0]]*38+code[id.Norm[1]]] = true
		p.idMin = min(p.idMin, len(id.Norm))
		p.idMax = max(p.idMax, len(id.Norm))
	}
	n += len(q.Idents)
	for i, k := range q.Pairs {
		p.pairs[[2]unit{unit(k[0]), unit(k[1])}] = unit(n + i)
	}
	p.units = n + len(q.Pairs)
	return p
}

// mark lets words through the prefix filter that can have this stem. A stem
// shares its first two letters with its word, and the third unless it is the
// stem's last (happy, happi; try, tri).
func (p *plan) mark(stem string) {
	if len(stem) >= 4 {
		p.set(stem[0], stem[1], stem[2])
		return
	}
	for c := 0; c < 256; c++ {
		if c == 0 || class[c] != sep {
			p.set(stem[0], stem[1], byte(c))
		}
	}
}

func (p *plan) set(a, b, c byte) {
	i := int(code[a])*38*38 + int(code[b])*38 + int(code[c])
	p.prefix[i>>6] |= 1 << (i & 63)
}

// matcher finds the hits of one worker.
type matcher struct {
	*plan
	memo map[string]unit
	buf  [maxWord]byte
	hits []hit
}

func newMatcher(p *plan) *matcher { return &matcher{plan: p, memo: map[string]unit{}} }

// maxMemo bounds the memory of seen subwords; beyond it each is stemmed anew.
const maxMemo = 1 << 14

// find replaces m.hits with the hits of data and returns the number of subwords.
func (m *matcher) find(data []byte) int {
	m.hits = m.hits[:0]
	pos := 0
	lastPos, lastUnit := -2, noUnit
	n := len(data)
	for i := 0; i < n; {
		if class[data[i]] == sep {
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
			if c == sep {
				break
			}
			s := i
			i = subword(data, i)
			pos++
			if i-s < 2 {
				continue
			}
			var third uint16
			if i-s > 2 {
				third = code[data[s+2]]
			}
			x := int(code[data[s]])*38*38 + int(code[data[s+1]])*38 + int(third)
			if m.prefix[x>>6]&(1<<(x&63)) == 0 || i-s > maxWord {
				continue
			}
			u := m.lookup(data[s:i])
			if u == noUnit {
				continue
			}
			m.hits = append(m.hits, hit{uint32(s), uint32(i), uint32(pos), u})
			if lastPos == pos-1 {
				if pu, ok := m.pairs[[2]unit{lastUnit, u}]; ok {
					m.hits = append(m.hits, hit{uint32(s), uint32(i), uint32(pos), pu})
				}
			}
			lastPos, lastUnit = pos, u
		}
		if i-start >= m.idMin {
			m.ident(data, start, i, pos)
		}
	}
	return pos
}

func (m *matcher) lookup(w []byte) unit {
	b := m.buf[:len(w)]
	for i, c := range w {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		b[i] = c
	}
	if u, ok := m.memo[string(b)]; ok {
		return u
	}
	key := string(b)
	u, ok := m.terms[string(stem(b))]
	if !ok {
		u = noUnit
	}
	if len(m.memo) < maxMemo {
		m.memo[key] = u
	}
	return u
}

func (m *matcher) ident(data []byte, s, e, pos int) {
	for s < e && data[s] == '_' {
		s++
	}
	if e-s < m.idMin || e-s > 2*m.idMax+2 {
		return
	}
	c2 := code[data[s+1]]
	if data[s+1] != '_' && !m.idHead[code[data[s]]*38+c2] {
		return
	}
	var b [256]byte
	n := 0
	for _, c := range data[s:e] {
		if c == '_' {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if n == len(b) {
			return
		}
		b[n] = c
		n++
	}
	if u, ok := m.idents[string(b[:n])]; ok {
		m.hits = append(m.hits, hit{uint32(s), uint32(e), uint32(pos), u})
	}
}
