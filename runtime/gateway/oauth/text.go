package oauth

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSaid bounds a foreign text that is shown, in bytes.
const maxSaid = 200

// oneLine makes a foreign text fit for an error: one line, nothing invisible, bounded.
func oneLine(text string) string {
	var b strings.Builder
	for _, word := range strings.Fields(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		for _, r := range word {
			if b.Len() > maxSaid {
				return b.String() + "..."
			}
			if r != utf8.RuneError && unicode.IsPrint(r) {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// without takes values out of a text that came from outside.
func without(text string, values ...string) string {
	for _, v := range values {
		if len(v) >= minSecret {
			text = strings.ReplaceAll(text, v, "***")
		}
	}
	return text
}

// minSecret is the length from which a value is no part of any text.
const minSecret = 6
