package diag

import (
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

// For lines wider than widest, only the part around the mistake is shown. A terminal
// may have less room; narrowest is assumed as the minimum.
const (
	widest    = 160
	around    = 60
	narrowest = 16
)

// excerptLine returns a line fit to print, the padding that leads to the range's first
// column in a terminal, and how many carets cover it. Tabs stay tabs in both, so that
// they line up whatever the terminal's tab width.
func excerptLine(line string, r Range, room int) (text, pad string, carets int) {
	runes := []rune(line)
	from := min(max(r.Col-1, 0), len(runes))
	to := len(runes)
	if r.EndLine == r.Line {
		to = min(max(r.EndCol-1, from), len(runes))
	}
	lead := ""
	if len(runes) > room {
		before := min(around, room*3/8)
		start := max(0, from-before)
		end := min(len(runes), max(from+before, min(to, start+room)))
		if room < widest {
			end = min(len(runes), start+room-1)
		}
		if start > 0 {
			lead = "…"
		}
		runes, from, to = runes[start:end], from-start, min(to, end)-start
	}
	var b strings.Builder
	for _, c := range lead {
		b.WriteString(blankFor(c))
	}
	for _, c := range runes[:from] {
		b.WriteString(blankFor(c))
	}
	for _, c := range runes[from:to] {
		carets += screen.Cells(c)
	}
	return lead + cleanText(string(runes)), b.String(), max(carets, 1)
}

func blankFor(c rune) string {
	if c == '\t' {
		return "\t"
	}
	return strings.Repeat(" ", screen.Cells(c))
}

// cleanText replaces characters that would move a terminal's cursor or color its text: a
// configuration is quoted, never obeyed.
func cleanText(s string) string {
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
