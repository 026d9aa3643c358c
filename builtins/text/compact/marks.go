package compact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainMarks replaces marks beyond ASCII (dashes, arrows, bullets, quotation marks) with spaces, byte for byte, so that
// every byte from 0x80 on belongs to a word. With omissions set, omission marks stay.
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
