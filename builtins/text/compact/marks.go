package compact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainMarks is a text with spaces for its marks beyond ASCII (dashes, arrows, bullets, quotation marks), byte for
// byte, so that every byte from 0x80 on belongs to a word. A mark of omission stays where it is asked for.
func plainMarks(text string, omissions bool) string {
	i := 0
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	if i == len(text) {
		return text
	}
	b := []byte(text)
	for i < len(text) {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !(omissions && strings.HasPrefix(text[i:], omission)) {
			for k := range n {
				b[i+k] = ' '
			}
		}
		i += n
	}
	return string(b)
}
