package sanitize

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Name returns the name or path of a file on one line, with nothing in it that a terminal, a reader or a model's chat
// template would obey: such characters are escaped as \u{1b}, bytes that are not UTF-8 as \x{ff}. Nearly all names are
// returned unchanged. Path reverses it.
func Name(path string) string { return escapeUnsafe(path, tokens, escaped) }

// Line returns any text on one line, with the same characters escaped. Names in it that Name has escaped stay.
func Line(text string) string { return escapeUnsafe(text, tokens) }

// escapeUnsafe escapes invisible characters, and the first character of each match of first.
func escapeUnsafe(path string, first ...*lazyregexp.Regexp) string {
	if isPlain(path) {
		return path
	}
	held := map[int]bool{}
	for _, re := range first {
		for _, at := range re.FindAllStringIndex(path, -1) {
			held[at[0]] = true
		}
	}
	var b strings.Builder
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x{%x}`, path[i])
		case held[i], !isVisible(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(path[i : i+size])
		}
		i += size
	}
	return b.String()
}

// isPlain reports whether a name needs no check: it has only ASCII letters, digits and signs that begin nothing.
func isPlain(path string) bool {
	for i := range len(path) {
		if c := path[i]; c < ' ' || c >= 0x7F || c == '\\' || c == '<' || c == '[' {
			return false
		}
	}
	return true
}

// isVisible reports whether a character is visible, and appears where it is.
func isVisible(r rune) bool { return unicode.IsPrint(r) && !Invisible(r) }

// escaped matches the escapes of Name.
var escaped = lazyregexp.New(`\\u\{[0-9a-f]{1,6}\}|\\x\{[0-9a-f]{2}\}`)

// Path returns the name that Name has escaped; any other text is returned unchanged.
func Path(shown string) string {
	if !strings.Contains(shown, `\u{`) && !strings.Contains(shown, `\x{`) {
		return shown
	}
	path := escaped.ReplaceAllStringFunc(shown, func(s string) string {
		n, _ := strconv.ParseUint(s[3:len(s)-1], 16, 32)
		if s[1] == 'x' {
			return string([]byte{byte(n)})
		}
		return string(rune(n))
	})
	if Name(path) != shown {
		return shown
	}
	return path
}
