package coderank

import (
	"encoding/binary"
	"sort"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// unit is what a hit counts: a term, an identifier, a pair and so on, all numbered consecutively by
// a plan.
type unit uint16

const noUnit = ^unit(0)

// nearWindow is the distance in subwords within which two terms are near.
const nearWindow = 8

// nearReach is the maximum distance in the question of two terms of its first sentence that are
// searched for near each other.
const nearReach = 4

// maxNear limits the pairs that are searched for near each other.
const maxNear = 192

// plan says what to count for a query. It is shared by all collectors and immutable once made.
//
// Units are numbered: terms, identifiers, pairs, surface forms (a term exactly as the question
// writes it), neighbours (pairs near each other in any order) and companions (terms of the first
// sentence near each other).
type plan struct {
	query  *Query
	stems  map[string]unit
	idents map[string]unit
	joined map[string]unit // "sourcemap" for the pair source map
	pairs  [][]link        // by first term
	near   [][]link        // by lower term

	ident0, pair0, surface0, neighbour0, companion0, units int

	filter [1 << filterBits / 64]uint64 // of the first three bytes of what is counted
	sieve  sieve                        // of the same bytes
	idMin  int                          // length of the shortest identifier
	idMax  int
	wide   bool // some term is not Latin: look inside runs of wide characters
	high   bool // some term has bytes beyond ASCII
}

// link is a second term and the unit of the two together.
type link struct{ to, unit unit }

func newPlan(q *Query) *plan {
	n := len(q.Terms)
	p := &plan{query: q, stems: map[string]unit{}, idents: map[string]unit{}, joined: map[string]unit{},
		pairs: make([][]link, n), near: make([][]link, n)}
	p.ident0 = n
	p.pair0 = p.ident0 + len(q.Idents)
	p.surface0 = p.pair0 + len(q.Pairs)
	p.neighbour0 = p.surface0 + n
	p.addTerms()
	p.addIdents()
	p.addPairs()
	p.addNear()
	return p
}

func (p *plan) addTerms() {
	for i, t := range p.query.Terms {
		p.stems[t.Stem] = unit(i)
		if words.ClassOf(t.Stem[0])&words.Wide != 0 {
			p.wide = true
		}
		for j := range len(t.Stem) {
			p.high = p.high || t.Stem[j] >= 0x80
		}
		p.markStem(t.Stem)
	}
}

// markStem lets the words that may have this stem pass the filter. A word shares the first two bytes of
// its stem, and the third unless that is the stem's last: happy becomes happi, try becomes tri.
func (p *plan) markStem(stem string) {
	key := [4]byte{}
	copy(key[:], stem)
	if len(stem) > 3 {
		p.letPrefix(key)
		return
	}
	for c := range 256 {
		key[2] = byte(c)
		p.letPrefix(key)
	}
}

func (p *plan) letPrefix(key [4]byte) {
	p.sieve.addPrefix(key)
	h := hash3(binary.LittleEndian.Uint32(key[:]))
	p.filter[h>>6] |= 1 << (h & 63)
}

func (p *plan) addIdents() {
	for i, id := range p.query.Idents {
		n := id.Norm
		p.idents[n] = unit(p.ident0 + i)
		p.markStem(n[:2])
		p.markStem(n[:1] + "_")
		if p.idMin == 0 || len(n) < p.idMin {
			p.idMin = len(n)
		}
		p.idMax = max(p.idMax, len(n))
	}
}

func (p *plan) addPairs() {
	for i, k := range p.query.Pairs {
		u := unit(p.pair0 + i)
		p.pairs[k.A] = append(p.pairs[k.A], link{unit(k.B), u})
		if j := p.query.Terms[k.A].Word + p.query.Terms[k.B].Word; len(j) <= maxWord {
			if st := words.StemOf(j); p.joined[st] == 0 {
				p.joined[st] = u
				p.markStem(st)
			}
		}
	}
}

func (p *plan) addNear() {
	next := unit(p.neighbour0)
	seen := map[Pair]bool{}
	add := func(a, b int) {
		k := Pair{min(a, b), max(a, b)}
		if a == b || seen[k] || len(seen) >= maxNear {
			return
		}
		seen[k] = true
		p.near[k.A] = append(p.near[k.A], link{unit(k.B), next})
		next++
	}
	for _, k := range p.query.Pairs {
		add(k.A, k.B)
	}
	p.companion0 = int(next)
	for i, a := range p.query.Terms {
		for j := i + 1; j <= i+nearReach && j < len(p.query.Terms); j++ {
			if b := p.query.Terms[j]; a.Of < 0 && b.Of < 0 && a.Title > 0 && b.Title > 0 {
				add(i, j)
			}
		}
	}
	p.units = int(next)
}

func findLink(links []link, to unit) (unit, bool) {
	for _, l := range links {
		if l.to == to {
			return l.unit, true
		}
	}
	return 0, false
}

// nearMiss is a word of the tree that a word of the question may have meant.
type nearMiss struct {
	word string
	dist int
}

// maxNearMisses limits the near misses that are kept for a term.
const maxNearMisses = 4

// keepNearest inserts m into a list that stays sorted and short.
func keepNearest(list []nearMiss, m nearMiss) []nearMiss {
	i := sort.Search(len(list), func(i int) bool {
		return list[i].dist > m.dist || list[i].dist == m.dist && list[i].word >= m.word
	})
	if i < len(list) && list[i] == m || i == maxNearMisses {
		return list
	}
	list = append(list, nearMiss{})
	copy(list[i+1:], list[i:])
	list[i] = m
	return list[:min(len(list), maxNearMisses)]
}
