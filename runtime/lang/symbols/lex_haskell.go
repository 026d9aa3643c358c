package symbols

// haskellSpecial reads {- … -} comments, which nest.
func haskellSpecial(l *lexer, c byte) bool {
	if c != '{' || l.peek(1) != '-' {
		return false
	}
	depth, j := 0, l.i
	for j+1 < len(l.src) {
		switch {
		case l.src[j] == '{' && l.src[j+1] == '-':
			depth++
			j += 2
		case l.src[j] == '-' && l.src[j+1] == '}':
			depth--
			j += 2
		default:
			j++
		}
		if depth == 0 {
			l.addComment(j)
			return true
		}
	}
	l.addComment(len(l.src))
	return true
}
