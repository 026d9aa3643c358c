package sandbox

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
)

// kind is the type of file that a rule applies to or a name has.
type kind uint8

const (
	kindAny kind = iota
	kindDir
	kindFile
	kindLink
	kindSpecial
)

// A rule is one parsed line in the syntax of an ignore file. Deny and allow lists use the same syntax.
type rule struct {
	negate   bool
	kind     kind     // kindAny, kindDir (the line ended in a slash) or, in the deny list only, kindFile
	name     string   // a pattern without a slash, which matches the last component anywhere; "" if segments is set
	segments []string // a pattern with a slash, anchored at the directory of its file
}

// maxPattern limits one pattern, in bytes, so that no line can make matching slow. Longer lines are ignored.
const maxPattern = 1024

// parseRule parses one line as git does. ok is false for blank lines, comments and patterns that can match nothing.
func parseRule(line string) (r rule, ok bool) {
	line = trimSpaces(line)
	if line == "" || line[0] == '#' || len(line) > maxPattern || strings.IndexByte(line, 0) >= 0 {
		return rule{}, false
	}
	if line[0] == '!' {
		r.negate, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		r.kind, line = kindDir, line[:len(line)-1]
	}
	if line == "" {
		return rule{}, false
	}
	segments, valid := glob.Bytes.Split(line)
	if !valid {
		return rule{}, false
	}
	if !strings.Contains(line, "/") {
		r.name = line
		return r, true
	}
	if line[0] == '/' {
		segments = segments[1:]
	}
	r.segments = collapseStars(segments)
	return r, r.segments != nil
}

// collapseStars joins adjacent "**", and returns nil for a pattern with an empty component, which matches no path.
func collapseStars(segments []string) []string {
	var out []string
	for _, s := range segments {
		if s == "" {
			return nil
		}
		if s == "**" && len(out) > 0 && out[len(out)-1] == "**" {
			continue
		}
		out = append(out, s)
	}
	return out
}

// trimSpaces removes trailing spaces that no backslash protects. Tabs stay, as in git.
func trimSpaces(line string) string {
	end := 0
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' && i+1 < len(line) {
			i++
			end = i + 1
		} else if line[i] != ' ' {
			end = i + 1
		}
	}
	return line[:end]
}

// plainText returns the text that a pattern without wildcards matches. ok is false for other patterns.
func plainText(pattern string) (text string, ok bool) {
	if strings.ContainsAny(pattern, "*?[") {
		return "", false
	}
	if strings.IndexByte(pattern, '\\') < 0 {
		return pattern, true
	}
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' {
			if i++; i == len(pattern) {
				return "", false
			}
		}
		b.WriteByte(pattern[i])
	}
	return b.String(), true
}

// parseIgnore parses an ignore file: a byte order mark is skipped, lines end in LF or CRLF.
func parseIgnore(data string) []rule {
	var rules []rule
	for line := range strings.SplitSeq(strings.TrimPrefix(data, "\ufeff"), "\n") {
		if r, ok := parseRule(strings.TrimSuffix(line, "\r")); ok {
			rules = append(rules, r)
		}
	}
	return rules
}
