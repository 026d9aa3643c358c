package symbols

import "bytes"

// perlLexer reads what is specific to Perl.
type perlLexer struct{ *lexer }

func perlSpecial(l *lexer, c byte) bool { return perlLexer{l}.readSpecial(c) }

// readSpecial reads documentation, regular expressions, heredocs and variable names that are not words.
func (l perlLexer) readSpecial(c byte) bool {
	switch c {
	case '=':
		if l.fresh && isIdent(l.peek(1)) && (l.i == 0 || l.src[l.i-1] == '\n') {
			end := len(l.src)
			if n := bytes.Index(l.src[l.i:], []byte("\n=cut")); n >= 0 {
				end = l.i + n + len("\n=cut")
			}
			l.addComment(end)
			return true
		}
	case '$':
		if n := l.peek(1); n > ' ' && !isWord(n) && n != '{' && n != '(' && n != ')' { // sub f($) has no variable
			l.emit(tokIdent, 0, l.i+2)
			return true
		}
	case '/':
		return rubyLexer(l).expectsValue() && l.readRegex()
	case '<':
		return l.has("<<") && rubyLexer(l).readHeredoc()
	}
	return false
}

// maxQuoteWord is the maximum length of a quote operator.
const maxQuoteWord = 2

// readQuoteLike reads q(…), qw[…], m{…}, s/…/…/ and the like, whose operator ends at j, and skips the data after
// __END__.
func (l perlLexer) readQuoteLike(j int) bool {
	word := string(l.src[l.i:j])
	if l.fresh && (word == "__END__" || word == "__DATA__") {
		l.addComment(len(l.src))
		return true
	}
	if len(word) > maxQuoteWord || !l.mayQuote(j) {
		return false
	}
	parts := countParts(word)
	at := j
	for at < len(l.src) && l.src[at] == ' ' {
		at++
	}
	if parts == 0 || at >= len(l.src) || isWord(l.src[at]) || bytes.IndexByte([]byte("\n\r\t,;)="), l.src[at]) >= 0 || l.src[at] == '#' && at > j {
		return false
	}
	end := l.findQuoteEnd(at, parts)
	for end < len(l.src) && isIdent(l.src[end]) { // flags
		end++
	}
	l.emit(tokString, 'q', end)
	return true
}

// countParts returns the number of texts after a quote operator, 0 for other words.
func countParts(word string) int {
	switch word {
	case "q", "qq", "qw", "qr", "qx", "m":
		return 1
	case "s", "tr", "y":
		return 2
	}
	return 0
}

// findQuoteEnd returns the offset after one or two texts, the first of which opens at an offset. If the first is in
// brackets, the second has delimiters of its own.
func (l perlLexer) findQuoteEnd(at, parts int) int {
	end := l.findDelimiter(at)
	if parts == 1 || end >= len(l.src) {
		return end
	}
	if bytes.IndexByte([]byte("([{<"), l.src[at]) < 0 {
		return l.findDelimiter(end - 1)
	}
	for end < len(l.src)-1 && l.src[end] <= ' ' {
		end++
	}
	return l.findDelimiter(end)
}

// mayQuote reports whether the word up to j may be a quote operator, rather than a hash key or the name of a method, a
// function or an array.
func (l perlLexer) mayQuote(j int) bool {
	if t := l.lastToken(); t.kind == tokPunct && t.ch == opThinArrow || l.lastIs("sub", "package", "method") {
		return false
	}
	if l.i == 0 {
		return true
	}
	before := l.src[l.i-1]
	return !(before == '{' && j < len(l.src) && l.src[j] == '}') && before != '@' && before != '%' && before != '&' && before != '-'
}
