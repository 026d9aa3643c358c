package match

import (
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
)

// Matcher is a compiled pattern. It is immutable and may be used by several goroutines, each with its own Scanner.
type Matcher struct {
	pattern string
	std     *regexp.Regexp
	group   int // of std: the match itself
	size    int // instructions

	auto   *automaton // decides a line; not needed when exact
	finder *finder    // finds lines worth deciding; nil if skipping others does not pay
	exact  bool       // what the finder finds is what the pattern matches
	folds  bool       // exact fails on lines with U+017F or U+212A

	scanners sync.Pool
}

// Compile compiles a pattern in RE2 syntax, or a literal. The empty pattern matches every line.
// Errors are of type *PatternError.
func Compile(pattern string, opt Options) (*Matcher, error) {
	if len(pattern) > MaxPattern {
		return nil, tooLong(pattern, len(pattern), MaxPattern)
	}
	source := pattern
	if opt.Literal {
		source = regexp.QuoteMeta(pattern)
	}
	text := surveyPattern(source)
	if text.newline >= 0 {
		return nil, newlineError(pattern, offsetOfNewline(pattern, text, opt))
	}
	if text.quoted {
		source += `\E`
	}
	fold := opt.IgnoreCase || opt.SmartCase && !text.upper
	re, err := parse(pattern, source, fold)
	if err != nil {
		return nil, err
	}
	var x extractor
	return buildMatcher(pattern, source, fold, opt.Word, x.extract(re), x.folds)
}

// Any returns a matcher for lines that hold at least one of the literals. If two begin at the same
// place, the match is the one listed first. Options.Literal is implied.
func Any(literals []string, opt Options) (*Matcher, error) {
	if len(literals) == 0 || len(literals) > MaxLiterals {
		return nil, fmt.Errorf("%d literals to search for: give 1 to %d", len(literals), MaxLiterals)
	}
	quoted := make([]string, len(literals))
	total, upper := 0, false
	for i, lit := range literals {
		if lit == "" {
			return nil, fmt.Errorf("literal %d of %d is empty and would match every line: leave it out", i+1, len(literals))
		}
		if at := strings.IndexByte(lit, '\n'); at >= 0 {
			return nil, newlineError(lit, at)
		}
		total += len(lit)
		upper = upper || strings.IndexFunc(lit, unicode.IsUpper) >= 0
		quoted[i] = regexp.QuoteMeta(lit)
	}
	if total > MaxLiteralBytes {
		return nil, tooLong(strings.Join(literals, "|"), total, MaxLiteralBytes)
	}
	fold := opt.IgnoreCase || opt.SmartCase && !upper
	all, x := parts{exact: true}, extractor{}
	for i, lit := range literals {
		re, err := parse(lit, quoted[i], fold)
		if err != nil {
			return nil, err
		}
		p := x.extract(re)
		all.exact = all.exact && p.exact
		all.words = append(all.words, p.words...)
	}
	if !all.exact {
		all = anyParts()
	}
	return buildMatcher(strings.Join(literals, "|"), strings.Join(quoted, "|"), fold, opt.Word, all, x.folds)
}

func tooLong(pattern string, size, limit int) error {
	return &PatternError{pattern, -1, fmt.Sprintf("%d bytes long, the limit is %d", size, limit),
		"search for a shorter part of it"}
}

// offsetOfNewline translates a position in a quoted literal.
func offsetOfNewline(pattern string, text survey, opt Options) int {
	if opt.Literal {
		return strings.IndexByte(pattern, '\n')
	}
	return text.newline
}

// buildMatcher compiles source and chooses how to search.
func buildMatcher(pattern, source string, fold, bounded bool, p parts, folds bool) (*Matcher, error) {
	m := &Matcher{pattern: pattern, folds: folds}
	if fold {
		source = "(?i:" + source + ")"
	}
	if bounded {
		source, m.group = `(?:^|\W)(`+source+`)(?:\W|$)`, 1
	}
	var err error
	if m.std, err = regexp.Compile(source); err != nil {
		return nil, explainError(pattern, err)
	}
	re, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return nil, explainError(pattern, err)
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, explainError(pattern, err)
	}
	m.size, m.auto = len(prog.Inst), newAutomaton(prog)
	m.chooseFinder(p, bounded)
	m.scanners.New = func() any { return m.NewScanner() }
	return m, nil
}

// chooseFinder creates a finder if it pays.
func (m *Matcher) chooseFinder(p parts, bounded bool) {
	n := p.needs()
	switch {
	case n.words == nil:
	case p.exact && !p.guarded:
		m.finder, m.exact = newFinder(n.words, bounded), true
	case n.cost < stepCost:
		m.finder = newFinder(n.words, false)
	}
}

// String returns the pattern.
func (m *Matcher) String() string { return m.pattern }

// Lines calls fn with the bounds of each matching line of buf, without the newline, and with the start and end of the
// first match in it, until fn returns false. It may be called by several goroutines; a goroutine with many texts to
// scan does better with a Scanner. loc is valid during the call only.
func (m *Matcher) Lines(buf []byte, fn func(start, end int, loc []int) bool) {
	s := m.scanners.Get().(*Scanner)
	defer m.scanners.Put(s)
	// A background context never ends, and nothing else makes an error.
	_ = s.Lines(context.Background(), buf, func(l Line) bool { return fn(l.Start, l.End, l.Match[:]) })
}
