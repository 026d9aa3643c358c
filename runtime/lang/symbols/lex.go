package symbols

import "bytes"

// lexer splits source into tokens and comments. White space, comments and the contents of strings never become tokens,
// so that every brace token is a brace of the program. It keeps a stack of its own, because languages nest code in
// strings.
type lexer struct {
	src   []byte
	i     int   // next byte
	line  int32 // line of byte i
	fresh bool  // no token yet on this line
	rules rules

	toks     []token
	comments []comment

	bodyEnd   int       // where a quoted body of SQL ends, 0 outside of one
	modes     []mode    // open strings and markup around the code
	heredocs  []heredoc // announced on this line; their bodies come next
	misses    int       // unsuccessful searches for heredoc terminators
	noRegex   int       // a slash before this offset divides
	joined    bool      // a backslash ended the last line
	noMarkup  bool      // JSX is disabled for this run
	inMarkup  bool      // the file ended inside JSX text
	directive bool      // lex preprocessor lines as one token
}

// rules describes the comments and strings of a language.
type rules struct {
	lang    Lang
	slash   bool // line comments // and block comments /* */
	nested  bool // block comments nest
	hash    bool // line comments #
	dash    bool // line comments --
	dquote  quoting
	squote  quoting
	bquote  quoting
	triple  bool // """ opens a string of its own
	triple1 bool // ''' too
	special func(l *lexer, c byte) bool
}

// quoting tells how a quote character behaves.
type quoting uint8

const (
	quoteNone    quoting = iota // an ordinary character
	quoteLine                   // a string that ends with its line
	quoteMulti                  // a string that may span lines
	quoteRaw                    // spans lines, backslash has no meaning
	quoteName                   // quotes an identifier
	quoteChar                   // a character literal, or a Rust lifetime
	quoteDollar                 // "…${code}…"
	quoteHash                   // "…#{code}…"
	quoteSwift                  // "…\(code)…"
	quotePHP                    // "…{$code}…"
	quoteShell                  // "…$(code)…" and "…`code`…"
	quoteFormat                 // Python: f"…{code!r:format}…"
	quoteDoubled                // the quote is escaped by doubling it
)

// reset prepares the lexer for a source, keeping its buffers.
func (l *lexer) reset(src []byte, lang Lang) {
	*l = lexer{
		src: src, line: 1, fresh: true, rules: rulesFor(lang),
		toks: l.toks[:0], comments: l.comments[:0], modes: l.modes[:0], heredocs: l.heredocs[:0],
	}
	if bytes.HasPrefix(src, bom) {
		l.i = len(bom)
	}
	if bytes.HasPrefix(src[l.i:], []byte("#!")) && lang != Rust {
		l.readLineComment()
	}
	l.directive = lang == C || lang == CPP || lang == CSharp
	if lang == PHP {
		phpLexer{l}.skipMarkup()
	}
}

// lex reads the whole source. JSX is a guess: if it extends to the end of the file, it was a comparison or a type, and
// the file is read again without JSX.
func (l *lexer) lex(src []byte, lang Lang) {
	l.makeRoom(len(src))
	l.reset(src, lang)
	l.run()
	if l.inMarkup {
		l.reset(src, lang)
		l.noMarkup = true
		l.run()
	}
}

// For a large source, the buffer for its tokens is allocated at once; code mostly fills it, and growing it step by step
// would allocate several times as much.
const (
	largeSource   = 64 << 10
	bytesPerToken = 4
)

// makeRoom allocates the buffer for the tokens of a source of the given size.
func (l *lexer) makeRoom(size int) {
	if n := size / bytesPerToken; size >= largeSource && cap(l.toks) < n {
		l.toks = make([]token, 0, n)
	}
}

// run reads to the end of the source.
func (l *lexer) run() {
	for l.i < len(l.src) {
		c := l.src[l.i]
		switch classes[c] {
		case clsSpace:
			l.i++
		case clsNewline:
			l.readNewline()
		case clsIdent:
			l.readIdent()
		case clsDigit:
			l.readNumber()
		default:
			l.readPunct(c)
		}
	}
}

// readNewline ends a line and reads the heredoc bodies announced on it.
func (l *lexer) readNewline() {
	l.i++
	l.line++
	l.fresh = !l.joined
	l.joined = false
	if len(l.heredocs) > 0 {
		l.readHeredocBodies()
	}
	if l.rules.lang == Ruby {
		rubyLexer{l}.readLineStart()
	}
}

// skipTo moves to an offset and counts the lines up to it.
func (l *lexer) skipTo(end int) {
	end = min(end, len(l.src))
	l.line += int32(bytes.Count(l.src[l.i:end], []byte{'\n'}))
	l.i = end
}

// emit adds the token from l.i to end and moves after it.
func (l *lexer) emit(kind tokKind, ch byte, end int) {
	end = min(end, len(l.src))
	if l.i < l.bodyEnd {
		end = min(end, l.bodyEnd)
	}
	if end <= l.i {
		return // such as what follows the last hole of a string that nothing closes
	}
	l.toks = append(l.toks, token{off: uint32(l.i), end: uint32(end), line: l.line, kind: kind, ch: ch, nl: l.fresh})
	l.fresh = false
	if kind >= tokString {
		l.skipTo(end)
		return
	}
	l.i = end
}

