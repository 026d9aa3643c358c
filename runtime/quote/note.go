package quote

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lazyregexp"
)

var ownNote = lazyregexp.New(`(?i)((?:^|[\n\r\v\f\x{85}\x{2028}\x{2029}])[\s\p{Cf}>*#|-]*)\[([\s\p{Cf}]*compactor[\s\p{Cf}]*:)`)

// Unmarked returns a foreign text in which no line passes for a note of ours. A part of one can begin such a line where
// the whole did not: it is to be unmarked again.
func Unmarked(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return ownNote.ReplaceAllString(text, "$1($2")
}
