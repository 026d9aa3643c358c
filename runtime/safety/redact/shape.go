package redact

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// shape describes where the matches of a regular expression lie, as derived from its syntax tree. It lets the engine
// try an expression at a keyword instead of over the whole text.
type shape struct {
	anchored  bool   // every match begins with a keyword
	wordStart bool   // the match begins at a word boundary, so the byte before an anchored one is not a word byte
	maxLen    int    // longest match in bytes, or unbounded
	head      string // the beginning of every match, in exactly this case; may be empty
}

// unbounded is the length of a match that the expression does not limit.
const unbounded = 1 << 20

// shapeOf returns the shape of a valid expression.
func shapeOf(expr string, keywords []string) shape {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return shape{maxLen: unbounded}
	}
	s := shape{maxLen: maxLen(re), wordStart: startsAtWord(re), head: exactHead(re)}
	heads, _ := leadingTexts(re)
	s.anchored = len(heads) > 0
	for _, h := range heads {
		s.anchored = s.anchored && hasAnyPrefix(h, keywords)
	}
	return s
}

func hasAnyPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return p != "" && strings.HasPrefix(s, p) })
}

// maxLen returns the length in bytes of the longest match.
func maxLen(re *syntax.Regexp) int {
	n := 0
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			n += runeLen(r)
		}
	case syntax.OpCharClass:
		for i := 1; i < len(re.Rune); i += 2 {
			n = max(n, runeLen(re.Rune[i]))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = 4
	case syntax.OpCapture, syntax.OpQuest:
		n = maxLen(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus:
		n = unbounded
	case syntax.OpRepeat:
		if n = maxLen(re.Sub[0]) * re.Max; re.Max < 0 {
			n = unbounded
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			n += maxLen(sub)
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			n = max(n, maxLen(sub))
		}
	}
	return min(n, unbounded)
}

// runeLen returns an upper bound of the bytes of a rune in a class range that ends at r: beyond ASCII, the full four.
func runeLen(r rune) int {
	if r < 0x80 {
		return 1
	}
	return 4
}

func startsAtWord(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpWordBoundary:
		return true
	case syntax.OpCapture, syntax.OpConcat:
		return startsAtWord(re.Sub[0])
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !startsAtWord(sub) })
	}
	return false
}

// exactHead returns the literal text at the start of every match, if its case is fixed.
func exactHead(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture:
		return exactHead(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if sub.Op != syntax.OpWordBoundary && sub.Op != syntax.OpEmptyMatch {
				return exactHead(sub)
			}
		}
	}
	return ""
}

// maxHeads limits the alternatives that leading follows.
const maxHeads = 64

// leadingTexts returns the texts, in lower case, with which a match can begin, as far as the expression spells them out,
// none if nothing is known; and whether a text may end where the expression ends, so that what follows may be appended.
func leadingTexts(re *syntax.Regexp) (heads []string, whole bool) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginLine, syntax.OpBeginText:
		return []string{""}, true
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}, true
	case syntax.OpCharClass:
		return classHeads(re.Rune)
	case syntax.OpCapture:
		return leadingTexts(re.Sub[0])
	case syntax.OpQuest:
		if heads, whole = leadingTexts(re.Sub[0]); len(heads) > 0 {
			return append(heads, ""), whole
		}
	case syntax.OpPlus:
		heads, _ = leadingTexts(re.Sub[0])
		return heads, false
	case syntax.OpRepeat:
		if re.Min > 0 {
			heads, whole = leadingTexts(re.Sub[0])
			return heads, whole && re.Max == 1
		}
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			h, w := leadingTexts(sub)
			if len(h) == 0 || len(heads)+len(h) > maxHeads {
				return nil, false
			}
			heads, whole = append(heads, h...), whole && w
		}
		return heads, whole
	case syntax.OpConcat:
		return concatHeads(re.Sub)
	}
	return nil, false
}

func concatHeads(subs []*syntax.Regexp) (heads []string, whole bool) {
	heads = []string{""}
	for _, sub := range subs {
		next, w := leadingTexts(sub)
		if len(next) == 0 || len(next)*len(heads) > maxHeads {
			return heads, false
		}
		var joined []string
		for _, h := range heads {
			for _, n := range next {
				joined = append(joined, h+n)
			}
		}
		if heads = joined; !w {
			return heads, false
		}
	}
	return heads, true
}

// maxClass limits the characters of a class that leading follows: the prefixes of a service differ in one character,
// which has at most this many variants.
const maxClass = 9

// classHeads spells out a class of few characters, which is how the parser represents [Aa].
func classHeads(ranges []rune) (heads []string, whole bool) {
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			if len(heads) == maxClass {
				return nil, false
			}
			heads = append(heads, strings.ToLower(string(r)))
		}
	}
	return heads, true
}
