package symbols

import "bytes"

// readQuote reads the string that starts at a quote character, if any.
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

// readQuoted reads a string whose body starts at offset from.
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

// findStringEnd returns the offset after the closing quote of a plain string. A string that should end on its line does
// so even without a quote.
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

// readQuotedName reads `name` in quotes as an identifier.
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

// maxChar limits the length of a character literal in bytes; the longest is an escape such as \u{10FFFF}.
const maxChar = 16

// readChar reads a character literal. An apostrophe that opens none begins a Rust lifetime or is part of prose, and is
// skipped.
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

// readTripleString reads a string in triple quotes.
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

// isEscaped reports whether an odd number of backslashes precedes offset at, looking back no further than from.
func (l *lexer) isEscaped(at, from int) bool {
	n := 0
	for at-n > from && l.src[at-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}

// readRegex reads a regular expression literal. If it does not end on its line, it was a division after all, and so is
// every slash in the rest of the line.
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
