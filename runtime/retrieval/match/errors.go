package match

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// PatternError explains why a pattern cannot be used.
type PatternError struct {
	Pattern string
	Offset  int    // byte offset of the problem in Pattern; -1 if it is not at a single place
	Problem string // what is wrong
	Hint    string // what to do instead
}

// Error names the pattern (shortened if long), the position in characters from 1, the problem and the hint.
func (e *PatternError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pattern %q: %s", shorten(e.Pattern), e.Problem)
	if e.Offset >= 0 {
		fmt.Fprintf(&b, " at character %d", 1+utf8.RuneCountInString(e.Pattern[:e.Offset]))
	}
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

const shown = 60 // characters of a pattern in an error

func shorten(s string) string {
	if r := []rune(s); len(r) > shown {
		return string(r[:shown]) + "..."
	}
	return s
}

const (
	hintLiteral = "for a literal search use literal: true"
	hintLines   = "lines are matched one by one: search for the part on one line and ask for context lines"
	hintLarge   = "lower the counts in {} or search for a part of it"
	hintLook    = "look-around is not supported: match the whole line, or filter the results with a second search"
	hintBack    = "back-references are not supported: write the repeated text out"
)

func newlineError(pattern string, offset int) error {
	return &PatternError{pattern, offset, "a newline never matches", hintLines}
}

// explainError turns an error of regexp/syntax into one with a position and a hint.
func explainError(pattern string, err error) error {
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return &PatternError{pattern, -1, err.Error(), hintLiteral}
	}
	e := &PatternError{Pattern: pattern, Offset: offsetOf(pattern, bad), Hint: hintLiteral}
	e.Problem = describeProblem(bad)
	if bad.Code == syntax.ErrLarge || bad.Code == syntax.ErrNestingDepth {
		e.Hint = hintLarge
	}
	if offset, hint := explainDialect(pattern, e.Offset, bad); hint != "" {
		e.Offset, e.Hint = offset, hint
	}
	return e
}

// offsetOf returns the position of an error in the pattern. regexp/syntax reads from left to right,
// so the shortest prefix of the pattern with the same error ends with its cause.
func offsetOf(pattern string, bad *syntax.Error) int {
	switch text := surveyPattern(pattern); bad.Code {
	case syntax.ErrMissingParen:
		return text.open
	case syntax.ErrUnexpectedParen:
		return text.close
	case syntax.ErrMissingBracket:
		return len(pattern) - len(bad.Expr)
	case syntax.ErrTrailingBackslash:
		return len(pattern) - 1
	case syntax.ErrLarge, syntax.ErrNestingDepth:
		return -1
	case syntax.ErrInvalidUTF8:
		return validPrefix(pattern)
	}
	end := sort.Search(len(pattern), func(n int) bool {
		_, err := syntax.Parse(pattern[:n], syntax.Perl)
		var same *syntax.Error
		return errors.As(err, &same) && *same == *bad
	})
	return max(-1, strings.LastIndex(pattern[:end], bad.Expr))
}

func validPrefix(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

func describeProblem(bad *syntax.Error) string {
	switch bad.Code {
	case syntax.ErrMissingParen:
		return "( is not closed"
	case syntax.ErrUnexpectedParen:
		return ") closes nothing"
	case syntax.ErrMissingBracket:
		return "[ is not closed"
	case syntax.ErrTrailingBackslash:
		return `\ escapes nothing`
	case syntax.ErrMissingRepeatArgument:
		return bad.Expr + " has nothing to repeat"
	case syntax.ErrInvalidRepeatOp:
		return bad.Expr + " repeats a repetition"
	case syntax.ErrInvalidRepeatSize:
		return bad.Expr + " counts backwards, or past 1000 alone or nested"
	case syntax.ErrInvalidCharRange:
		return "range " + bad.Expr + " is empty or unknown"
	case syntax.ErrInvalidEscape:
		return "unknown escape " + bad.Expr
	case syntax.ErrInvalidPerlOp, syntax.ErrInvalidNamedCapture:
		return "unknown group " + shorten(bad.Expr)
	case syntax.ErrInvalidUTF8:
		return "invalid UTF-8"
	case syntax.ErrLarge:
		return "too large when its repetitions are written out"
	case syntax.ErrNestingDepth:
		return "nested too deeply"
	}
	return bad.Code.String()
}

// explainDialect returns a hint for constructs of other regular expression dialects, and their offset.
func explainDialect(pattern string, offset int, bad *syntax.Error) (int, string) {
	if offset < 0 {
		return offset, ""
	}
	rest := pattern[offset:]
	switch {
	case hasAnyPrefix(rest, "(?=", "(?!", "(?<=", "(?<!", "(?>"):
		return offset, hintLook
	case bad.Code != syntax.ErrInvalidEscape || len(rest) < 2:
		return offset, ""
	case rest[1] >= '1' && rest[1] <= '9', hasAnyPrefix(rest, `\k<`, `\g`):
		return offset, hintBack
	case rest[1] == 'Z':
		return offset, `for the end of a line use $`
	}
	return offset, ""
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
