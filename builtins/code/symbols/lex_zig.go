package symbols

import "bytes"

// zigSpecial takes the lines of strings, which begin with two backslashes.
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

// hclSpecial takes heredocs, <<TAG and <<-TAG.
func hclSpecial(l *lexer, c byte) bool {
	if c != '<' || l.peek(1) != '<' {
		return false
	}
	j := l.i + 2
	if l.peek(2) == '-' {
		j++
	}
	end := l.announce(j, heredoc{indent: true})
	if end == 0 {
		return false
	}
	l.emit(tokNumber, 0, end)
	return true
}
