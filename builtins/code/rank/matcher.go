package rank

// unit is what a hit counts: a term, an identifier or a pair, numbered in one row.
type unit uint16

const noUnit = ^unit(0)

const surface = unit(1 << 14)

// hit is one occurrence in a file.
type hit struct {
	off  uint32 // byte offset of the word or subword
	end  uint32
	pos  uint32 // subwords before it
	unit unit
}

// plan is the part of a query that all collectors share while they scan.
type plan struct {
	query   *Query
	terms   map[string]unit // stem -> term
	idents  map[string]unit // normal form -> identifier
	pairs   map[[2]unit]unit
	units   int
	soft0   int // first soft unit
	nearAll int
	near0   int // first unit of near pairs
	nears   map[[2]unit]unit
	joins   map[string]unit // "sourcemap" for the pair source map
	idMin   int
	idMax   int

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
	p.joins = map[string]unit{}
	for i, k := range q.Pairs {
		j := q.Terms[k[0]].Word + q.Terms[k[1]].Word
		if len(j) <= maxWord {
			p.joins[string(stem([]byte(j)))] = unit(n + i)
		}
	}
	n += len(q.Pairs)
	p.soft0 = n
	n += len(q.Terms)
	p.near0 = n
	p.nears = map[[2]unit]unit{}
	addNear := func(a, b int) {
		if a > b {
			a, b = b, a
		}
		k := [2]unit{unit(a), unit(b)}
		if _, ok := p.nears[k]; !ok && a != b && len(p.nears) < 200 {
			p.nears[k] = unit(n)
			n++
		}
	}
	for _, k := range q.Pairs {
		addNear(k[0], k[1])
	}
	p.nearAll = n
	for i, a := range q.Terms {
		for j := i + 1; j < len(q.Terms) && j < i+5; j++ {
			if b := q.Terms[j]; a.Of < 0 && b.Of < 0 && a.Title > 0 && b.Title > 0 {
				addNear(i, j)
			}
		}
	}
	p.units = n
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
	var ring [8]recent
	ri := 0
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
				if i < n && class[data[i]] == upper {
					if e := subword(data, i); e-s <= maxWord {
						if j := m.lookup(data[s:e]); j != noUnit && int(j&^surface) < len(m.query.Terms) {
							u = j
						}
					}
				}
			}
			if u != noUnit && u&surface != 0 {
				u &^= surface
				m.hits = append(m.hits, hit{uint32(s), uint32(i), uint32(pos), u + unit(m.soft0)})
			}
			if u == noUnit {
				continue
			}
			m.hits = append(m.hits, hit{uint32(s), uint32(i), uint32(pos), u})
			if lastPos == pos-1 {
				if pu, ok := m.pairs[[2]unit{lastUnit, u}]; ok {
					m.hits = append(m.hits, hit{uint32(s), uint32(i), uint32(pos), pu})
				}
			}
			if int(u) < len(m.query.Terms) {
				for k := range ring {
					if r := &ring[k]; r.pos > 0 && pos-r.pos <= nearWindow && pos-r.pos > 1 {
						a, b := r.u, u
						if a > b {
							a, b = b, a
						}
						if nu, ok := m.nears[[2]unit{a, b}]; ok {
							m.hits = append(m.hits, hit{uint32(s), uint32(i), uint32(pos), nu})
						}
					}
				}
				ring[ri&7] = recent{pos, u}
				ri++
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
	st := string(stem(b))
	u, ok := m.terms[st]
	if !ok {
		u, ok = m.joins[st]
	}
	if !ok {
		u = noUnit
	}
	if ok && int(u) < len(m.query.Terms) && m.query.Terms[u].Word == key {
		u |= surface
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

type recent struct {
	pos int
	u   unit
}

const nearWindow = 8
