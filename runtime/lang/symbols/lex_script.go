package symbols

import "bytes"

// scriptLexer reads what is specific to JavaScript and TypeScript.
type scriptLexer struct{ *lexer }

func scriptSpecial(l *lexer, c byte) bool { return scriptLexer{l}.readSpecial(c) }

// readSpecial reads templates, regular expressions, private names and JSX.
func (l scriptLexer) readSpecial(c byte) bool {
	switch c {
	case '`':
		l.readStringBody(mode{quote: '`', quotes: 1, style: quoteDollar}, l.i+1)
		return true
	case '/':
		return l.peek(1) != '/' && l.peek(1) != '*' && l.expectsValue() && l.readRegex()
	case '#':
		if isIdent(l.peek(1)) {
			j := l.i + 2
			for j < len(l.src) && isWord(l.src[j]) {
				j++
			}
			l.emit(tokIdent, 0, j)
			return true
		}
	case '<':
		if l.opensMarkup() {
			l.i++
			l.readMarkup(mode{markup: true, tag: true})
			return true
		}
	}
	return false
}

// expectsValue reports whether an operand may come next, so that a slash opens a regular expression and a less-than
// sign opens JSX.
func (l scriptLexer) expectsValue() bool {
	t := l.lastToken()
	switch t.kind {
	case tokNumber, tokString:
		return false
	case tokHole:
		return t.ch == '{'
	case tokIdent:
		return l.lastIs("return", "typeof", "case", "in", "of", "delete", "void", "throw", "new",
			"instanceof", "do", "else", "yield", "await", "default", "extends")
	}
	switch t.ch {
	case ')', ']', opMarkup, opStep:
		return false
	case '}':
		return l.fresh
	}
	return true
}

// opensMarkup reports whether the current less-than sign starts a JSX element.
func (l scriptLexer) opensMarkup() bool {
	if l.noMarkup || l.rules.lang == TypeScript || !isIdent(l.peek(1)) && l.peek(1) != '>' {
		return false
	}
	if l.lastToken().ch == '}' && l.lastToken().kind == tokPunct || !l.expectsValue() {
		return false
	}
	return l.rules.lang != TSX || !l.startsTypeParams()
}

// startsTypeParams reports whether <T, …> or <T extends …> starts here, which in TSX distinguishes a generic arrow
// function from an element.
func (l scriptLexer) startsTypeParams() bool {
	j := l.i + 1
	for j < len(l.src) && isWord(l.src[j]) {
		j++
	}
	for j < len(l.src) && l.src[j] == ' ' {
		j++
	}
	rest := l.src[j:]
	return len(rest) > 0 && (rest[0] == ',' || bytes.HasPrefix(rest, []byte("extends ")))
}

// readMarkup reads JSX up to the end of its outermost element, or up to a hole with code, at whose end it is called
// again.
func (l scriptLexer) readMarkup(m mode) {
	for l.i < len(l.src) {
		var done bool
		if m.tag {
			done = l.readMarkupTag(&m)
		} else {
			done = l.readMarkupText(&m)
		}
		if done {
			return
		}
	}
	l.inMarkup = true
}

// readMarkupTag reads one piece of a tag. In a tag, m.nest is 1 if the tag closes an element.
func (l scriptLexer) readMarkupTag(m *mode) (done bool) {
	c := l.src[l.i]
	switch {
	case c == '\n':
		l.readNewline()
	case isIdent(c):
		j := l.i + 1
		for j < len(l.src) && (isWord(l.src[j]) || l.src[j] == '-') {
			j++
		}
		l.emit(tokIdent, 0, j)
	case c == '"' || c == '\'':
		l.emit(tokString, c, l.findStringEnd(l.i+1, c, quoteRaw))
	case c == '{':
		l.enterHole(*m, l.i)
		return true
	case c == '/' && (l.peek(1) == '*' || l.peek(1) == '/'):
		l.readSlashComment()
	case c == '/' && l.peek(1) == '>':
		l.i++
		return l.endTag(m, 0)
	case c == '>':
		return l.endTag(m, 1-2*m.nest)
	default:
		l.i++
	}
	return false
}

// endTag ends a tag that opens (+1), closes (-1) or is itself (0) an element.
func (l scriptLexer) endTag(m *mode, step int32) (done bool) {
	l.emit(tokPunct, opMarkup, l.i+1)
	m.elems += step
	m.tag, m.nest = false, 0
	return m.elems <= 0
}

// readMarkupText reads the text between tags and the delimiter after it.
func (l scriptLexer) readMarkupText(m *mode) (done bool) {
	j := l.i
	for j < len(l.src) && l.src[j] != '<' && l.src[j] != '{' {
		j++
	}
	if j > l.i {
		l.emit(tokString, '<', j)
	}
	switch {
	case l.i >= len(l.src):
	case l.src[l.i] == '{':
		l.enterHole(*m, l.i)
		return true
	case l.peek(1) == '/':
		l.i += 2
		m.tag, m.nest = true, 1
	case isIdent(l.peek(1)) || l.peek(1) == '>':
		l.i++
		m.tag, m.nest = true, 0
	default:
		l.i++
	}
	return false
}
