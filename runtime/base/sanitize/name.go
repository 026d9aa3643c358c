package sanitize

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Name is the name or path of a file on one line, with nothing in it that a terminal, a reader or a model's template
// would obey: such characters are written as \u{1b}, bytes that are not UTF-8 as \x{ff}. Nearly all names come back as
// they are. Path reads it back.
func Name(path string) string { return written(path, tokens, escaped) }

// Line is any text on one line, with the same characters written out. Names in it that Name has written stay.
func Line(text string) string { return written(text, tokens) }

// written writes out what is not to be seen, and the first character of what is not to be read.
func written(path string, first ...*lazyregexp.Regexp) string {
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
		case held[i], !shows(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(path[i : i+size])
		}
		i += size
	}
	return b.String()
}

// isPlain reports whether a name needs no look: letters, digits and signs of ASCII that begin nothing.
func isPlain(path string) bool {
	for i := range len(path) {
		if c := path[i]; c < ' ' || c >= 0x7F || c == '\\' || c == '<' || c == '[' {
			return false
		}
	}
	return true
}

// shows reports whether a character is seen, and seen where it stands.
func shows(r rune) bool { return unicode.IsPrint(r) && !Invisible(r) }

// escaped is what Name writes.
var escaped = lazyregexp.New(`\\u\{[0-9a-f]{1,6}\}|\\x\{[0-9a-f]{2}\}`)

// Path is the name that Name has written; any other text is the name of itself.
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
