package find

import (
	"regexp/syntax"
	"strings"
)

// loosenLineEnds makes $ match before a carriage return too, so that a pattern finds the same lines
// whatever line endings a checkout has. Patterns that do not parse are returned unchanged, for the
// matcher to refuse.
func loosenLineEnds(pattern string) string {
	if !strings.Contains(pattern, "$") {
		return pattern
	}
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || !loosenEnds(re) {
		return pattern
	}
	return re.String()
}

func loosenEnds(re *syntax.Regexp) (changed bool) {
	for _, sub := range re.Sub {
		changed = loosenEnds(sub) || changed
	}
	if re.Op != syntax.OpEndLine && (re.Op != syntax.OpEndText || re.Flags&syntax.WasDollar == 0) {
		return changed
	}
	end := *re
	cr := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{'\r'}}
	optional := &syntax.Regexp{Op: syntax.OpQuest, Sub: []*syntax.Regexp{cr}}
	*re = syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{optional, &end}, Flags: re.Flags}
	return true
}
