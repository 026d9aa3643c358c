package gateway

import "strings"

// fitsTemplate reports whether a URI can result from a URI template (RFC 6570): the template's fixed parts occur in it
// in order, the first at the start and the last at the end. The values of expressions are not checked.
func fitsTemplate(template, uri string) bool {
	fixed := fixedParts(template)
	if len(fixed) == 1 {
		return uri == fixed[0]
	}
	rest, ok := strings.CutPrefix(uri, fixed[0])
	if !ok {
		return false
	}
	last := fixed[len(fixed)-1]
	for _, part := range fixed[1 : len(fixed)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, last)
}

// fixedParts returns the text around the expressions of a template.
func fixedParts(template string) []string {
	var out []string
	for {
		before, rest, open := strings.Cut(template, "{")
		out = append(out, before)
		if !open {
			return out
		}
		_, after, closed := strings.Cut(rest, "}")
		if !closed {
			return append(out, "")
		}
		template = after
	}
}
