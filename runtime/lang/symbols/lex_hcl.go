package symbols

// hclSpecial reads heredocs, <<TAG and <<-TAG.
func hclSpecial(l *lexer, c byte) bool {
	if c != '<' || l.peek(1) != '<' {
		return false
	}
	j := l.i + 2
	if l.peek(2) == '-' {
		j++
	}
	end := l.queueHeredoc(j, heredoc{indent: true})
	if end == 0 {
		return false
	}
	l.emit(tokNumber, 0, end)
	return true
}
