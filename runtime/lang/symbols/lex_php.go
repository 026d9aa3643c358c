package symbols

import "bytes"

// phpLexer reads what is specific to PHP.
type phpLexer struct{ *lexer }

func phpSpecial(l *lexer, c byte) bool { return phpLexer{l}.readSpecial(c) }

// readSpecial reads the end of PHP code, heredocs and attributes.
func (l phpLexer) readSpecial(c byte) bool {
	switch {
	case c == '?' && l.peek(1) == '>':
		l.emit(tokPunct, ';', l.i+2)
		l.skipMarkup()
		return true
	case c == '#' && l.peek(1) == '[': // an attribute, not a comment
		l.emit(tokPunct, c, l.i+1)
		return true
	case c == '<' && l.has("<<<"):
		j := l.i + 3
		for j < len(l.src) && isBlank(l.src[j]) {
			j++
		}
		if end := l.queueHeredoc(j, heredoc{indent: true, tail: true}); end > 0 {
			l.emit(tokNumber, 0, end)
			return true
		}
	}
	return false
}

// skipMarkup skips text outside of PHP, up to and including "<?php" or "<?=".
func (l phpLexer) skipMarkup() {
	n := bytes.Index(l.src[l.i:], []byte("<?"))
	if n < 0 {
		l.skipTo(len(l.src))
		return
	}
	l.skipTo(l.i + n + 2)
	if l.has("php") {
		l.i += 3
	}
	l.fresh = true
}
