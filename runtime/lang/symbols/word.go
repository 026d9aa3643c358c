package symbols

import (
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// isConstantCase reports whether a name has upper-case letters and no lower-case ones.
func isConstantCase(name []byte) bool {
	upper := false
	for _, c := range name {
		if 'a' <= c && c <= 'z' || c >= 0x80 {
			return false
		}
		upper = upper || isUpper(c)
	}
	return upper
}

// maxShortWord is the length of the longest keyword compared with lowerShort.
const maxShortWord = 12

// lowerShort returns a short word in lower case, or "" for a long one; the keywords of PHP and SQL ignore case.
func lowerShort(word []byte) string {
	if len(word) > maxShortWord {
		return ""
	}
	var b [maxShortWord]byte
	for i, c := range word {
		if isUpper(c) {
			c |= 0x20
		}
		b[i] = c
	}
	return string(b[:len(word)])
}

// clip cuts text to at most n bytes at a rune boundary, and not within what may be a key.
func clip(text []byte, n int) []byte {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:contract.BeforeToken(text, n)]
}
