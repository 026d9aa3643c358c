package symbols

// csharpLexer reads what is specific to C#.
type csharpLexer struct{ *lexer }

func csharpSpecial(l *lexer, c byte) bool { return csharpLexer{l}.readSpecial(c) }

// readSpecial reads verbatim, interpolated and raw strings.
func (l csharpLexer) readSpecial(c byte) bool {
	switch c {
	case '$':
		return l.readDollar(l.i, false)
	case '@':
		if l.peek(1) == '$' {
			return l.readDollar(l.i+1, true)
		}
		if l.peek(1) == '"' {
			l.emit(tokString, '"', l.findStringEnd(l.i+2, '"', quoteDoubled))
		} else {
			l.i++ // @class is an identifier
		}
		return true
	case '"':
		if quotes := l.countRun(l.i, '"'); quotes >= 3 {
			l.emit(tokString, '"', l.findQuotesEnd(l.i+quotes, quotes))
			return true
		}
	}
	return false
}

// readDollar reads an interpolated string whose dollar signs start at j.
func (l csharpLexer) readDollar(j int, verbatim bool) bool {
	dollars := l.countRun(j, '$')
	j += dollars
	if j < len(l.src) && l.src[j] == '@' {
		verbatim = true
		j++
	}
	quotes := l.countRun(j, '"')
	switch {
	case quotes == 0:
		return false
	case verbatim:
		l.readStringBody(mode{quote: '"', quotes: 1, style: quoteDoubled}, j+1)
	case quotes >= 3:
		l.readStringBody(mode{quote: '"', quotes: int32(quotes), hashes: int32(dollars), style: quoteRaw}, j+quotes)
	default:
		l.readStringBody(mode{quote: '"', quotes: 1, style: quoteLine, line: true}, j+1)
	}
	return true
}

// findQuotesEnd returns the offset after a run of at least n double quotes, searching from j.
func (l csharpLexer) findQuotesEnd(j, n int) int {
	for j < len(l.src) {
		run := l.countRun(j, '"')
		if run >= n {
			return j + run
		}
		j += run + 1
	}
	return len(l.src)
}

// findInterpolation reads the escapes of $"…", $@"…" and $$"""…""". m.hashes is the number of braces that open a hole.
func (l csharpLexer) findInterpolation(m mode, j int) (n, open int) {
	switch d := l.src[j]; {
	case d == '{':
		for j+n < len(l.src) && l.src[j+n] == '{' {
			n++
		}
		if m.style != quoteRaw {
			return n, n % 2
		}
		if n >= int(m.hashes) {
			return n, 1
		}
		return n, 0
	case d == m.quote && m.style == quoteDoubled && j+1 < len(l.src) && l.src[j+1] == d:
		return 2, 0
	case d == '\\' && m.style == quoteLine:
		return 2, 0
	}
	return 1, 0
}
