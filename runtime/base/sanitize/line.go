package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine is a foreign text for an error, a log or a comment: one line without terminal sequences and characters that
// are not seen, in at most limit bytes; 0 is no limit.
func OneLine(text string, limit int) string {
	if text = strings.TrimLeft(text, " \t\r\n"); limit > 0 && len(text) > 8*limit { // bound the work before looking at it
		text = text[:8*limit]
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '?'
		case unicode.IsSpace(r):
			return ' '
		case !shows(r):
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

// Brief is a foreign text on one line for a column of a table: as OneLine, but with what is not seen in it written out,
// and cut to limit characters, between words where there are any.
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

// Cut is the beginning of a text, in at most limit characters and the mark of what is left out.
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
