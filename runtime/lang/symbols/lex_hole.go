package symbols

// Strings and markup that contain code.

// mode is a string or a piece of markup that contains code; while that code is lexed, the mode is kept on the stack.
type mode struct {
	markup bool
	tag    bool  // markup: the hole is in a tag, not between tags
	elems  int32 // markup: open elements

	quote  byte  // string: the closing quote
	quotes int32 // number of quotes that close it
	hashes int32 // Swift: number signs after them; C#: braces that open a hole
	style  quoting
	line   bool // ends with its line at the latest

	close  byte  // the bracket that ends the hole
	nest   int32 // brackets of that kind open inside the hole
	parens int32 // Python: open round and square brackets
}

// readStringBody reads the body of a string with holes, from offset j. It stops at the end of the string, or enters the
// first hole; the rest of the string is read after the hole.
func (l *lexer) readStringBody(m mode, j int) {
	for j < len(l.src) {
		switch d := l.src[j]; {
		case d == m.quote && l.closesString(m, j):
			l.emit(tokString, m.quote, j+int(m.quotes+l.trailingHashes(m)))
			return
		case d == '\n' && m.line:
			l.emit(tokString, m.quote, j)
			return
		default:
			n, open := l.findHole(m, j)
			if open > 0 {
				l.enterHole(m, j+n-1)
				return
			}
			j += max(n, 1)
		}
	}
	l.emit(tokString, m.quote, len(l.src))
}

// closesString reports whether the quote at j ends the string.
func (l *lexer) closesString(m mode, j int) bool {
	for n := range int(m.quotes) {
		if j+n >= len(l.src) || l.src[j+n] != m.quote {
			return false
		}
	}
	if m.quotes >= 3 && j+int(m.quotes) < len(l.src) && l.src[j+int(m.quotes)] == m.quote {
		return false // of a longer run, the last three count
	}
	if m.style == quoteDoubled && j+1 < len(l.src) && l.src[j+1] == m.quote {
		return false
	}
	if m.style == quoteSwift && m.hashes > 0 {
		end := j + int(m.quotes)
		for n := range int(m.hashes) {
			if end+n >= len(l.src) || l.src[end+n] != '#' {
				return false
			}
		}
	}
	return true
}

// trailingHashes returns the number of number signs in the closing delimiter.
func (l *lexer) trailingHashes(m mode) int32 {
	if m.style == quoteSwift {
		return m.hashes
	}
	return 0
}

// findHole checks offset j for an escape (n is its length, open is 0) or the start of a hole (n is the length including
// its bracket, open is 1).
func (l *lexer) findHole(m mode, j int) (n, open int) {
	d := l.src[j]
	var e byte
	if j+1 < len(l.src) {
		e = l.src[j+1]
	}
	switch m.style {
	case quoteDollar, quoteHash, quotePHP, quoteShell:
		if n := opensHole(m.style, d, e); n > 0 {
			return n, 1
		}
	case quoteFormat:
		switch {
		case d == '{' && e == '{':
			return 2, 0
		case d == '{':
			return 1, 1
		case d == '\\' && e == 'N' && j+2 < len(l.src) && l.src[j+2] == '{': // a character by its name
			return 3, 0
		}
	case quoteSwift:
		return l.findSwiftHole(m, j)
	case quoteDoubled, quoteLine, quoteRaw: // C#, depending on the kind of string
		return csharpLexer{l}.findInterpolation(m, j)
	}
	if d == '\\' && !(m.quotes == 3 && (l.rules.lang == Kotlin || l.rules.lang == Scala)) {
		return 2, 0
	}
	return 1, 0
}

// opensHole returns how many of two bytes open a hole, or 0 if they do not.
func opensHole(style quoting, d, e byte) int {
	switch {
	case style == quoteDollar && d == '$' && e == '{',
		style == quoteHash && d == '#' && e == '{',
		style == quoteShell && d == '$' && e == '(':
		return 2
	case style == quotePHP && d == '{' && e == '$', style == quoteShell && d == '`':
		return 1
	}
	return 0
}

// findSwiftHole does what findHole does, for the escapes of Swift and CUE.
func (l *lexer) findSwiftHole(m mode, j int) (n, open int) {
	if l.src[j] != '\\' {
		return 1, 0
	}
	n = 1
	for n <= int(m.hashes) && j+n < len(l.src) && l.src[j+n] == '#' {
		n++
	}
	if n == int(m.hashes)+1 && j+n < len(l.src) && l.src[j+n] == '(' {
		return n + 1, 1
	}
	if m.hashes > 0 {
		return 1, 0
	}
	return 2, 0
}

// enterHole emits the string up to the opening bracket, which is at offset at, and that bracket. The mode stays on
// the stack until the bracket that closes the hole.
func (l *lexer) enterHole(m mode, at int) {
	if at > l.i {
		l.emit(tokString, m.quote, at)
	}
	m.close, m.nest, m.parens = '}', 0, 0
	switch l.src[at] {
	case '(':
		m.close = ')'
	case '`':
		m.close = '`'
	}
	l.emit(tokHole, l.src[at], at+1)
	l.modes = append(l.modes, m)
}

// readBracket emits a bracket of the program, or ends the hole that it closes.
func (l *lexer) readBracket(c byte) {
	if len(l.modes) == 0 {
		l.emit(tokPunct, c, l.i+1)
		return
	}
	m := &l.modes[len(l.modes)-1]
	switch {
	case c == m.close && m.nest == 0:
		l.resumeMode()
		return
	case c == m.close:
		m.nest--
	case c == '{' && m.close == '}', c == '(' && m.close == ')':
		m.nest++
	}
	l.emit(tokPunct, c, l.i+1)
}

// endHole ends the innermost hole if c closes it.
func (l *lexer) endHole(c byte) bool {
	n := len(l.modes)
	if n == 0 || l.modes[n-1].close != c {
		return false
	}
	l.resumeMode()
	return true
}

// resumeMode continues the string or markup around a hole that ends here.
func (l *lexer) resumeMode() {
	m := l.modes[len(l.modes)-1]
	l.modes = l.modes[:len(l.modes)-1]
	n := 1
	if m.style == quoteRaw && !m.markup { // C#: as many braces as opened it
		n = int(m.hashes)
	}
	l.emit(tokHole, m.close, l.i+n)
	if m.markup {
		scriptLexer{l}.readMarkup(m)
		return
	}
	l.readStringBody(m, l.i)
}
