package sandbox

import "strings"

// matchName reports whether a pattern of git's kind matches a whole name: * is any run of bytes, ? one byte, [a-z],
// [!a] and [[:alpha:]] one byte of a set, \x the byte x. Neither side holds a slash. The time is at most the product of
// both lengths, whatever the pattern: only the last * is ever tried again.
func matchName(pattern, name string) bool {
	p, n := 0, 0
	starP, starN := -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			starP, starN = p, n
			p++
			continue
		}
		if next, ok := matchByte(pattern, p, name[n]); ok {
			p, n = next, n+1
			continue
		}
		if starP < 0 {
			return false
		}
		starN++
		p, n = starP+1, starN
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchByte matches one byte against the element of the pattern at p and gives where the next element starts.
func matchByte(pattern string, p int, c byte) (next int, ok bool) {
	if p >= len(pattern) {
		return p, false
	}
	switch pattern[p] {
	case '?':
		return p + 1, true
	case '[':
		next, in, _ := matchSet(pattern, p, c)
		return next, in
	case '\\':
		return p + 2, p+1 < len(pattern) && pattern[p+1] == c
	}
	return p + 1, pattern[p] == c
}

// matchSet reads the set that starts at pattern[p] and says whether c is in it and whether the set is well formed.
// The first member may be a "]".
func matchSet(pattern string, p int, c byte) (next int, in, valid bool) {
	p++
	negated := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if negated {
		p++
	}
	var last byte // the member before, where a range may start
	for first := true; p < len(pattern) && (first || pattern[p] != ']'); first = false {
		switch member := pattern[p]; {
		case member == '-' && last != 0 && p+1 < len(pattern) && pattern[p+1] != ']':
			high, at, ok := setMember(pattern, p+1)
			if !ok {
				return at, false, false
			}
			in = in || last <= c && c <= high
			last, p = 0, at
		case strings.HasPrefix(pattern[p:], "[:"):
			size, class := setClass(pattern[p:])
			if size == 0 {
				in, last, p = in || c == '[', '[', p+1
				break
			}
			if class == nil {
				return p, false, false
			}
			in, last, p = in || class(c), 0, p+size
		default:
			low, at, ok := setMember(pattern, p)
			if !ok {
				return at, false, false
			}
			in, last, p = in || c == low, low, at
		}
	}
	if p >= len(pattern) {
		return p, false, false
	}
	return p + 1, in != negated, true
}

func setMember(pattern string, p int) (c byte, next int, ok bool) {
	if pattern[p] != '\\' {
		return pattern[p], p + 1, true
	}
	if p+1 >= len(pattern) {
		return 0, p, false
	}
	return pattern[p+1], p + 2, true
}

// setClass reads "[:name:]". Size 0 says that the text is an ordinary member "[", a nil class that there is no such name.
func setClass(text string) (size int, class func(byte) bool) {
	end := strings.IndexByte(text[2:], ']')
	if end < 1 || text[2+end-1] != ':' {
		return 0, nil
	}
	return end + 3, classes[text[2:2+end-1]]
}

var classes = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return isLetter(c) || isDigit(c) },
	"alpha":  isLetter,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  isDigit,
	"graph":  isGraph,
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return c == ' ' || isGraph(c) },
	"punct":  func(c byte) bool { return isGraph(c) && !isLetter(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' },
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isGraph(c byte) bool { return 0x20 < c && c < 0x7f }

// splitPattern cuts a pattern at its slashes, escaped ones included, but not inside a set, and reports whether it is
// well formed: each set closed, nothing missing after the last backslash.
func splitPattern(pattern string) (segments []string, valid bool) {
	start := 0
	for p := 0; p < len(pattern); {
		switch {
		case pattern[p] == '[':
			next, _, ok := matchSet(pattern, p, 0)
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

// matchPath matches segments against a plain path. A segment "**" is any number of components; as the last one it is at
// least one. Only the last "**" is ever tried again, which bounds the time as in matchName. "a**/b" is "a*/b", as git's
// manual says; git itself takes the stars for "**" when only plain letters stand before them.
func matchPath(segments []string, path string) bool {
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
		if s < len(segments) && matchName(segments[s], name) {
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
