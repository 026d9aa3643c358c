package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns a text in quotation marks. Those inside it become single ones, so that none of them ends the quotation.
func Quote(text string) string {
	return "“" + strings.NewReplacer("“", "‘", "”", "’").Replace(text) + "”"
}

// OneLine returns a foreign text for an error, a log or a comment: one line without terminal
// sequences and invisible characters, in at most limit bytes; 0 means no limit.
func OneLine(text string, limit int) string {
	if text = strings.TrimLeft(text, " \t\r\n"); limit > 0 && len(text) > 8*limit { // limit the work before scanning it
		text = text[:8*limit]
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '?'
		case unicode.IsSpace(r):
			return ' '
		case !isVisible(r):
			return -1
		}
		return r
	}, Strip(text))
	text = strings.Join(strings.Fields(text), " ")
	if limit <= 0 || len(text) <= limit {
		return text
	}
	const mark = "..."
	end := max(limit-len(mark), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}

// Brief returns a foreign text on one line for a table column: as OneLine, but with invisible
// characters escaped, and cut to limit characters, between words if possible.
func Brief(text string, limit int) string {
	r := []rune(Line(strings.Join(strings.Fields(Strip(text)), " ")))
	if len(r) <= limit {
		return string(r)
	}
	cut := limit - 1
	for at := cut; at > limit/2; at-- {
		if r[at] == ' ' {
			cut = at
			break
		}
	}
	return string(r[:cut]) + "…"
}

// Cut returns the beginning of a text, in at most limit characters plus the ellipsis.
func Cut(text string, limit int) string {
	n := 0
	for at := range text {
		if n == limit {
			return text[:at] + "…"
		}
		n++
	}
	return text
}
