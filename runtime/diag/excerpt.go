package diag

import (
	"strings"
	"unicode"
)

// Lines wider than this are shown as the part around the mistake.
const (
	widest = 160
	around = 60
)

// excerpt returns a line fit to print, the padding that leads to the range's
// first column in a terminal, and how many carets cover it. Tabs stay tabs in
// both, so that they line up whatever the terminal's tab width.
func excerpt(line string, r Range) (text, pad string, carets int) {
	runes := []rune(line)
	from := min(max(r.Col-1, 0), len(runes))
	to := len(runes)
	if r.EndLine == r.Line {
		to = min(max(r.EndCol-1, from), len(runes))
	}
	lead := ""
	if len(runes) > widest {
		start := max(0, from-around)
		end := min(len(runes), max(from+around, min(to, start+widest)))
		if start > 0 {
			lead = "…"
		}
		runes, from, to = runes[start:end], from-start, min(to, end)-start
	}
	var b strings.Builder
	for _, c := range lead {
		b.WriteString(blank(c))
	}
	for _, c := range runes[:from] {
		b.WriteString(blank(c))
	}
	for _, c := range runes[from:to] {
		carets += cells(c)
	}
	return lead + clean(string(runes)), b.String(), max(carets, 1)
}

func blank(c rune) string {
	if c == '\t' {
		return "\t"
	}
	return strings.Repeat(" ", cells(c))
}

// cells is how many columns of a terminal a character takes.
func cells(c rune) int {
	switch {
	case unicode.In(c, unicode.Mn, unicode.Me):
		return 0
	case unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul),
		c >= 0xff01 && c <= 0xff60, c >= 0x1f300 && c <= 0x1faff:
		return 2
	}
	return 1
}

// clean replaces what would move a terminal's cursor or colour its text: a
// configuration is quoted, never obeyed.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '\t' {
			return c
		}
		if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029' {
			return '\ufffd'
		}
		return c
	}, s)
}