// peek returns the byte n positions after the current one, 0 after the end.
func (l *lexer) peek(n int) byte {
	if l.i+n < len(l.src) {
		return l.src[l.i+n]
	}
	return 0
}

// has reports whether the source continues with a prefix.
func (l *lexer) has(prefix string) bool {
	return len(l.src)-l.i >= len(prefix) && string(l.src[l.i:l.i+len(prefix)]) == prefix
}

// readIdent reads an identifier, a keyword, or a string with a prefix.
func (l *lexer) readIdent() {
	src, j := l.src, l.i+1
	if src[l.i] == '$' && l.rules.special != nil && l.rules.special(l, '$') {
		return
	}
	for j < len(src) && isWord(src[j]) {
		j++
	}
	if j < len(src) && l.readPrefixed(j) {
		return
	}
	switch l.rules.lang {
	case Ruby, Elixir:
		if j < len(src) && (src[j] == '?' || src[j] == '!') && (j+1 == len(src) || src[j+1] != '=') {
			j++
		}
	case Haskell: // foldl'
		for j < len(src) && (src[j] == '\'' || isWord(src[j])) {
			j++
		}
	case Perl:
		if (perlLexer{l}).readQuoteLike(j) {
			return
		}
	}
	l.emit(tokIdent, 0, j)
}

// readNumber reads a number.
func (l *lexer) readNumber() {
	src, j := l.src, l.i+1
	quotes := l.rules.lang == CPP || l.rules.lang == C
	for j < len(src) {
		c := src[j]
		digits := c == '.' || quotes && c == '\''
		if !isWord(c) && !(digits && j+1 < len(src) && isWord(src[j+1]) && src[j-1] != '.') {
			break
		}
		j++
	}
	l.emit(tokNumber, 0, j)
}

// readPunct reads everything that is not a word: comments, strings, operators.
func (l *lexer) readPunct(c byte) {
	if l.rules.special != nil && l.rules.special(l, c) {
		return
	}
	switch c {
	case '/':
		if l.rules.slash && l.readSlashComment() {
			return
		}
	case '#':
		if l.rules.hash {
			l.readLineComment()
			return
		}
		if l.directive && l.fresh {
			cLexer{l}.readDirective()
			return
		}
	case '-':
		if l.rules.dash && l.peek(1) == '-' {
			l.readLineComment()
			return
		}
	case '"', '\'', '`':
		if l.readQuote(c) {
			return
		}
	case '\\':
		l.skipBackslash()
		return
	case '{', '(', '}', ')':
		l.readBracket(c)
		return
	}
	l.readOperator(c)
}

// skipBackslash drops a line continuation or any other stray backslash.
func (l *lexer) skipBackslash() {
	l.i++
	j := l.i
	if j < len(l.src) && l.src[j] == '\r' {
		j++
	}
	if j < len(l.src) && l.src[j] == '\n' {
		l.joined = true
	}
}

// readOperator emits one operator, joining the few that must not be split.
func (l *lexer) readOperator(c byte) {
	switch d := l.peek(1); {
	case d != '=' && d != '>' && d != c: // most are single bytes
		l.emit(tokPunct, c, l.i+1)
	case c == '=' && d == '>':
		l.emit(tokPunct, opFatArrow, l.i+2)
	case c == '-' && d == '>':
		l.emit(tokPunct, opThinArrow, l.i+2)
	case c == ':' && d == ':':
		l.emit(tokPunct, opScope, l.i+2)
	case c == ':' && d == '=':
		l.emit(tokPunct, opDefine, l.i+2)
	case d == '=' && (c == '=' || c == '!' || c == '<' || c == '>'):
		n := 2
		if l.peek(2) == '=' {
			n = 3
		}
		l.emit(tokPunct, opCompare, l.i+n)
	case c == d && (c == '&' || c == '|'):
		l.emit(tokPunct, opLogic, l.i+2)
	case c == d && (c == '+' || c == '-'):
		l.emit(tokPunct, opStep, l.i+2)
	case d == '=' && bytes.IndexByte([]byte("+-*/%&|^~?"), c) >= 0:
		l.emit(tokPunct, opUpdate, l.i+2)
	case c == '.' && d == '.':
		n := 2
		if l.peek(2) == '.' {
			n = 3
		}
		l.emit(tokPunct, opSpread, l.i+n)
	default:
		l.emit(tokPunct, c, l.i+1)
	}
}

// lastToken returns the token before the current byte, or a semicolon at the start.
func (l *lexer) lastToken() token {
	if len(l.toks) == 0 {
		return token{ch: ';'}
	}
	return l.toks[len(l.toks)-1]
}

// lastIs reports whether the last token is one of the words.
func (l *lexer) lastIs(words ...string) bool {
	t := l.lastToken()
	for _, w := range words {
		if t.kind == tokIdent && string(l.src[t.off:t.end]) == w {
			return true
		}
	}
	return false
}
