package sanitize

import (
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

var ownNote = lazyregexp.New(`(?i)((?:^|[\n\r\v\f\x{85}\x{2028}\x{2029}])[\s\p{Cf}>*#|-]*)\[([\s\p{Cf}]*compactor[\s\p{Cf}]*:)`)

// Unmarked returns a foreign text in which no line passes for a note of ours.
func Unmarked(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return ownNote.ReplaceAllString(text, "$1($2")
}

// lineEnds are the characters that end a line.
const lineEnds = "\n\r\v\f\u0085\u2028\u2029"

// UnmarkedPart returns text[from:to] of an unmarked text. If its first line was cut out of a longer one, it
// may look like a note and is unmarked again. The other lines stay: they may be notes that we put there.
func UnmarkedPart(text string, from, to int) string {
	part := text[from:to]
	if r, _ := utf8.DecodeLastRuneInString(text[:from]); from == 0 || strings.ContainsRune(lineEnds, r) {
		return part
	}
	end := strings.IndexAny(part, lineEnds)
	if end < 0 {
		end = len(part)
	}
	return Unmarked(part[:end]) + part[end:]
}
