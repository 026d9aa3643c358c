package symbols

import "bytes"

// readQuote consumes a string that starts at a quote character, if one does.
func (l *lexer) readQuote(c byte) bool {
	style := l.rules.dquote
	switch c {
	case '\'':
		style = l.rules.squote
	case '`':
		style = l.rules.bquote
	}
	if l.rules.triple && c == '"' || l.rules.triple1 && c == '\'' {
		if l.peek(1) == c && l.peek(2) == c {
			l.readTripleString(c, style)
			return true
		}
	}
	return l.readQuoted(c, style, l.i+1)
}

// readQuoted consumes a string whose body starts at offset from.
func (l *lexer) readQuoted(c byte, style quoting, from int) bool {
	switch style {
	case quoteNone:
		return false
	case quoteChar:
		return l.readChar(from)
	case quoteName:
		l.readQuotedName(c)
	case quoteDollar, quoteHash, quoteSwift, quotePHP, quoteShell:
		line := style == quoteSwift || l.rules.lang == Kotlin || l.rules.lang == Scala
		l.readStringBody(mode{quote: c, quotes: 1, style: style, line: line}, from)
	default:
		l.emit(tokString, c, l.findStringEnd(from, c, style))
	}
	return true
}

// findStringEnd finds the end of a plain string, behind its closing quote. A
// string that should end with its line does so even without a quote.
func (l *lexer) findStringEnd(j int, c byte, style quoting) int {
	for j < len(l.src) {
		switch d := l.src[j]; {
		case d == c:
			if style != quoteDoubled || j+1 >= len(l.src) || l.src[j+1] != c {
				return j + 1
			}
			j++
		case d == '\\' && style != quoteRaw && style != quoteDoubled:
			j++
			if j < len(l.src) && l.src[j] == '\r' {
				j++
			}
		case d == '\n' && style == quoteLine:
			return j
		}
		j++
	}
	return len(l.src)
}

// readQuotedName takes `name` in backquotes as the identifier it is.
func (l *lexer) readQuotedName(c byte) {
	rest := l.src[l.i+1:]
	n := bytes.IndexByte(rest[:min(len(rest), maxName)], c)
	if n <= 0 || bytes.IndexByte(rest[:n], '\n') >= 0 {
		l.i++
		return
	}
	l.i++
	l.emit(tokIdent, 0, l.i+n)
	if l.i != l.bodyEnd {
		l.i++
	}
}

// maxChar bounds the bytes of a character literal, the longest of which is an
// escape such as \u{10FFFF}.
const maxChar = 16

// readChar consumes a character literal; an apostrophe that opens none is a
// Rust lifetime or stands in prose, and is passed over.
func (l *lexer) readChar(j int) bool {
	rest := l.src[j:min(len(l.src), j+maxChar)]
	switch {
	case len(rest) > 1 && rest[0] == '\\':
		if n := bytes.IndexByte(rest[2:], '\''); n >= 0 {
			l.emit(tokNumber, 0, j+2+n+1)
			return true
		}
	case len(rest) > 1 && rest[0] != '\'' && rest[0] != '\n':
		n := 1
		for n < len(rest) && rest[n]&0xC0 == 0x80 { // the rest of one rune
			n++
		}
		if n < len(rest) && rest[n] == '\'' {
			l.emit(tokNumber, 0, j+n+1)
			return true
		}
	}
	for j < len(l.src) && isWord(l.src[j]) {
		j++
	}
	l.emit(tokNumber, 0, j)
	return true
}

// readTripleString consumes a string between three quotes.
func (l *lexer) readTripleString(c byte, style quoting) {
	switch style {
	case quoteDollar, quoteHash, quoteSwift:
		l.readStringBody(mode{quote: c, quotes: 3, style: style}, l.i+3)
		return
	}
	j := l.i + 3
	for {
		n := bytes.IndexByte(l.src[j:], c)
		if n < 0 {
			l.emit(tokString, c, len(l.src))
			return
		}
		if l.isEscaped(j+n, j) {
			j += n + 1
			continue
		}
		j += n
		if bytes.HasPrefix(l.src[j:], []byte{c, c, c}) {
			l.emit(tokString, c, j+3)
			return
		}
		j++
	}
}

// isEscaped says that an odd number of backslashes stands before offset at,
// looking no further back than from.
func (l *lexer) isEscaped(at, from int) bool {
	n := 0
	for at-n > from && l.src[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// readRegex consumes a regular expression literal. One that does not end on its
// line was a division after all, and so is what follows there.
func (l *lexer) readRegex() bool {
	if l.i < l.noRegex {
		return false
	}
	class, j := false, l.i+1
	for ; j < len(l.src) && l.src[j] != '\n'; j++ {
		switch l.src[j] {
		case '\\':
			j++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if class {
				continue
			}
			j++
			for j < len(l.src) && isWord(l.src[j]) {
				j++
			}
			l.emit(tokString, '/', j)
			return true
		}
	}
	l.noRegex = j
	return false
}
