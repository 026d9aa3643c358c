package notes

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// findQuote returns the place of a quote in a text: byte for byte, or else ignoring how much white space
// is between its words, since search shows text on one line. Of several places it returns the first
// from a byte on, or else the first of all.
func findQuote(text, quote string, from int) (start, end int, ok bool) {
	quote = strings.TrimSpace(quote)
	if quote == "" || !utf8.ValidString(quote) {
		return 0, 0, false
	}
	if i := indexFrom(text, quote, from); i >= 0 {
		return i, i + len(quote), true
	}
	flat, at := flatten(text)
	near := 0
	for near < len(at) && int(at[near]) < from {
		near++
	}
	quote, _ = flatten(quote)
	i := indexFrom(flat, quote, near)
	if i < 0 {
		return 0, 0, false
	}
	return int(at[i]), int(at[i+len(quote)-1]) + 1, true
}

// indexFrom returns the first position of part from a byte on, or else the first of all, or -1.
func indexFrom(text, part string, from int) int {
	from = max(0, min(from, len(text)))
	if i := strings.Index(text[from:], part); i >= 0 {
		return from + i
	}
	return strings.Index(text, part)
}

// flatten returns a text with one space for each run of white space, and the original offset of
// each of its bytes.
func flatten(text string) (string, []uint32) {
	flat, at := make([]byte, 0, len(text)), make([]uint32, 0, len(text))
	space := false
	for i, size := 0, 0; i < len(text); i += size {
		r, n := utf8.DecodeRuneInString(text[i:])
		if size = n; unicode.IsSpace(r) {
			space = len(flat) > 0
			continue
		}
		if space {
			flat, at, space = append(flat, ' '), append(at, uint32(i-1)), false
		}
		for k := i; k < i+size; k++ {
			flat, at = append(flat, text[k]), append(at, uint32(k))
		}
	}
	return string(flat), at
}
