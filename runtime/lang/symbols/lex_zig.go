package symbols

import "bytes"

// zigSpecial reads lines of multi-line strings, which begin with two backslashes.
func zigSpecial(l *lexer, c byte) bool {
	if c != '\\' || l.peek(1) != '\\' {
		return false
	}
	end := len(l.src)
	if n := bytes.IndexByte(l.src[l.i:], '\n'); n >= 0 {
		end = l.i + n
	}
	l.emit(tokString, '\\', end)
	return true
}
