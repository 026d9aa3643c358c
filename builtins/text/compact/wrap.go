package compact

import "strings"

const (
	wrapped        = 50   // bytes, from which a line that ends inside a sentence was wrapped
	leastSentences = 2400 // in a smaller summary parts of sentences tell more
)

// unwrap joins lines of prose that were wrapped inside a sentence, so that sentences are kept and not parts of them.
func unwrap(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		for i+1 < len(lines) && len(l) < 4*pieceBytes && goesOn(lines[i], lines[i+1]) {
			i++
			l += " " + strings.TrimSpace(lines[i])
		}
		out = append(out, l)
	}
	return out
}

// goesOn reports whether a line is prose whose sentence the next line continues.
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

// plainWords reports whether a line is of words mostly.
func plainWords(t string) bool {
	n := 0
	for i := 0; i < len(t); i++ {
		if c := t[i]; isLower(c) || c == ' ' {
			n++
		}
	}
	return n*100 >= len(t)*85
}
