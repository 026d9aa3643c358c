package contract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mentions reports whether a text names a reference, and not just another one that
// begins or ends with it.
func Mentions(text, ref string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], ref)
		if i < 0 || ref == "" {
			return false
		}
		start, end := from+i, from+i+len(ref)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		if !inPath(before) && !goesOn(text[end:]) {
			return true
		}
		from = end
	}
}

func inPath(c rune) bool {
	return c == '/' || c == '.' || c == '-' || c == '_' || c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c))
}

// goesOn reports whether the text after a reference belongs to it. A full stop or a
// colon that ends a sentence does not.
func goesOn(rest string) bool {
	first, n := utf8.DecodeRuneInString(rest)
	if first == '.' || first == ':' || first == '-' {
		first, _ = utf8.DecodeRuneInString(rest[n:])
		return first != utf8.RuneError && (unicode.IsLetter(first) || unicode.IsDigit(first))
	}
	return inPath(first)
}
