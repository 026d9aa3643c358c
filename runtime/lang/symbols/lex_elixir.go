package symbols

import "bytes"

// elixirSpecial reads sigils, ~r/…/ and ~S""" … """, and characters, ?".
func elixirSpecial(l *lexer, c byte) bool {
	switch c {
	case '~':
		return l.readSigil()
	case '?':
		if next := l.peek(1); next > ' ' && (l.i == 0 || !isWord(l.src[l.i-1])) {
			n := 2
			if next == '\\' {
				n = 3
			}
			l.emit(tokNumber, 0, l.i+n)
			return true
		}
	}
	return false
}

// readSigil reads a sigil, which ends at its first closing delimiter.
func (l *lexer) readSigil() bool {
	j := l.i + 1
	for j < len(l.src) && (isUpper(l.src[j]) || j == l.i+1 && isIdent(l.src[j])) {
		j++
	}
	if j == l.i+1 || j >= len(l.src) {
		return false
	}
	end := l.src[j]
	switch end {
	case '(', '[', '{', '<':
		end = ")]}>"[bytes.IndexByte([]byte("([{<"), end)]
	case '"', '\'', '/', '|':
		if l.countRun(j, end) >= 3 {
			l.emit(tokString, '~', l.findTriple(j+3, end))
			return true
		}
	default:
		return false
	}
	l.emit(tokString, '~', l.findStringEnd(j+1, end, quoteMulti))
	return true
}

// findTriple returns the offset after the next three quotes at or after j.
func (l *lexer) findTriple(j int, c byte) int {
	if n := bytes.Index(l.src[j:], []byte{c, c, c}); n >= 0 {
		return j + n + 3
	}
	return len(l.src)
}
