package symbols

import "bytes"

// rubyLexer reads what is specific to Ruby.
type rubyLexer struct{ *lexer }

func rubySpecial(l *lexer, c byte) bool { return rubyLexer{l}.readSpecial(c) }

// readLineStart reads what Ruby recognizes only at the start of a line: =begin comments, and __END__ with the data
// after it.
func (l rubyLexer) readLineStart() {
	switch {
	case l.has("=begin"):
		end := len(l.src)
		if n := bytes.Index(l.src[l.i:], []byte("\n=end")); n >= 0 {
			end = l.i + n + len("\n=end")
		}
		l.addComment(end)
		l.skipRestOfLine()
	case l.has("__END__"):
		l.addComment(len(l.src))
	}
}

// skipRestOfLine skips the rest of a line.
func (l rubyLexer) skipRestOfLine() {
	for l.i < len(l.src) && l.src[l.i] != '\n' {
		l.i++
	}
}

// readSpecial reads Ruby's percent literals, regular expressions, heredocs and character literals.
func (l rubyLexer) readSpecial(c byte) bool {
	switch c {
	case '%':
		return l.expectsValue() && l.readPercent()
	case '/':
		if !l.expectsValue() {
			return false
		}
		if b := l.peek(1); b == '\n' || b == '\r' {
			return l.readQuoted('/', quoteMulti, l.i+1)
		}
		return l.readRegex()
	case '<':
		return l.has("<<") && l.readHeredoc()
	case '$': // $', $" and the like are variables
		if n := l.peek(1); n > ' ' && !isWord(n) {
			l.emit(tokIdent, 0, l.i+2)
			return true
		}
	case '?':
		if l.expectsValue() && l.peek(1) > ' ' && !isWord(l.peek(2)) {
			l.emit(tokNumber, 0, l.i+2)
			return true
		}
	}
	return false
}

// expectsValue reports whether a value may start here. After a name only the spacing decides: "puts /x/" has an
// argument, "a / b" and "a/b" divide.
func (l rubyLexer) expectsValue() bool {
	t := l.lastToken()
	if l.fresh {
		return true
	}
	switch t.kind {
	case tokNumber, tokString:
		return false
	case tokIdent:
		if l.lastIs("if", "unless", "while", "until", "and", "or", "not", "return", "when", "in", "then", "do", "else", "elsif", "case") {
			return true
		}
		next := l.peek(1)
		return l.i > 0 && isBlank(l.src[l.i-1]) && next != ' ' && next != '=' && next != '\n'
	}
	return t.ch != ')' && t.ch != ']' && t.ch != '}'
}

// readPercent reads %w[…], %q(…), %r{…}, %(…) and the like.
func (l rubyLexer) readPercent() bool {
	j := l.i + 1
	if j < len(l.src) && bytes.IndexByte([]byte("wWiIqQrxs"), l.src[j]) >= 0 {
		j++
	}
	if j >= len(l.src) || isWord(l.src[j]) || l.src[j] <= ' ' || l.src[j] == '=' {
		return false
	}
	l.emit(tokString, '%', l.findDelimiter(j))
	return true
}

// findDelimiter returns the offset after the text whose opening delimiter is at j. Brackets end at their partner.
func (l *lexer) findDelimiter(j int) int {
	open, end := l.src[j], l.src[j]
	if n := bytes.IndexByte([]byte("([{<"), open); n >= 0 {
		end = ")]}>"[n]
	}
	depth := 1
	for j++; j < len(l.src) && depth > 0; j++ {
		switch l.src[j] {
		case '\\':
			j++
		case end:
			depth--
		case open:
			depth++
		}
	}
	return min(j, len(l.src))
}

// readHeredoc announces <<~TAG, <<-TAG or <<TAG, unless it is an append operator.
func (l rubyLexer) readHeredoc() bool {
	j := l.i + 2
	h := heredoc{indent: l.peek(2) == '~' || l.peek(2) == '-'}
	if h.indent {
		j++
	} else if !isUpper(l.peek(2)) && l.peek(2) != '"' && l.peek(2) != '\'' {
		return false
	}
	if l.lastIs("class") || !h.indent && l.i > 0 && isWord(l.src[l.i-1]) {
		return false
	}
	end := l.queueHeredoc(j, h)
	if end == 0 {
		return false
	}
	l.emit(tokNumber, 0, end)
	return true
}
