package sanitize

import (
	"strings"
	"unicode/utf8"
)

// Strip makes text safe to print on a terminal or to write to a log: it removes control characters other than
// tab and newline, entire escape sequences with their payload (colors, titles, links, clipboard writes),
// bidirectional controls, zero-width and tag characters. A byte that is not UTF-8 becomes U+FFFD.
func Strip(text string) string {
	return stripFunc(text, func(r rune) bool { return isControl(r) || Invisible(r) })
}

// Controls removes what a reader would obey without seeing it, and nothing that a language or a format needs:
// control characters and escape sequences, characters that reverse the direction of text, and tag characters.
// Carriage returns before a newline stay, and so do joiners and direction marks.
func Controls(text string) string {
	if strings.Contains(text, "\r\n") {
		lines := strings.Split(text, "\r\n")
		for i, line := range lines {
			lines[i] = Controls(line)
		}
		return strings.Join(lines, "\r\n")
	}
	return stripFunc(text, func(r rune) bool { return isControl(r) || isTurn(r) || isTag(r) })
}

func stripFunc(text string, unsafe func(rune) bool) string {
	clean := 0
	for clean < len(text) && (text[clean] >= ' ' && text[clean] < 0x7F || text[clean] == '\t' || text[clean] == '\n') {
		clean++
	}
	if clean == len(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	b.WriteString(text[:clean])
	for i := clean; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == esc || r == csi || r == osc || r == dcs:
			size = escapeLen(text[i:], r, size)
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case !unsafe(r):
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// The introducers of escape sequences; the last three are the one-character forms of ESC [, ESC ] and ESC P.
const (
	esc = 0x1B
	csi = 0x9B
	osc = 0x9D
	dcs = 0x90
)

// maxEscape limits what one sequence may swallow, so that an unterminated one cannot hide the rest of a text.
const maxEscape = 4096

// EscapeLen returns the length of the terminal sequence at the beginning of text, or 0.
func EscapeLen(text string) int {
	switch r, size := utf8.DecodeRuneInString(text); r {
	case esc, csi, osc, dcs:
		return escapeLen(text, r, size)
	}
	return 0
}

// escapeLen returns the length of the sequence that s starts with; size is the length of its first rune.
func escapeLen(s string, r rune, size int) int {
	if r == esc {
		if len(s) < 2 {
			return size
		}
		switch size = 2; s[1] {
		case '[':
			r = csi
		case ']':
			r = osc
		case 'P', 'X', '^', '_':
			r = dcs
		default:
			return simpleEscapeLen(s)
		}
	}
	if r == csi {
		for i := size; i < len(s) && s[i] >= ' ' && s[i] < 0x7F; i++ {
			if s[i] >= '@' {
				return i + 1
			}
		}
		return size
	}
	return stringEscapeLen(s, size)
}

// simpleEscapeLen returns the length of ESC, bytes from space to slash, and one final byte.
func simpleEscapeLen(s string) int {
	i := 1
	for i < len(s) && s[i] >= ' ' && s[i] <= '/' {
		i++
	}
	if i < len(s) && s[i] > '/' && s[i] < 0x7F {
		return i + 1
	}
	return 1
}

// stringEscapeLen returns the length of a sequence that carries text up to BEL or ESC \. If that does not end
// on its line, only the introducer counts: the text then stays, harmless.
func stringEscapeLen(s string, size int) int {
	for i := size; i < len(s) && i < maxEscape && s[i] != '\n'; i++ {
		switch {
		case s[i] == 0x07:
			return i + 1
		case strings.HasPrefix(s[i:], "\x1b\\"), strings.HasPrefix(s[i:], "\u009c"):
			return i + 2
		case s[i] == esc, s[i] == 0xC2 && i+1 < len(s) && (s[i+1] == csi || s[i+1] == osc || s[i+1] == dcs):
			return size // another begins: a terminal drops this one, and scanning on would cost as much for each
		}
	}
	return size
}

// isControl reports whether a rune is a control character that must not be shown as it is.
func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' || r >= 0x7F && r <= 0x9F
}

// isTurn reports whether a rune changes the direction of the following text.
func isTurn(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// isTag reports whether a rune is in the tag block or the supplementary variation selectors, which can carry
// entire messages.
func isTag(r rune) bool { return r >= 0xE0000 && r <= 0xE0FFF }

// Invisible reports whether a rune takes up no space, or is a line separator that not all programs recognize:
// zero-width characters, bidirectional controls, fillers, marks within notes and music, tags. Variation
// selectors of emoji do not count, since ordinary text has them.
func Invisible(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0xFEFF, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0, r == 0x17B4, r == 0x17B5:
		return true
	case r == 0x2028, r == 0x2029, r >= 0x180B && r <= 0x180F, r >= 0xFE00 && r <= 0xFE0D, r >= 0xFFF9 && r <= 0xFFFB, r >= 0x1D173 && r <= 0x1D17A:
		return true
	case r >= 0x200B && r <= 0x200F, isTurn(r), r >= 0x2060 && r <= 0x206F:
		return true
	}
	return isTag(r)
}
