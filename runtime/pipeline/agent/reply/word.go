package reply

import (
	"math"
	"strconv"
	"strings"
)

// literals maps the literals of JSON, JavaScript and Python to their values.
var literals = map[string]node{
	"true": {kind: boolean, yes: true}, "True": {kind: boolean, yes: true}, "TRUE": {kind: boolean, yes: true},
	"false": {kind: boolean}, "False": {kind: boolean}, "FALSE": {kind: boolean},
	"null": {}, "None": {}, "NULL": {}, "nil": {}, "undefined": {}, "NaN": {}, "nan": {},
	"Infinity": {}, "-Infinity": {}, "inf": {}, "N/A": {},
}

// readWord reads a number, a literal or an unquoted string. It consumes at least one byte.
func (r *reader) readWord(m mode) node {
	from := r.i
	for r.i++; r.i < len(r.s) && !r.wordEnds(m); r.i++ {
	}
	s := strings.TrimSpace(r.s[from:r.i])
	half := r.i >= len(r.s)
	if n, ok := literals[s]; ok {
		r.mended = r.mended || s != "true" && s != "false" && s != "null"
		return n
	}
	if strictNumber(s) {
		return node{kind: number, text: s, half: half && s == r.s[from:]}
	}
	r.mended = true
	if n, ok := looseNumber(s); ok {
		n.half = half
		return n
	}
	s = strings.TrimRight(s, "\"'` \t\r")
	return node{kind: text, text: strings.TrimLeft(s, "\\ "), half: half}
}

func (r *reader) wordEnds(m mode) bool {
	switch r.s[r.i] {
	case '\n', '}', ']':
		return true
	case ',':
		return m == inList || r.afterComma(r.spaceEnd(r.i+1), m) || r.afterDigit()
	case ':':
		return m == inList
	case ' ', '\t':
		rest := r.s[r.i+1:]
		if r.s[r.i-1] == ' ' { // already checked
			return false
		}
		if k := r.spaceEnd(r.i); k < len(r.s) && quoteAt(r.s, k) != 0 && (m == inList || r.keyAt(k)) {
			return true // the comma is missing
		}
		return strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") || strings.HasPrefix(rest, "# ")
	}
	return false
}

// afterDigit reports whether a digit precedes i: after a number, a comma always ends the value.
func (r *reader) afterDigit() bool {
	c := r.s[r.i-1]
	return c >= '0' && c <= '9'
}

// strictNumber reports whether s is a JSON number.
func strictNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := countDigits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := countDigits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = s[1:]
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	n := countDigits(s)
	return n > 0 && n == len(s)
}

func countDigits(s string) int {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// looseNumber parses notations for numbers in other languages: +1, .5, 1., 007, 0x1F, 1_000.
func looseNumber(s string) (node, bool) {
	if len(s) == 0 || len(s) > 32 || strings.IndexByte("+-.0123456789", s[0]) < 0 {
		return node{}, false
	}
	if i, err := strconv.ParseInt(strings.TrimLeft(s, "+"), 0, 64); err == nil && strings.ContainsAny(s, "xX_") {
		return node{kind: number, text: strconv.FormatInt(i, 10)}, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return node{}, false
	}
	return node{kind: number, text: strconv.FormatFloat(f, 'g', -1, 64)}, true
}
