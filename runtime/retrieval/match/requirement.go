package match

import (
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// extractor walks a simplified pattern.
type extractor struct {
	// folds is set if a class with s or k leaves out U+017F or U+212A, their only non-ASCII forms.
	// Lines that contain one of the two must then be checked whatever words they hold.
	folds bool
}

func (x *extractor) extract(re *syntax.Regexp) parts {
	switch re.Op {
	case syntax.OpNoMatch:
		return exactParts()
	case syntax.OpEmptyMatch:
		return exactParts(word{})
	case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		p := exactParts(word{})
		p.guarded = true
		return p
	case syntax.OpLiteral:
		return x.literalParts(re)
	case syntax.OpCharClass:
		return x.oneOf(re.Rune)
	case syntax.OpCapture:
		return x.extract(re.Sub[0])
	case syntax.OpConcat:
		p := exactParts(word{})
		for _, sub := range re.Sub {
			p = concat(p, x.extract(sub))
		}
		return p
	case syntax.OpAlternate:
		return x.alternateParts(re.Sub)
	case syntax.OpPlus:
		return repeatParts(x.extract(re.Sub[0]))
	case syntax.OpQuest:
		return makeOptional(x.extract(re.Sub[0]), re.Flags&syntax.NonGreedy != 0)
	}
	return anyParts()
}

func (x *extractor) literalParts(re *syntax.Regexp) parts {
	out, run := exactParts(word{}), word{}
	for _, r := range re.Rune {
		p := x.oneOf(foldedRanges(r, re.Flags&syntax.FoldCase != 0))
		if p.exact && len(p.words) == 1 {
			run = append(run, p.words[0]...)
			continue
		}
		out, run = concat(concat(out, exactParts(run)), p), nil
	}
	return concat(out, exactParts(run))
}

// foldedRanges returns r, and with fold the characters that fold to it, as the ranges of a class.
func foldedRanges(r rune, fold bool) []rune {
	ranges := []rune{r, r}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			ranges = append(ranges, f, f)
		}
	}
	return ranges
}

// oneOf returns the words for one character out of ranges, pairs of first and last.
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
			return anyParts()
		}
		for ; lo <= hi; lo++ {
			wide = append(wide, lo)
		}
	}
	// U+FFFD is what regexp sees in place of invalid bytes.
	if slices.Contains(wide, utf8.RuneError) {
		return anyParts()
	}
	if rest := slices.DeleteFunc(slices.Clone(wide), foldsTo(ascii)); len(rest) < len(wide) {
		x.folds, wide = true, rest
	}
	var words []word
	if ascii.size > 0 {
		words = append(words, word{ascii})
	}
	for _, r := range wide {
		words = append(words, spellWord(string(r)))
	}
	return exactParts(words...)
}

// foldsTo returns a function that reports whether a character folds to an ASCII letter that is in c.
func foldsTo(c *class) func(rune) bool {
	return func(r rune) bool { return r == longS && c.has('s') || r == kelvin && c.has('k') }
}

const (
	longS  = '\u017F'
	kelvin = '\u212A'
)

func (x *extractor) alternateParts(subs []*syntax.Regexp) parts {
	out := parts{exact: true}
	var needed []word
	whole := true
	for _, sub := range subs {
		p := x.extract(sub)
		out.exact = out.exact && p.exact
		out.guarded = out.guarded || p.guarded
		out.prefix = append(out.prefix, p.prefixWords()...)
		out.suffix = append(out.suffix, p.suffixWords()...)
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
