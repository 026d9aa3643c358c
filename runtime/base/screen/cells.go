package screen

import (
	"strings"
	"unicode"
)

// Cells returns how many terminal columns a character takes.
func Cells(c rune) int {
	switch {
	case unicode.In(c, unicode.Mn, unicode.Me):
		return 0
	case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul),
		c >= 0xff01 && c <= 0xff60, c >= 0x1f300 && c <= 0x1faff:
		return 2
	}
	return 1
}

// Width returns how many columns a text on one line takes.
func Width(s string) int {
	n := 0
	for _, c := range s {
		n += Cells(c)
	}
	return n
}

// Fill joins the lines of each paragraph, so that a narrow screen can wrap it again.
// Indented lines stay as they are, and so does a text that fits.
func Fill(text string, width int) string {
	lines := strings.Split(text, "\n")
	fits := true
	for _, l := range lines {
		fits = fits && Width(l) <= width
	}
	if width <= 0 || fits {
		return text
	}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			if isFlush(lines[i-1]) && isFlush(l) {
				b.WriteByte(' ')
			} else {
				b.WriteByte('\n')
			}
		}
		b.WriteString(l)
	}
	return b.String()
}

// isFlush reports whether a line belongs to a paragraph.
func isFlush(line string) bool { return line != "" && line[0] != ' ' && line[0] != '\t' }
