package match

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Bounds on what extraction multiplies out; past them it settles for a shorter requirement.
const (
	maxWords  = 256  // words in one set
	maxJoined = 64   // words in one set made by joining two
	maxUnits  = 1024 // classes in such a set
	maxRunes  = 8    // non-ASCII characters in a class that are spelled out
	clipLen   = 24   // classes kept at an open end
)

// parts is what is known of the text that a node of a pattern matches.
type parts struct {
	// exact says that words are all the node matches, in order of preference, and guarded that an assertion such as \b
	// may still refuse some of them.
	exact, guarded bool
	words          []word
	// Of a node that is not exact: every match begins with a word of prefix and ends with a word of suffix. The empty
	// word says that nothing is known.
	prefix, suffix []word
	// need is a set of which every match holds a word.
	need need
}

// need is a set of words with the cost of looking for it; no words: nothing is needed.
type need struct {
	words []word
	cost  float64
}

var nothing = []word{{}}

func isNothing(words []word) bool { return len(words) == 1 && len(words[0]) == 0 }

func open() parts { return parts{prefix: nothing, suffix: nothing} }

func exactly(words ...word) parts { return parts{exact: true, words: words} }

func (p parts) head() []word {
	if p.exact {
		return p.words
	}
	return p.prefix
}

func (p parts) tail() []word {
	if p.exact {
		return p.words
	}
	return p.suffix
}

func (p parts) needs() need {
	if p.exact {
		return needOf(p.words)
	}
	return p.need
}

func needOf(words []word) need {
	for _, w := range words {
		if len(w) == 0 {
			return need{}
		}
	}
	if len(words) == 0 {
		return need{}
	}
	return need{words, arrange(words).cost + confirmCost*frequency(words)}
}

// cheapest gives the need that costs least to look for.
func cheapest(needs ...need) (best need) {
	for _, n := range needs {
		if n.words != nil && (best.words == nil || n.cost < best.cost) {
			best = n
		}
	}
	return best
}

// extractor walks a simplified pattern.
type extractor struct {
	// folds is set when a class of s or k left out U+017F or U+212A, their only non-ASCII forms. Lines that hold one of
	// the two must then be looked at whatever words they hold.
	folds bool
}

func (x *extractor) of(re *syntax.Regexp) parts {
	switch re.Op {
	case syntax.OpNoMatch:
		return exactly()
	case syntax.OpEmptyMatch:
		return exactly(word{})
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		p := exactly(word{})
		p.guarded = true
		return p
	case syntax.OpLiteral:
		return x.literal(re)
	case syntax.OpCharClass:
		return x.oneOf(re.Rune)
	case syntax.OpCapture:
		return x.of(re.Sub[0])
	case syntax.OpConcat:
		p := exactly(word{})
		for _, sub := range re.Sub {
			p = concat(p, x.of(sub))
		}
		return p
	case syntax.OpAlternate:
		return x.alternate(re.Sub)
	case syntax.OpPlus:
		return plus(x.of(re.Sub[0]))
	case syntax.OpQuest:
		return quest(x.of(re.Sub[0]), re.Flags&syntax.NonGreedy != 0)
	}
	return open()
}

func (x *extractor) literal(re *syntax.Regexp) parts {
	out, run := exactly(word{}), word{}
	for _, r := range re.Rune {
		p := x.oneOf(orbit(r, re.Flags&syntax.FoldCase != 0))
		if p.exact && len(p.words) == 1 {
			run = append(run, p.words[0]...)
			continue
		}
		out, run = concat(concat(out, exactly(run)), p), nil
	}
	return concat(out, exactly(run))
}

// orbit gives r, with the characters that fold to it if asked, as the ranges of a class.
func orbit(r rune, fold bool) []rune {
	ranges := []rune{r, r}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			ranges = append(ranges, f, f)
		}
	}
	return ranges
}

