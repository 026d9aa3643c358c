package coderank

import "math"

// replayer counts a question's units in streams for one collector.
type replayer struct {
	m     *matcher
	heads [36 * 36]bool // two letters that may begin a compound
	pairs [36 * 36]bool // two letters that may be a term
	ends  []int         // offsets in the stream's text where its subwords end
	units []unit        // of the stream's subwords
	marks []uint8       // of the stream's subwords, then of its symbols
	class []uint8
	buf   []byte
}

// Properties of a subword with respect to the question.
const (
	isTerm     = 1 << iota // counts on its own
	mayJoin                // may count together with the one after it
	mayBeIdent             // may begin one of the identifiers
)

// Replays reports whether this question can be answered from streams. A question with characters
// beyond ASCII depends on text that streams do not hold.
func (r *Ranker) Replays() bool { return r.plan.replays() }

func (p *plan) replays() bool {
	if p.high || p.wide {
		return false
	}
	for _, id := range p.query.Idents {
		for i := range len(id.Norm) {
			if id.Norm[i] >= 0x80 {
				return false
			}
		}
		if len(id.Norm) > maxWord { // may be one subword, which streams do not number
			return false
		}
	}
	return true
}

// Replay does the same as Scan, on the stream of the file's content.
func (c *Collector) Replay(p string, s *Stream) Words {
	if c.rp == nil {
		c.rp = newReplayer(c.m)
	}
	f := counted{path: p, bucket: c.bucketOf(p, func() bool { return s.generated }), tokens: len(s.seq), lo: len(c.arena), arena: c.id}
	if c.rp.markStream(s) {
		c.rp.countSymbols(c, s)
	}
	c.finishFile(f)
	words, fill := c.wantsWords(&f, s.size)
	if fill {
		words = s.words
	}
	return words
}

func newReplayer(m *matcher) *replayer {
	rp := &replayer{m: m}
	const letters = "0123456789abcdefghijklmnopqrstuvwxyz"
	for i := range letters {
		for j := range letters {
			rp.pairs[36*i+j] = m.passes(prefixHash([]byte{letters[i], letters[j]}, 0)) != 0
			for k := 10; k < len(letters) && !rp.heads[36*i+j]; k++ {
				rp.heads[36*i+j] = m.passes(prefixHash([]byte{letters[i], letters[j], letters[k]}, 0)) != 0
			}
		}
	}
	return rp
}

// markStream marks the subwords and symbols that matter, and reports whether there are any.
func (rp *replayer) markStream(s *Stream) bool {
	rp.ends, rp.units, rp.marks = resizeSlice(rp.ends, len(s.sizes)), resizeSlice(rp.units, len(s.sizes)), resizeSlice(rp.marks, len(s.sizes))
	end, some := 0, uint8(0)
	for i, n := range s.sizes {
		start := end
		end += int(n)
		rp.ends[i] = end
		rp.marks[i] = 0
		if n >= 3 && rp.m.passes(uint32(s.prefixes[i])) == 0 {
			continue
		}
		rp.markSubword(i, s.text[start:end])
		some |= rp.marks[i]
	}
	if some == 0 {
		return false
	}
	rp.class = resizeSlice(rp.class, len(s.symbols))
	for i, sym := range s.symbols {
		rp.class[i] = 0
		if w := sym.word(); w != noWord {
			rp.class[i] = rp.marks[w]
		}
	}
	return true
}

// resizeSlice returns a slice of n elements with unspecified content.
func resizeSlice[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/2)[:n]
	}
	return s[:n]
}

// markSubword determines the meaning of subword i.
func (rp *replayer) markSubword(i int, w []byte) {
	rp.units[i] = noUnit
	look := len(w) >= 3
	if len(w) == 2 {
		at := 36*digitIndex(w[0]) + digitIndex(w[1])
		if look = rp.pairs[at]; rp.heads[at] {
			rp.marks[i] = mayJoin
		}
	}
	if look {
		if rp.units[i] = rp.m.lookup(w).unit; rp.units[i] != noUnit {
			rp.marks[i] = isTerm
		} else {
			rp.marks[i] |= mayJoin
		}
	}
	for _, id := range rp.m.query.Idents {
		if len(id.Norm) >= len(w) && id.Norm[:len(w)] == string(w) {
			rp.marks[i] |= mayBeIdent
		}
	}
}

// digitIndex numbers digits and lowercase letters, from 0 to 35.
func digitIndex(c byte) int {
	if c <= '9' {
		return int(c - '0')
	}
	return int(c-'a') + 10
}

// countSymbols counts the units of a stream as matcher.start and Collector.Scan do in text.
func (rp *replayer) countSymbols(c *Collector, s *Stream) {
	prev, prevAt := noUnit, -2
	for at, sym := range s.seq {
		what := rp.class[sym]
		if what == 0 {
			continue
		}
		if what&mayBeIdent != 0 {
			rp.countIdent(c, s, at)
		}
		u := noUnit
		if what&isTerm != 0 {
			u = rp.units[s.symbols[sym].word()]
		} else if what&mayJoin != 0 {
			u = rp.compoundAt(s, at)
		}
		if u == noUnit {
			continue
		}
		c.countUnit(u)
		if int(u) >= c.m.ident0 { // a pair written as one word
			continue
		}
		if prev != noUnit && prevAt == at-1 {
			if pair, ok := findLink(c.m.pairs[prev], u); ok {
				c.countUnit(pair)
			}
		}
		prev, prevAt = u, at
	}
}

// countUnit counts one occurrence.
func (c *Collector) countUnit(u unit) {
	if t := c.countOf(u); t.body < math.MaxUint16 {
		t.body++
	}
}

func (rp *replayer) word(s *Stream, w int) []byte {
	return s.text[rp.ends[w]-int(s.sizes[w]) : rp.ends[w]]
}

// compoundAt returns the term that a subword and the one right after it make up, or noUnit.
func (rp *replayer) compoundAt(s *Stream, at int) unit {
	if at+1 == len(s.seq) {
		return noUnit
	}
	next := s.symbols[s.seq[at+1]]
	if next.tie() != camel || next.word() == noWord {
		return noUnit
	}
	a, b := rp.word(s, s.symbols[s.seq[at]].word()), rp.word(s, next.word())
	if len(a)+len(b) > maxWord {
		return noUnit
	}
	rp.buf = append(append(rp.buf[:0], a...), b...)
	if len(a) == 2 && rp.m.passes(prefixHash(rp.buf, 0)) == 0 {
		return noUnit
	}
	if j := rp.m.lookup(rp.buf); int(j.unit) < rp.m.ident0 {
		return j.unit
	}
	return noUnit
}

// countIdent counts the whole word that begins at a position of the stream, if it is an identifier.
func (rp *replayer) countIdent(c *Collector, s *Stream, at int) {
	tie := s.symbols[s.seq[at]].tie()
	if tie != first && tie != defined {
		return
	}
	rp.buf = rp.buf[:0]
	for i := at; i < len(s.seq); i++ {
		sym := s.symbols[s.seq[i]]
		if i > at && sym.tie() != camel && sym.tie() != under_ {
			break
		}
		if sym.word() == noWord || len(rp.buf) > c.m.idMax {
			return
		}
		rp.buf = append(rp.buf, rp.word(s, sym.word())...)
	}
	u, ok := c.m.idents[string(rp.buf)]
	if !ok {
		return
	}
	t := c.countOf(u)
	if t.body < math.MaxUint16 {
		t.body++
	}
	if tie == defined && t.defs < math.MaxUint8 {
		t.defs++
	}
}
