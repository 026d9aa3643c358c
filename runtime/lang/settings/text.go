package settings

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

func hasAny(text string, list []string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(text, s) })
}

// starts groups texts by their first byte.
type starts [256][]string

func byFirst(list ...string) *starts {
	var s starts
	for _, t := range list {
		s[t[0]] = append(s[t[0]], t)
	}
	return &s
}

// foundIn reports whether text contains one of the texts.
func (s *starts) foundIn(text string) bool {
	for i := range len(text) {
		for _, t := range s[text[i]] {
			if strings.HasPrefix(text[i:], t) {
				return true
			}
		}
	}
	return false
}

// isComment reports whether a whole line is a comment.
func isComment(line string) bool {
	s := strings.TrimLeft(line, " \t")
	return strings.HasPrefix(s, "//") || strings.HasPrefix(s, "*") || strings.HasPrefix(s, "/*") || strings.HasPrefix(s, "# ") || s == "#" || strings.HasPrefix(s, "--")
}

// splitArguments splits the text between the parenthesis that call begins with and its closing one.
func splitArguments(call string) []string {
	if call == "" {
		return nil
	}
	var out []string
	depth, from := 0, 1
	for i := 0; i < len(call) && len(out) < 24; i++ {
		switch c := call[i]; c {
		case '\'', '"', '`':
			i = closingQuote(call, i)
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return append(out, call[from:i])
			}
		case ',':
			if depth == 1 {
				out = append(out, call[from:i])
				from = i + 1
			}
		}
	}
	return out
}

// closingQuote returns the index of the quote that ends the string that begins at i, or i if the string does not end.
func closingQuote(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case s[i]:
			return j
		case '\n':
			if s[i] != '`' {
				return i
			}
		}
	}
	return i
}

// literalText returns the text of an argument that consists of string literals, or "" for any other.
func literalText(arg string) string {
	s := strings.TrimSpace(arg)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\'', '"', '`':
			end := closingQuote(s, i)
			if end == i {
				return ""
			}
			b.WriteString(s[i+1 : end])
			i = end
		case ' ', '\n', '\t', '+', '(', ')':
		case 'f', 'r', 'u', '_', 'l', 'N':
		default:
			return b.String()
		}
	}
	return b.String()
}

// argumentAfter returns the argument after the match of a keyword in a call.
func argumentAfter(find func(string) []int, call string) string {
	m := find(call)
	if m == nil {
		return ""
	}
	rest := call[m[1]:]
	args := splitArguments("(" + rest)
	if len(args) == 0 {
		args = []string{contract.Shorten(rest, 200)}
	}
	if t := literalText(args[0]); t != "" {
		return t
	}
	return strings.TrimSpace(args[0])
}

// helpSaid returns the help text that a call names as such.
func helpSaid(call string) string {
	if !strings.Contains(call, "help") && !strings.Contains(call, "desc") && !strings.Contains(call, "about") && !strings.Contains(call, "sage") {
		return ""
	}
	return argumentAfter(named.FindStringIndex, call)
}

// defaultSaid returns the default that a call names as such.
func defaultSaid(call string) string {
	if !strings.Contains(call, "efault") && !strings.Contains(call, "Value") {
		return ""
	}
	return argumentAfter(valued.FindStringIndex, call)
}

// commentAbove returns the text of the comment that ends on the line before i.
func (f *finder) commentAbove(i int) string {
	from := i
	for from > 0 && i-from < 30 {
		s := strings.TrimSpace(f.lines[from-1])
		if s == "" || !isComment(s) && !strings.HasPrefix(s, "#") && !strings.HasSuffix(s, "*/") && !strings.HasPrefix(s, "@") && !strings.HasPrefix(s, "[") {
			break
		}
		from--
	}
	var parts []string
	for _, l := range f.lines[from:i] {
		s := strings.TrimSpace(l)
		if strings.HasPrefix(s, "#[") || strings.HasPrefix(s, "[") || strings.HasPrefix(s, "@") {
			continue
		}
		parts = append(parts, strings.Trim(s, "/*#!: \t-"))
	}
	return strings.Join(parts, " ")
}
