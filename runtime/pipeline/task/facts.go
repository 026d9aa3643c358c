package task

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// facts are the parts of a text that a later call may need verbatim.
type facts struct {
	errors []string // lines
	names  []string // paths, then identifiers, then numbers; each in text order
}

const (
	errorsMost    = 6
	errorLine     = 200 // bytes
	factsLooked   = 4000
	nameMost      = 80 // bytes; anything longer is not a name
	factSeparator = ", "
)

var (
	errorSays = lazyregexp.New(`(?i)\b(?:error|errno|fatal|panic|exception|traceback|fail(?:ed|ure|s)?|denied|refused|timed? ?out|not found|warning|critical)\b|\b[A-Z]\w*(?:Error|Exception)\b`)
	pathLike  = lazyregexp.New(`[\w@.-]+(?:/[\w@.+-]+)+|\b\w+\.[A-Za-z]{1,5}:\d+`)
	compound  = lazyregexp.New(`\b\w+(?:[-:.]\w+)+\b`) // such as ORD-90210, a time, a version
	numeral   = lazyregexp.New(`^[\d.,:%-]+$`)
)

// factsOf extracts the facts of a text.
func factsOf(text string) facts {
	var f facts
	seen := map[string]bool{}
	add := func(list *[]string, s string) {
		if key := strings.ToLower(s); !seen[key] && len(seen) < factsLooked {
			seen[key] = true
			*list = append(*list, s)
		}
	}
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); len(f.errors) < errorsMost && errorSays.MatchString(line) {
			add(&f.errors, strings.TrimSuffix(contract.Shorten(line, errorLine), "…"))
		}
	}
	var paths, names, numbers []string
	for _, p := range pathLike.FindAllString(text, factsLooked) {
		if len(p) <= nameMost {
			add(&paths, strings.TrimRight(p, "."))
		}
	}
	for _, part := range compound.FindAllString(text, factsLooked) {
		if len(part) <= nameMost && strings.ContainsAny(part, "0123456789") {
			add(&names, part)
		}
	}
	for _, part := range exactParts(text) {
		switch {
		case len(part) < 2 || len(part) > nameMost || strings.Contains(part, "/"):
		case numeral.MatchString(part):
			add(&numbers, part)
		case isName(part):
			add(&names, part)
		}
	}
	f.names = append(append(paths, names...), numbers...)
	return f
}

// isName reports whether a part of a text is more than a capitalized word or one before a parenthesis.
func isName(part string) bool {
	return strings.ContainsAny(part, "_0123456789") || strings.Contains(part, "::") || strings.Contains(part, "->") || hasInnerCapital(part)
}

// hasInnerCapital reports whether a capital follows a lower-case letter.
func hasInnerCapital(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' && s[i-1] >= 'a' && s[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// writeMissing writes the facts that a text does not have, in at most room tokens: error lines first.
func (f facts) writeMissing(text string, room int) string {
	have := strings.ToLower(strings.Join(strings.Fields(text), " "))
	out := ""
	put := func(s, before string) {
		if strings.Contains(have, strings.ToLower(s)) {
			return
		}
		if next := out + before + s; tokens.Fits(next, room) {
			out = next
			have += "\n" + strings.ToLower(s)
		}
	}
	for _, line := range f.errors {
		before := "\n"
		if out == "" {
			before = ""
		}
		put(line, before)
	}
	first := true
	for i, name := range f.names {
		if i > 400 { // a table of numbers, too long to be read
			break
		}
		before := factSeparator
		if first {
			before = "\nAlso: "
			if out == "" {
				before = "Also: "
			}
		}
		n := len(out)
		put(name, before)
		first = first && len(out) == n
	}
	return out
}
