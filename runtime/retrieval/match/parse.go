package match

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

// parse parses source and rejects a pattern that crosses lines or would grow too large.
func parse(pattern, source string, fold bool) (*syntax.Regexp, error) {
	flags := syntax.Perl
	if fold {
		flags |= syntax.FoldCase
	}
	re, err := syntax.Parse(source, flags)
	if err != nil {
		return nil, explainError(pattern, err)
	}
	if hasNewline(re) {
		return nil, newlineError(pattern, -1)
	}
	if n := countInstructions(re); n > maxSteps {
		return nil, &PatternError{pattern, -1, fmt.Sprintf("%d steps when its repetitions are written out, the limit is %d",
			n, maxSteps), hintLarge}
	}
	return re.Simplify(), nil
}

// hasNewline reports whether some part of the pattern matches nothing but a newline.
func hasNewline(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral {
		return strings.ContainsRune(string(re.Rune), '\n')
	}
	return slices.ContainsFunc(re.Sub, hasNewline)
}

// countInstructions returns the number of instructions that a pattern compiles to, or somewhat more.
func countInstructions(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += countInstructions(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpRepeat:
		return (n + 1) * max(re.Min, re.Max, 1)
	case syntax.OpConcat:
		return n
	case syntax.OpAlternate:
		return n + len(re.Sub)
	case syntax.OpCapture:
		return n + 2
	}
	return n + 1
}
