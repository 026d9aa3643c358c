package glob

import "strings"

// Split splits a path pattern at its slashes, escaped ones included, but not inside a
// set, and reports whether it is well formed: each set closed, nothing missing after
// the last backslash.
func (u Unit) Split(pattern string) (segments []string, valid bool) {
	start := 0
	for p := 0; p < len(pattern); {
		switch {
		case pattern[p] == '[':
			next, _, ok := u.parseSet(pattern, p, 0)
			if !ok {
				return nil, false
			}
			p = next
		case pattern[p] == '\\' && p+1 == len(pattern):
			return nil, false
		case pattern[p] == '/' || strings.HasPrefix(pattern[p:], `\/`):
			segments = append(segments, pattern[start:p])
			p += strings.IndexByte(pattern[p:], '/') + 1
			start = p
		case pattern[p] == '\\':
			p += 2
		default:
			p++
		}
	}
	return append(segments, pattern[start:]), true
}

// MatchPath matches segments against a plain path. A segment "**" matches any number of
// components; as the last one it matches at least one. Only the last "**" is ever
// retried, which bounds the time as in Match. "a**/b" means "a*/b", as git's manual
// says; git itself treats the stars as "**" if only plain letters precede them.
func (u Unit) MatchPath(segments []string, path string) bool {
	s, rest, done := 0, path, false
	anyS, anyRest := -1, ""
	for !done {
		if s < len(segments) && segments[s] == "**" {
			if s == len(segments)-1 {
				return true
			}
			anyS, anyRest = s, rest
			s++
			continue
		}
		name, after, more := strings.Cut(rest, "/")
		if s < len(segments) && u.Match(segments[s], name) {
			s, rest, done = s+1, after, !more
			if done && s == len(segments) {
				return true
			}
			if !done {
				continue
			}
		}
		if anyS < 0 {
			return false
		}
		_, after, more = strings.Cut(anyRest, "/")
		s, rest, anyRest, done = anyS+1, after, after, !more
	}
	return false
}
