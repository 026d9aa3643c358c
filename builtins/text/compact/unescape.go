package compact

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape returns a text with all JSON string escapes replaced.
func unescape(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i:]
		n := 2
		switch text[1] {
		case 'n', 'r', 't', 'b', 'f':
			b.WriteByte("\n\r\t  "[strings.IndexByte("nrtbf", text[1])])
		case '"', '\\', '/':
			b.WriteByte(text[1])
		case 'u':
			n = unescapeRune(&b, text)
		default:
			b.WriteString(text[:2])
		}
		text = text[n:]
	}
}

// unescapeRune writes the rune of an escape, or of a surrogate pair of escapes, and returns the length of the escape.
func unescapeRune(b *strings.Builder, text string) int {
	r, ok := hexRune(text)
	if !ok {
		b.WriteString(text[:2])
		return 2
	}
	if utf16.IsSurrogate(r) && len(text) > 6 {
		if low, ok := hexRune(text[6:]); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				b.WriteRune(pair)
				return 12
			}
		}
	}
	b.WriteRune(r)
	return 6
}

func hexRune(text string) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}
