package glob

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Unit is what ? and a set match, and what is compared.
type Unit uint8

// The units.
const (
	Bytes  Unit = iota // one byte, as in git
	Runes              // one character
	Folded             // one character ignoring case; the name must be in lower case
)

// Match reports whether a pattern matches a whole name: * matches any run, ? one unit,
// [a-z], [!a] and [[:alpha:]] one of a set, \x is x itself. A slash is like any other
// character. The time is at most the product of both lengths, whatever the pattern:
// only the last * is ever retried.
func (u Unit) Match(pattern, name string) bool {
	p, n := 0, 0
	starP, starN := -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			starP, starN = p, n
			p++
			continue
		}
		c, size := u.unitAt(name, n)
		if next, ok := u.matchOne(pattern, p, c); ok {
			p, n = next, n+size
			continue
		}
		if starP < 0 {
			return false
		}
		_, size = u.unitAt(name, starN)
		starN += size
		p, n = starP+1, starN
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// unitAt returns the unit of s at i.
func (u Unit) unitAt(s string, i int) (c rune, size int) {
	if u == Bytes || s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

// matchOne matches one unit against the element of the pattern at p and returns where the
// next element starts.
func (u Unit) matchOne(pattern string, p int, c rune) (next int, ok bool) {
	if p >= len(pattern) {
		return p, false
	}
	switch pattern[p] {
	case '?':
		return p + 1, true
	case '[':
		next, in, _ := u.parseSet(pattern, p, c)
		return next, in
	case '\\':
		if p++; p == len(pattern) {
			return p, false
		}
	}
	want, size := u.unitAt(pattern, p)
	return p + size, u.sameUnit(want, c)
}

// sameUnit compares a character of a pattern with one of a name.
func (u Unit) sameUnit(want, c rune) bool {
	return want == c || u == Folded && unicode.ToLower(want) == c
}

// inRange reports whether c is in a range.
func (u Unit) inRange(low, high, c rune) bool {
	if low <= c && c <= high {
		return true
	}
	c = unicode.ToUpper(c)
	return u == Folded && low <= c && c <= high
}

// parseSet parses the set that starts at pattern[p] and returns whether c is in it and
// whether the set is well formed. The first member may be a "]".
func (u Unit) parseSet(pattern string, p int, c rune) (next int, in, valid bool) {
	p++
	negated := p < len(pattern) && (pattern[p] == '!' || pattern[p] == '^')
	if negated {
		p++
	}
	var last rune // the preceding member, where a range may start
	for first := true; p < len(pattern) && (first || pattern[p] != ']'); first = false {
		switch member := pattern[p]; {
		case member == '-' && last != 0 && p+1 < len(pattern) && pattern[p+1] != ']':
			high, at, ok := u.parseMember(pattern, p+1)
			if !ok {
				return at, false, false
			}
			in = in || u.inRange(last, high, c)
			last, p = 0, at
		case strings.HasPrefix(pattern[p:], "[:"):
			size, class := classAt(pattern[p:])
			if size == 0 {
				in, last, p = in || c == '[', '[', p+1
				break
			}
			if class == nil {
				return p, false, false
			}
			in = in || c < utf8.RuneSelf && (class(byte(c)) || u == Folded && class(byte(unicode.ToUpper(c))))
			last, p = 0, p+size
		default:
			low, at, ok := u.parseMember(pattern, p)
			if !ok {
				return at, false, false
			}
			in, last, p = in || u.inRange(low, low, c), low, at
		}
	}
	if p >= len(pattern) {
		return p, false, false
	}
	return p + 1, in != negated, true
}

func (u Unit) parseMember(pattern string, p int) (c rune, next int, ok bool) {
	if pattern[p] == '\\' {
		if p++; p >= len(pattern) {
			return 0, p, false
		}
	}
	c, size := u.unitAt(pattern, p)
	return c, p + size, true
}

// classAt parses "[:name:]". Size 0 means that the text is an ordinary member "[", a
// nil class that the name is unknown.
func classAt(text string) (size int, class func(byte) bool) {
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

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isGraph(c byte) bool  { return 0x20 < c && c < 0x7f }
