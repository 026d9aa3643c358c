package match

import "slices"

// Bounds on the sets that extraction multiplies out; beyond them it settles for a shorter requirement.
const (
	maxWords  = 256  // words in one set
	maxJoined = 64   // words in one set made by joining two
	maxUnits  = 1024 // classes in such a set
	maxRunes  = 8    // non-ASCII characters in a class that are spelled out
	clipLen   = 24   // classes kept at an open end
)

// parts describes the text that a node of a pattern matches.
type parts struct {
	// exact says that the node matches words and nothing else, in order of preference, and guarded
	// that an assertion such as \b may still reject some of them.
	exact, guarded bool
	words          []word
	// For a node that is not exact: every match begins with a word of prefix and ends with a word
	// of suffix. The empty word says that nothing is known.
	prefix, suffix []word
	// need is a set of words; every match contains at least one of them.
	need need
}

// need is a set of words with the cost of searching for it; without words, nothing is needed.
type need struct {
	words []word
	cost  float64
}

var nothing = []word{{}}

func isNothing(words []word) bool { return len(words) == 1 && len(words[0]) == 0 }

// anyParts returns the parts of a pattern that may match anything.
func anyParts() parts { return parts{prefix: nothing, suffix: nothing} }

func exactParts(words ...word) parts { return parts{exact: true, words: words} }

// prefixWords returns words such that every match starts with one of them.
func (p parts) prefixWords() []word {
	if p.exact {
		return p.words
	}
	return p.prefix
}

// suffixWords returns words such that every match ends with one of them.
func (p parts) suffixWords() []word {
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
	return need{words, chooseLayout(words).cost + confirmCost*frequency(words)}
}

// cheapest returns the need that costs least to search for.
func cheapest(needs ...need) (best need) {
	for _, n := range needs {
		if n.words != nil && (best.words == nil || n.cost < best.cost) {
			best = n
		}
	}
	return best
}

// repeatParts returns the parts of p once or more: it starts and ends as p does.
func repeatParts(p parts) parts {
	return parts{prefix: p.prefixWords(), suffix: p.suffixWords(), need: p.needs(), guarded: p.guarded}
}

// makeOptional returns the parts of p or nothing, with nothing first if lazy.
func makeOptional(p parts, lazy bool) parts {
	if !p.exact {
		return anyParts()
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
		if words, ok := joinWords(a.words, b.words); ok {
			out.exact, out.words = true, words
			return out
		}
	}
	out.need = cheapest(a.needs(), b.needs(), needOf(a.suffixWords()), needOf(b.prefixWords()))
	if words, ok := joinWords(a.suffixWords(), b.prefixWords()); ok {
		out.need = cheapest(out.need, needOf(words))
	}
	out.prefix, out.suffix = a.prefixWords(), b.suffixWords()
	if words, ok := joinWords(a.words, b.prefixWords()); ok && a.exact {
		out.prefix = words
	}
	if words, ok := joinWords(a.suffixWords(), b.words); ok && b.exact {
		out.suffix = words
	}
	out.prefix = clipWords(out.prefix, func(w word) word { return w[:min(len(w), clipLen)] })
	out.suffix = clipWords(out.suffix, func(w word) word { return w[max(0, len(w)-clipLen):] })
	return out
}

// joinWords returns every word of a followed by every word of b, a's order before b's, unless these are too many.
func joinWords(a, b []word) (words []word, ok bool) {
	if isNothing(a) {
		return b, true
	}
	if isNothing(b) {
		return a, true
	}
	if len(a)*len(b) > maxJoined {
		return nil, false
	}
	if countClasses(a)*len(b)+countClasses(b)*len(a) > maxUnits && len(a)*len(b) > 1 {
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

// countClasses returns the total length of all words.
func countClasses(words []word) (n int) {
	for _, w := range words {
		n += len(w)
	}
	return n
}

func clipWords(words []word, cut func(word) word) []word {
	out := make([]word, len(words))
	for i, w := range words {
		out[i] = cut(w)
	}
	return out
}

// frequency returns how often one of the words is expected to begin at a byte.
func frequency(words []word) (p float64) {
	for _, w := range words {
		p += w.freq()
	}
	return p
}
