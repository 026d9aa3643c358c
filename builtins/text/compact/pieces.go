package compact

import (
	"strings"
	"unicode/utf8"
)

// eachPiece calls fn with the pieces of a line, cut at the end of a sentence, a clause or a word. inside says that the
// next piece continues without a space.
func eachPiece(line string, fn func(piece string, inside bool)) {
	for len(line) > pieceBytes*3/2 {
		n := breakAt(line)
		rest := strings.TrimLeft(line[n:], " \t")
		fn(line[:n], len(rest) == len(line)-n)
		line = rest
	}
	fn(line, false)
}

// wholePiece calls fn with a line as a single piece.
func wholePiece(line string, fn func(piece string, inside bool)) { fn(line, false) }

// breakAt returns where to cut a line: after the last mark in the second half of a piece, else at a rune boundary.
func breakAt(line string) int {
	half := line[pieceBytes/2 : pieceBytes]
	for _, mark := range []string{". ", "。", "; ", "；", ", ", "，", "、", " ", ",", "/"} {
		if i := strings.LastIndex(half, mark); i >= 0 {
			return pieceBytes/2 + i + len(strings.TrimRight(mark, " ")) // the space is dropped
		}
	}
	n := pieceBytes
	for n > pieceBytes-utf8.UTFMax && !utf8.RuneStart(line[n]) {
		n--
	}
	return n
}

// squeeze trims a line and replaces its runs of spaces and tabs by single spaces.
func squeeze(line string) string {
	line = trimBlanks(line)
	if !strings.Contains(line, "  ") && !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	gap := false
	for i := 0; i < len(line); i++ {
		if c := line[i]; c == ' ' || c == '\t' {
			gap = true
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteByte(line[i])
	}
	return b.String()
}

// trimBlanks trims the blanks of a line; unlike strings.Trim it does not parse a cutset on each call.
func trimBlanks(line string) string {
	for line != "" && isLineBlank(line[0]) {
		line = line[1:]
	}
	for line != "" && isLineBlank(line[len(line)-1]) {
		line = line[:len(line)-1]
	}
	return line
}

func isLineBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// cutLineNumber cuts off the line number that a tool printed, as in `  12→` or `12<tab>`.
func cutLineNumber(line string) (number, rest string) {
	i := 0
	for i < len(line) && line[i] == ' ' {
		i++
	}
	start := i
	for i < len(line) && isDigit(line[i]) {
		i++
	}
	if i == start || i-start > 7 {
		return "", line
	}
	switch {
	case strings.HasPrefix(line[i:], "→"):
		return line[start:i], line[i+len("→"):]
	case strings.HasPrefix(line[i:], "\t"):
		return line[start:i], line[i+1:]
	}
	return "", line
}