// oneOf gives the words for one character out of ranges, pairs of first and last.
func (x *extractor) oneOf(ranges []rune) parts {
	ascii := new(class)
	var wide []rune
	for i := 0; i < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		for ; lo <= hi && lo < utf8.RuneSelf; lo++ {
			if lo != '\n' {
				ascii.add(byte(lo))
			}
		}
		if hi-lo >= maxRunes || len(wide) > maxRunes {
			return open()
		}
		for ; lo <= hi; lo++ {
			wide = append(wide, lo)
		}
	}
	// U+FFFD is what regexp sees in place of invalid bytes.
	if slices.Contains(wide, utf8.RuneError) {
		return open()
	}
	if rest := slices.DeleteFunc(slices.Clone(wide), foldsTo(ascii)); len(rest) < len(wide) {
		x.folds, wide = true, rest
	}
	var words []word
	if ascii.size > 0 {
		words = append(words, word{ascii})
	}
	for _, r := range wide {
		words = append(words, spell(string(r)))
	}
	return exactly(words...)
}

// foldsTo says of a character whether it is one of the two that fold to an ASCII letter, and that letter is in c.
func foldsTo(c *class) func(rune) bool {
	return func(r rune) bool { return r == longS && c.has('s') || r == kelvin && c.has('k') }
}

const (
	longS  = '\u017F'
	kelvin = '\u212A'
)

func (x *extractor) alternate(subs []*syntax.Regexp) parts {
	out := parts{exact: true}
	var needed []word
	whole := true
	for _, sub := range subs {
		p := x.of(sub)
		out.exact = out.exact && p.exact
		out.guarded = out.guarded || p.guarded
		out.prefix = append(out.prefix, p.head()...)
		out.suffix = append(out.suffix, p.tail()...)
		n := p.needs()
		whole = whole && n.words != nil
		needed = append(needed, n.words...)
	}
	if len(out.prefix) > maxWords && !out.exact || len(out.suffix) > MaxLiterals {
		out.exact, out.prefix, out.suffix = false, nothing, nothing
	}
	if out.exact {
		out.words = out.prefix
	} else if whole && len(needed) <= maxWords {
		out.need = needOf(needed)
	}
	return out
}

func plus(p parts) parts {
	return parts{prefix: p.head(), suffix: p.tail(), need: p.needs(), guarded: p.guarded}
}

func quest(p parts, lazy bool) parts {
	if !p.exact {
		return open()
	}
	p.words = slices.Clone(p.words)
	if lazy {
		p.words = slices.Insert(p.words, 0, word{})
	} else {
		p.words = append(p.words, word{})
	}
	return p
}

func concat(a, b parts) parts {
	out := parts{guarded: a.guarded || b.guarded}
	if a.exact && b.exact {
		if words, ok := join(a.words, b.words); ok {
			out.exact, out.words = true, words
			return out
		}
	}
	out.need = cheapest(a.needs(), b.needs(), needOf(a.tail()), needOf(b.head()))
	if words, ok := join(a.tail(), b.head()); ok {
		out.need = cheapest(out.need, needOf(words))
	}
	out.prefix, out.suffix = a.head(), b.tail()
	if words, ok := join(a.words, b.head()); ok && a.exact {
		out.prefix = words
	}
	if words, ok := join(a.tail(), b.words); ok && b.exact {
		out.suffix = words
	}
	out.prefix = clip(out.prefix, func(w word) word { return w[:min(len(w), clipLen)] })
	out.suffix = clip(out.suffix, func(w word) word { return w[max(0, len(w)-clipLen):] })
	return out
}

// join gives every word of a followed by every word of b, a's order before b's, unless these are too many.
func join(a, b []word) (words []word, ok bool) {
	if isNothing(a) {
		return b, true
	}
	if isNothing(b) {
		return a, true
	}
	if len(a)*len(b) > maxJoined {
		return nil, false
	}
	if units(a)*len(b)+units(b)*len(a) > maxUnits && len(a)*len(b) > 1 {
		return nil, false
	}
	words = make([]word, 0, len(a)*len(b))
	for _, u := range a {
		for _, v := range b {
			words = append(words, slices.Concat(u, v))
		}
	}
	return words, true
}

func units(words []word) (n int) {
	for _, w := range words {
		n += len(w)
	}
	return n
}

func clip(words []word, cut func(word) word) []word {
	out := make([]word, len(words))
	for i, w := range words {
		out[i] = cut(w)
	}
	return out
}

// frequency is how often one of the words would begin at a byte.
func frequency(words []word) (p float64) {
	for _, w := range words {
		p += w.freq()
	}
	return p
}
