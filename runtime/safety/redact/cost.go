package redact

import (
	"fmt"
	"regexp/syntax"
	"strings"
)

// Limits on the cost of user rules. The time that an expression needs per byte grows with the size of its program, and
// counts multiply that: (?:[a-z]{1,50}){1,50} has 2,500 steps. Every text runs through all rules.
const (
	maxExpr     = 4 << 10 // bytes of an expression
	maxGroups   = 16      // capture groups: each step carries all of them
	maxSteps    = 1000    // of one rule
	maxAllSteps = 20_000  // of all rules together
	ruleSteps   = 16      // the fixed cost of a rule, on top of its own steps
	MaxExample  = 4 << 10 // bytes; an example is searched each time a configuration is loaded
	maxReplace  = 128     // bytes; a mark is written once for every finding of its rule
)

// CheckRegex returns what is wrong with the expression of a user's rule, or "". It does not
// compile it, which may take long for one that costs too much.
func CheckRegex(expr string) (problem string) {
	_, _, problem = parseExpr(expr)
	return problem
}

// parseExpr parses an expression and checks what it would cost, before it is compiled.
func parseExpr(expr string) (re *syntax.Regexp, steps int, problem string) {
	if len(expr) > maxExpr {
		return nil, 0, fmt.Sprintf("has %d bytes; at most %d", len(expr), maxExpr)
	}
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, 0, strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	}
	if n := re.MaxCap(); n > maxGroups {
		return nil, 0, fmt.Sprintf("has %d capture groups; at most %d. Write (?:…) where nothing is captured", n, maxGroups)
	}
	if steps = programSize(re); steps > maxSteps {
		return nil, 0, fmt.Sprintf("is too costly: %d steps, at most %d. Counts inside counts multiply; make them smaller", steps, maxSteps)
	}
	return re, steps, ""
}

// tooMuch replaces every size above all limits, so that products stay small.
const tooMuch = 1 << 20

// programSize estimates how many instructions the expression has as a program. It reads the syntax tree, in which
// counts are not yet expanded.
func programSize(re *syntax.Regexp) (n int) {
	for _, sub := range re.Sub {
		n = min(n+programSize(sub), tooMuch)
	}
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpCharClass:
		n = 1 + len(re.Rune)/64 // a class of many ranges is searched
	case syntax.OpCapture:
		n += 2
	case syntax.OpAlternate:
		n += len(re.Sub)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		n++
	case syntax.OpRepeat:
		if re.Max < 0 {
			n = max(re.Min, 1)*n + 1
		} else {
			n = re.Max*n + re.Max - re.Min
		}
	case syntax.OpConcat:
	default:
		n = 1
	}
	return min(n, tooMuch)
}
