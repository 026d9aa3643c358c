package symbols

import "bytes"

// luaSpecial reads long strings, [[ … ]] and [==[ … ]==], and comments with the same brackets.
func luaSpecial(l *lexer, c byte) bool {
	switch c {
	case '[':
		if end := l.findLongBracket(l.i); end > 0 {
			l.emit(tokString, '[', end)
			return true
		}
	case '-':
		if l.peek(1) == '-' {
			if end := l.findLongBracket(l.i + 2); end > 0 {
				l.addComment(end)
				return true
			}
		}
	}
	return false
}

// findLongBracket returns the offset after the long bracket that opens at j, or 0 if none does.
func (l *lexer) findLongBracket(j int) int {
	if j >= len(l.src) || l.src[j] != '[' {
		return 0
	}
	level := l.countRun(j+1, '=')
	from := j + level + 2
	if from > len(l.src) || l.src[from-1] != '[' {
		return 0
	}
	closing := append(append([]byte{']'}, bytes.Repeat([]byte{'='}, level)...), ']')
	if n := bytes.Index(l.src[from:], closing); n >= 0 {
		return from + n + len(closing)
	}
	return len(l.src)
}
