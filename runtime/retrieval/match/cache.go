package match

import (
	"math"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A target is a transition's value: the offset of a state's row, or one of these.
const (
	accept   uint32 = math.MaxUint32 - iota // the line matches
	dead                                    // the line cannot match any more
	wide                                    // a byte from 0x80 on: read a whole character
	unknown                                 // not computed yet
	reserved = unknown
)

// before is the kind of the character before a state.
type before uint8

const (
	beforeNone before = iota // the line begins
	beforeWord
	beforeOther
)

// cache holds the states of an automaton that one scanner has met.
type cache struct {
	*automaton
	next   []uint32 // a row of width() targets for each state
	states []state
	ids    map[string]uint32
	runes  map[runeStep]uint32 // transitions on characters from U+0080 on
	size   int                 // of all sets
	read   int                 // bytes read since the last reset
	start  uint32

	now, then sparse // instructions of the closure, of the next state
	key       []byte
	stack     []uint32
}

type state struct {
	set    []uint32 // ascending
	before before
}

type runeStep struct {
	state uint32
	r     rune
}

func newCache(a *automaton) *cache {
	n := len(a.prog.Inst)
	c := &cache{automaton: a, now: newSparse(n), then: newSparse(n)}
	c.reset()
	return c
}

// reset forgets all states but the first.
func (c *cache) reset() {
	c.next, c.states, c.size, c.read = c.next[:0], c.states[:0], 0, 0
	c.ids, c.runes = make(map[string]uint32), make(map[runeStep]uint32)
	c.start = c.intern(nil, beforeNone)
}

// full reports whether the cache has reached its limit.
func (c *cache) full() bool { return len(c.next)+c.size+4*len(c.runes) > c.limit }

// intern returns the state of a set, and adds it if it is new. The set is copied.
func (c *cache) intern(set []uint32, b before) uint32 {
	c.key = append(c.key[:0], byte(b))
	for _, pc := range set {
		c.key = append(c.key, byte(pc), byte(pc>>8), byte(pc>>16))
	}
	if id, ok := c.ids[string(c.key)]; ok {
		return id
	}
	id := uint32(len(c.next))
	c.ids[string(c.key)] = id
	c.states = append(c.states, state{slices.Clone(set), b})
	c.size += 2*len(set) + 16
	for range c.sample {
		c.next = append(c.next, unknown)
	}
	c.next = append(c.next, wide)
	return id
}

// step computes the target of a transition from a state on a character; '\n' means the line's end.
func (c *cache) step(from uint32, r rune) uint32 {
	s := c.states[int(from)/c.width()]
	if c.closure(s, r) {
		return accept
	}
	if r == '\n' {
		return c.start
	}
	c.then.clear()
	for _, pc := range c.now.list {
		if in := &c.prog.Inst[pc]; isRune(in) && in.MatchRune(r) && c.addFollowing(in.Out) {
			return accept
		}
	}
	if len(c.then.list) == 0 && c.anchored {
		return dead
	}
	slices.Sort(c.then.list)
	return c.intern(c.then.list, c.kindAfter(r))
}

func (c *cache) kindAfter(r rune) before {
	if c.words && r < utf8.RuneSelf && isWordByte(byte(r)) {
		return beforeWord
	}
	return beforeOther
}

// closure puts into now the instructions that can be reached from s, and from the pattern's start,
// without reading, given that r is next. It reports whether they include a match.
func (c *cache) closure(s state, r rune) bool {
	c.now.clear()
	flags := s.flags(r)
	for _, pc := range s.set {
		if c.addReachable(pc, flags) {
			return true
		}
	}
	return c.addReachable(uint32(c.prog.Start), flags)
}

// flags returns the assertions that hold between the character before s and r.
func (s state) flags(r rune) syntax.EmptyOp {
	prev := rune(' ')
	switch s.before {
	case beforeNone:
		prev = -1
	case beforeWord:
		prev = 'a'
	}
	if r == '\n' {
		r = -1
	}
	return syntax.EmptyOpContext(prev, r)
}

// addReachable adds pc and its successors to now, given that the assertions in flags hold.
func (c *cache) addReachable(pc uint32, flags syntax.EmptyOp) (matched bool) {
	return c.walk(&c.now, pc, flags, false)
}

// addFollowing adds pc and its successors to then, stopping at assertions.
func (c *cache) addFollowing(pc uint32) (matched bool) { return c.walk(&c.then, pc, 0, true) }

func (c *cache) walk(set *sparse, pc uint32, flags syntax.EmptyOp, keep bool) (matched bool) {
	c.stack = append(c.stack[:0], pc)
	for len(c.stack) > 0 {
		pc = c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if !set.addNew(pc) {
			continue
		}
		switch in := &c.prog.Inst[pc]; in.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			c.stack = append(c.stack, in.Arg, in.Out)
		case syntax.InstCapture, syntax.InstNop:
			c.stack = append(c.stack, in.Out)
		case syntax.InstEmptyWidth:
			if keep {
				set.keep(pc)
			} else if syntax.EmptyOp(in.Arg)&^flags == 0 {
				c.stack = append(c.stack, in.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			set.keep(pc)
		}
	}
	return false
}

func isRune(in *syntax.Inst) bool {
	switch in.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

// sparse collects instructions: marks for those seen in this generation, and a list of those worth keeping.
type sparse struct {
	mark []uint32
	gen  uint32
	list []uint32
}

func newSparse(n int) sparse { return sparse{mark: make([]uint32, n)} }

func (s *sparse) clear() {
	s.list = s.list[:0]
	if s.gen++; s.gen == 0 {
		clear(s.mark)
		s.gen = 1
	}
}

// addNew adds pc and reports whether it is new in this generation.
func (s *sparse) addNew(pc uint32) bool {
	if s.mark[pc] == s.gen {
		return false
	}
	s.mark[pc] = s.gen
	return true
}

func (s *sparse) keep(pc uint32) { s.list = append(s.list, pc) }
