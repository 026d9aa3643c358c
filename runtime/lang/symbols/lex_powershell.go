package symbols

import "bytes"

// powershellSpecial reads comments in <# … #>, here-strings, escapes, and strings in double quotes, in which a backtick
// escapes.
func powershellSpecial(l *lexer, c byte) bool {
	switch c {
	case '<':
		if l.peek(1) == '#' {
			end := len(l.src)
			if n := bytes.Index(l.src[l.i:], []byte("#>")); n >= 0 {
				end = l.i + n + 2
			}
			l.addComment(end)
			return true
		}
	case '@':
		if q := l.peek(1); (q == '"' || q == '\'') && (l.peek(2) == '\n' || l.peek(2) == '\r') {
			end := len(l.src)
			if n := bytes.Index(l.src[l.i+2:], []byte{'\n', q, '@'}); n >= 0 {
				end = l.i + 2 + n + 3
			}
			l.emit(tokString, q, end)
			return true
		}
	case '`':
		l.skipEscape()
		return true
	case '"':
		j := l.i + 1
		for ; j < len(l.src); j++ {
			if l.src[j] == '`' {
				j++
			} else if l.src[j] == '"' {
				if j+1 >= len(l.src) || l.src[j+1] != '"' {
					j++
					break
				}
				j++
			}
		}
		l.emit(tokString, '"', j)
		return true
	}
	return false
}

// skipEscape skips an escape; an escaped line break continues the line.
func (l *lexer) skipEscape() {
	if l.peek(1) == '\n' || l.peek(1) == '\r' {
		l.skipBackslash()
		return
	}
	l.i = min(l.i+2, len(l.src))
}
