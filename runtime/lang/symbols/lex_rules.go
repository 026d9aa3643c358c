package symbols

// rulesFor returns the lexical rules of a language. By default a language has strings in both quotes and no comments.
func rulesFor(lang Lang) rules {
	r := rules{lang: lang, dquote: quoteLine, squote: quoteLine}
	switch lang {
	case Go:
		r.slash, r.bquote, r.squote = true, quoteRaw, quoteChar
	case Python:
		r.hash, r.triple, r.triple1, r.special = true, true, true, pythonSpecial
	case JavaScript, TypeScript, TSX:
		r.slash, r.special = true, scriptSpecial
	case Java:
		r.slash, r.squote, r.triple = true, quoteChar, true
	case Rust:
		r.slash, r.nested, r.dquote, r.squote = true, true, quoteMulti, quoteChar
	case C, CPP:
		r.slash, r.squote = true, quoteChar
	case CSharp:
		r.slash, r.squote, r.special = true, quoteChar, csharpSpecial
	case Ruby:
		r.hash, r.dquote, r.squote, r.bquote, r.special = true, quoteHash, quoteMulti, quoteHash, rubySpecial
	case PHP:
		r.slash, r.hash, r.dquote, r.squote, r.bquote, r.special = true, true, quotePHP, quoteMulti, quotePHP, phpSpecial
	case Kotlin:
		r.slash, r.nested, r.triple, r.dquote, r.squote, r.bquote = true, true, true, quoteDollar, quoteChar, quoteName
	case Swift:
		r.slash, r.nested, r.triple, r.dquote, r.squote, r.bquote = true, true, true, quoteSwift, quoteNone, quoteName
		r.special = swiftSpecial
	case Scala:
		r.slash, r.nested, r.triple, r.squote, r.bquote = true, true, true, quoteChar, quoteName
	case Shell:
		r.dquote, r.squote, r.bquote, r.special = quoteShell, quoteRaw, quoteNone, shellSpecial
	case CUE:
		r.slash, r.triple, r.triple1, r.dquote, r.special = true, true, true, quoteSwift, swiftSpecial
	case Protobuf:
		r.slash = true
	case SQL:
		r.slash, r.dash, r.dquote, r.squote, r.bquote = true, true, quoteName, quoteDoubled, quoteName
		r.special = sqlSpecial
	case Dart:
		r.slash, r.nested, r.triple, r.triple1, r.dquote, r.squote = true, true, true, true, quoteDollar, quoteDollar
	default:
		if g := grammars[lang]; g != nil {
			r = g.lexical
			r.lang = lang
		}
	}
	return r
}

// readPrefixed reads a literal whose prefix is the word that ends at j: r"…", b'…', R"(…)", f"…". It reports whether
// there was one.
func (l *lexer) readPrefixed(j int) bool {
	c := l.src[j]
	if c != '"' && c != '\'' && !(c == '#' && l.rules.lang == Rust) || j-l.i > 5 {
		return false
	}
	word := l.src[l.i:j]
	switch l.rules.lang {
	case Python:
		return l.readPythonPrefixed(word, j)
	case Rust:
		return rustLexer{l}.readPrefixedString(word, j)
	case C, CPP:
		return cLexer{l}.readPrefixedString(word, j)
	case Scala:
		return l.readScalaPrefixed(j)
	case Dart:
		return len(word) == 1 && word[0] == 'r' && l.readRawString(j)
	}
	return false
}

// readRawString reads a string without escapes whose quote is at j.
func (l *lexer) readRawString(j int) bool {
	c, quotes := l.src[j], 1
	if l.countRun(j, c) >= 3 {
		quotes = 3
	}
	end := len(l.src)
	for at := j + quotes; at < len(l.src); at++ {
		if quotes == 1 && l.src[at] == '\n' {
			end = at
			break
		}
		if l.src[at] == c && (quotes == 1 || l.countRun(at, c) >= quotes) {
			end = at + quotes
			break
		}
	}
	l.emit(tokString, c, end)
	return true
}

// readPythonPrefixed reads a string prefixed with any of the letters b, f, r, t and u. Those with f or t contain code.
func (l *lexer) readPythonPrefixed(word []byte, j int) bool {
	if len(word) > 3 {
		return false
	}
	format := false
	for _, c := range word {
		switch c | 0x20 {
		case 'f', 't':
			format = true
		case 'b', 'r', 'u':
		default:
			return false
		}
	}
	start, first, c := l.i, len(l.toks), l.src[j]
	l.i = j
	switch {
	case !format:
		l.readQuote(c)
	case l.peek(1) == c && l.peek(2) == c:
		l.readStringBody(mode{quote: c, quotes: 3, style: quoteFormat}, j+3)
	default:
		l.readStringBody(mode{quote: c, quotes: 1, style: quoteFormat, line: true}, j+1)
	}
	l.toks[first].off = uint32(start)
	return true
}

// pythonSpecial ends the code in a hole where its conversion or format begins.
func pythonSpecial(l *lexer, c byte) bool {
	if len(l.modes) == 0 {
		return false
	}
	m := &l.modes[len(l.modes)-1]
	switch c {
	case '(', '[':
		m.parens++
	case ')', ']':
		m.parens--
	case ':', '!':
		if m.parens == 0 && m.nest == 0 && !(c == '!' && l.peek(1) == '=') {
			l.resumeMode()
			return true
		}
	}
	return false
}

// readScalaPrefixed reads an interpolated string, s"…${code}…".
func (l *lexer) readScalaPrefixed(j int) bool {
	if l.src[j] != '"' {
		return false
	}
	l.i = j
	if l.peek(1) == '"' && l.peek(2) == '"' {
		l.readStringBody(mode{quote: '"', quotes: 3, style: quoteDollar}, l.i+3)
	} else {
		l.readStringBody(mode{quote: '"', quotes: 1, style: quoteDollar, line: true}, l.i+1)
	}
	return true
}

// countRun returns the length of the run of c at offset j.
func (l *lexer) countRun(j int, c byte) (n int) {
	for j+n < len(l.src) && l.src[j+n] == c {
		n++
	}
	return n
}

// swiftSpecial reads the raw strings #"…"# and ##"""…"""##.
func swiftSpecial(l *lexer, c byte) bool {
	if c != '#' {
		return false
	}
	hashes := l.countRun(l.i, '#')
	at := l.i + hashes
	if at >= len(l.src) || l.src[at] != '"' {
		return false
	}
	quotes := 1
	if l.countRun(at, '"') >= 3 {
		quotes = 3
	}
	l.readStringBody(mode{quote: '"', quotes: int32(quotes), hashes: int32(hashes), style: quoteSwift, line: quotes == 1}, at+quotes)
	return true
}
