package compact

import "strings"

const (
	wrapped      = 50   // bytes, from which a line that ends inside a sentence counts as wrapped
	minSentences = 2400 // in a smaller summary parts of sentences are more useful
)

// unwrap joins lines of prose that were wrapped inside a sentence, so that whole sentences are kept.
func unwrap(t textLines) textLines {
	n := len(t.lines)
	out := textLines{text: t.text, total: t.total, lines: make([]string, 0, n), first: make([]int32, 0, n), last: make([]int32, 0, n)}
	for i := 0; i < len(t.lines); i++ {
		l := t.lines[i]
		out.first = append(out.first, int32(t.startLine(i)))
		for i+1 < len(t.lines) && len(l) < 4*pieceBytes && t.startLine(i+1) == t.endLine(i) && goesOn(t.lines[i], t.lines[i+1]) {
			i++
			l += " " + strings.TrimSpace(t.lines[i])
		}
		out.lines = append(out.lines, l)
		out.last = append(out.last, int32(t.endLine(i)-1))
	}
	return out
}

// goesOn reports whether a line is prose whose sentence continues on the next line.
func goesOn(line, next string) bool {
	t := strings.TrimRight(line, " \r")
	next = strings.TrimSpace(next)
	if len(t) < wrapped || len(t) > 120 || next == "" || !isLower(next[0]) && next[0] != '(' {
		return false
	}
	if last := t[len(t)-1]; !isAlnum(last) && last != ',' && last != ')' {
		return false
	}
	return strings.Count(t, " ") >= 6 && plainWords(t) && plainWords(next)
}

// plainWords reports whether a line is mostly words.
func plainWords(t string) bool {
	n := 0
	for i := 0; i < len(t); i++ {
		if c := t[i]; isLower(c) || c == ' ' {
			n++
		}
	}
	return n*100 >= len(t)*85
}
