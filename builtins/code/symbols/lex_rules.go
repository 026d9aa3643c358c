package symbols

// rulesFor gives the lexical rules of a language. Languages without an entry
// have strings in both quotes and no comments.
func rulesFor(lang Lang) rules {
	r := rules{lang: lang, dquote: quoteLine, squote: quoteLine}
	switch lang {
	case Go:
		r.slash, r.bquote, r.squote = true, quoteRaw, quoteChar
	case Python:
		r.hash, r.triple, r.triple1 = true, true, true
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
		r.slash, r.hash, r.dquote, r.squote, r.bquote, r.special = true, true, quoteMulti, quoteMulti, quoteMulti, phpSpecial
	case Kotlin:
		r.slash, r.nested, r.triple, r.dquote, r.squote, r.bquote = true, true, true, quoteDollar, quoteChar, quoteName
	case Swift:
		r.slash, r.nested, r.triple, r.dquote, r.squote, r.bquote = true, true, true, quoteSwift, quoteNone, quoteName
		r.special = swiftSpecial
	case Scala:
		r.slash, r.nested, r.triple, r.squote, r.bquote = true, true, true, quoteChar, quoteName
	case Shell:
		r.dquote, r.squote, r.bquote, r.special = quoteMulti, quoteRaw, quoteNone, shellSpecial
	case CUE:
		r.slash, r.triple, r.triple1, r.dquote, r.special = true, true, true, quoteSwift, swiftSpecial
	case Protobuf:
		r.slash = true
	case SQL:
		r.slash, r.dash, r.dquote, r.squote, r.bquote = true, true, quoteName, quoteDoubled, quoteName
		r.special = sqlSpecial
	}
	return r
}

// prefixed handles a word that ends at j and belongs to the literal behind it:
// r"…", b'…', R"(…)", f"…". It reports whether it consumed both.
func (l *lexer) prefixed(j int) bool {
	c := l.src[j]
	if c != '"' && c != '\'' && !(c == '#' && l.rules.lang == Rust) || j-l.i > 5 {
		return false
	}
	word := l.src[l.i:j]
	switch l.rules.lang {
	case Python:
		return l.pythonPrefix(word, j)
	case Rust:
		return l.rustPrefix(word, j)
	case C, CPP:
		return l.cPrefix(word, j)
	case Scala:
		return l.scalaPrefix(j)
	}
	return false
}

// pythonPrefix takes any word of the letters b, f, r, t and u before a quote.
func (l *lexer) pythonPrefix(word []byte, j int) bool {
	if len(word) > 3 {
		return false
	}
	for _, c := range word {
		switch c | 0x20 {
		case 'b', 'f', 'r', 't', 'u':
		default:
			return false
		}
	}
	start := l.i
	l.i = j
	l.quote(l.src[j])
	l.toks[len(l.toks)-1].off = uint32(start)
	return true
}

// rustPrefix takes b"…", c"…", b'…' and the raw strings r"…" and r#"…"#.
func (l *lexer) rustPrefix(word []byte, j int) bool {
	switch string(word) {
	case "r", "br", "cr":
		hashes := 0
		for j+hashes < len(l.src) && l.src[j+hashes] == '#' {
			hashes++
		}
		if j+hashes >= len(l.src) || l.src[j+hashes] != '"' {
			return l.rawName(j, hashes)
		}
		l.emit(tokString, '"', l.rawEnd(j+hashes+1, '"', hashes))
		return true
	case "b", "c":
		if l.src[j] == '\'' {
			return l.char(j + 1)
		}
		if l.src[j] == '"' {
			return l.quoted('"', quoteMulti, j+1)
		}
	}
	return false
}

// rawName takes r#type as the identifier type.
func (l *lexer) rawName(j, hashes int) bool {
	if j += hashes; hashes != 1 || j >= len(l.src) || !isIdent(l.src[j]) {
		return false
	}
	l.i = j
	for j < len(l.src) && isWord(l.src[j]) {
		j++
	}
	l.emit(tokIdent, 0, j)
	return true
}

// rawEnd finds a quote followed by so many number signs, from offset j.
func (l *lexer) rawEnd(j int, quote byte, hashes int) int {
	for j < len(l.src) {
		if l.src[j] == quote {
			n := 0
			for n < hashes && j+1+n < len(l.src) && l.src[j+1+n] == '#' {
				n++
			}
			if n == hashes {
				return j + 1 + n
			}
			j += n
		}
		j++
	}
	return len(l.src)
}

// cPrefix takes L"…", u8"…" and C++ raw strings R"tag(…)tag".
func (l *lexer) cPrefix(word []byte, j int) bool {
	raw := word[len(word)-1] == 'R' && l.src[j] == '"'
	if raw {
		word = word[:len(word)-1]
	}
	switch string(word) {
	case "", "L", "u", "U", "u8":
	default:
		return false
	}
	if !raw {
		if l.src[j] == '\'' {
			return l.char(j + 1)
		}
		return l.quoted('"', quoteLine, j+1)
	}
	tag := j + 1
	for tag < len(l.src) && tag-j <= 17 && l.src[tag] != '(' {
		tag++
	}
	if tag >= len(l.src) || l.src[tag] != '(' {
		return l.quoted('"', quoteLine, j+1)
	}
	l.emit(tokString, '"', l.closingTag(tag+1, l.src[j+1:tag]))
	return true
}

// closingTag finds ")tag" and a quote, from offset j.
func (l *lexer) closingTag(j int, tag []byte) int {
	for ; j < len(l.src); j++ {
		end := j + 1 + len(tag)
		if l.src[j] == ')' && end < len(l.src) && l.src[end] == '"' && string(l.src[j+1:end]) == string(tag) {
			return end + 1
		}
	}
	return len(l.src)
}

// scalaPrefix takes an interpolated string, s"…${code}…".
func (l *lexer) scalaPrefix(j int) bool {
	if l.src[j] != '"' {
		return false
	}
	l.i = j
	if l.peek(1) == '"' && l.peek(2) == '"' {
		l.stringBody(mode{quote: '"', quotes: 3, style: quoteDollar}, l.i+3)
	} else {
		l.stringBody(mode{quote: '"', quotes: 1, style: quoteDollar, line: true}, l.i+1)
	}
	return true
}

// count is the length of the run of c at offset j.
func (l *lexer) count(j int, c byte) (n int) {
	for j+n < len(l.src) && l.src[j+n] == c {
		n++
	}
	return n
}

// swiftSpecial takes the raw strings #"…"# and ##"""…"""##.
func swiftSpecial(l *lexer, c byte) bool {
	if c != '#' {
		return false
	}
	hashes := l.count(l.i, '#')
	at := l.i + hashes
	if at >= len(l.src) || l.src[at] != '"' {
		return false
	}
	quotes := 1
	if l.count(at, '"') >= 3 {
		quotes = 3
	}
	l.stringBody(mode{quote: '"', quotes: int32(quotes), hashes: int32(hashes), style: quoteSwift, line: quotes == 1}, at+quotes)
	return true
}
