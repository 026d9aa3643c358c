package symbols

// C and C++. A declaration is read up to the brace, semicolon or equals sign
// that tells what it is; bodies of functions are passed over whole.

// cHead is what is known of a declaration while its tokens are read.
type cHead struct {
	doc, from int // first token, and first behind template and linkage
	agg       int // token of class, struct, union or enum, -1 without one
	name      int // token of a function's name, -1 without one
	paren     int // its parameters, -1 without them
	pointer   int // name of a function pointer, -1 without one
	local     bool
	extern    bool
	constant  bool
	typed     bool // a macro round the type stands before the name
}

func (s *Scanner) cDecl(i int) int {
	switch sc := s.scope(); {
	case sc.kind == scopeExpr: // what follows the body of a type
		return s.past(i)
	case s.tok(i).kind == tokDirective || s.ch(i) == ';':
		return i + 1
	case sc.kind == scopeEnum:
		return s.cEnumerator(i)
	case s.ch(i) == '{':
		return s.past(i)
	case sc.kind == scopeClass && s.cAccess(i) > 0:
		return s.cAccess(i)
	}
	h := cHead{doc: i, agg: -1, name: -1, paren: -1, pointer: -1}
	j := s.cPrefix(i)
	h.from = j
	switch string(s.text(j)) {
	case "namespace":
		return s.cNamespace(j, j+1)
	case "inline":
		if s.is(j+1, "namespace") {
			return s.cNamespace(j, j+2)
		}
	case "extern":
		if s.isString(j + 1) {
			if s.ch(j+2) == '{' {
				return s.push(j+2, scope{kind: scopeModule, cont: s.scope().cont, exported: s.scope().exported})
			}
			h.from = j + 2
		}
	case "using":
		return s.cUsing(h)
	case "typedef":
		return s.cTypedef(h)
	case "static_assert", "_Static_assert", "asm", "__extension__":
		return j + 1
	}
	return s.cDeclaration(&h, h.from)
}

// cPrefix passes over template heads, attributes and the like.
func (s *Scanner) cPrefix(i int) int {
	for i < s.limit {
		switch {
		case s.is(i, "template") && s.ch(i+1) == '<':
			i = max(s.pastAngle(i+1), i+2)
		case s.ch(i) == '[' && s.ch(i+1) == '[':
			i = s.past(i)
		case s.oneOf(i, "template", "friend", "export"):
			i++
		case s.tok(i).kind == tokDirective:
			i++
		default:
			return i
		}
	}
	return i
}

// cAccess is the token behind "public:" and its like at i, 0 elsewhere.
func (s *Scanner) cAccess(i int) int {
	hidden := s.oneOf(i, "private", "protected")
	if !hidden && !s.oneOf(i, "public", "signals", "Q_SIGNALS") {
		return 0
	}
	j := i + 1
	if s.oneOf(j, "slots", "Q_SLOTS") {
		j++
	}
	if s.ch(j) != ':' {
		return 0
	}
	s.scope().hidden = hidden
	return j + 1
}

func (s *Scanner) cNamespace(keyword, i int) int {
	first := i
	for s.ch(i) == '[' {
		i = s.past(i)
	}
	for s.ident(i) && (s.ch(i+1) == opScope || s.ident(i+1)) {
		i++
		if s.ch(i) == opScope {
			i++
		}
	}
	body := i
	if s.ident(i) {
		body++
	}
	if s.ch(body) != '{' {
		return s.find(i, s.limit, ';', '{') + 1
	}
	sc := scope{kind: scopeModule, cont: s.scope().cont, exported: s.scope().exported && s.ident(i)}
	if s.ident(i) {
		outer := sc.cont
		if i > first && s.ch(i-1) == opScope {
			outer = s.join(outer, "::", s.src[s.tok(first).off:s.tok(i-2).end])
		}
		sc.cont = s.join(outer, "::", s.text(i))
		s.add(head{kind: KindModule, name: i, doc: keyword, from: keyword, to: i, end: s.lineOf(s.closing(body)), cont: outer, exported: sc.exported})
	}
	return s.push(body, sc)
}

// cUsing reads "using X = …;" and passes over other using declarations.
func (s *Scanner) cUsing(h cHead) int {
	stop := s.find(h.from, s.limit, ';')
	eq := s.find(h.from, stop, '=')
	if name := h.from + 1; s.ident(name) && s.ch(eq) == '=' && eq < stop {
		s.cAdd(&h, KindType, name, stop-1, s.lineOf(stop))
	}
	return stop + 1
}

// cAdd adds a definition in the current scope.
func (s *Scanner) cAdd(h *cHead, kind Kind, name, to int, end int32) {
	sc := s.scope()
	s.add(head{kind: kind, name: name, doc: h.doc, from: h.from, to: to, end: end, cont: sc.cont, exported: sc.exported && !sc.hidden && !h.local})
}

// cDeclaration reads from k to the token that decides.
func (s *Scanner) cDeclaration(h *cHead, k int) int {
	for k < s.limit && s.spend() {
		switch s.ch(k) {
		case ';', '=', ',':
			return s.cEnd(h, k)
		case '{':
			return s.cBrace(h, k)
		case '}', ')', ']':
			return k + 1
		case ':':
			if h.paren > 0 {
				k = s.cInitialisers(k + 1)
				continue
			}
			if h.agg < 0 {
				return s.cEnd(h, k)
			}
			if k = s.findAngled(k+1, s.limit, '{', ';'); s.ch(k) == '{' { // behind the bases
				return s.cBrace(h, k)
			}
			continue
		case '(':
			if next := s.cParen(h, k); next < 0 {
				return -next
			}
			k = s.past(k)
			continue
		case '<':
			k = max(s.pastAngle(k), k+1)
			continue
		case 0:
			if k > h.from && s.cRestarts(h, k) {
				return k
			}
			k = s.cWord(h, k)
			continue
		}
		k = s.past(k)
	}
	return k
}

// cRestarts says that the word at k can only start a declaration, so that what
// stands before it was a macro.
func (s *Scanner) cRestarts(h *cHead, k int) bool {
	if h.paren > 0 && !s.cMacroLike(h) || s.ch(k-1) == opScope || s.is(k-1, "inline") {
		return false
	}
	switch string(s.text(k)) {
	case "namespace", "using", "typedef", "template":
		return s.lang == CPP || s.ident(k+1) || s.ch(k+1) == '<'
	}
	return false
}

// cWord notes the keywords that matter to the declaration.
func (s *Scanner) cWord(h *cHead, k int) int {
	if s.is(k, "operator") {
		return s.cOperator(h, k)
	}
	if s.ch(k-1) == opScope || s.ch(k+1) == opScope {
		return k + 1
	}
	switch string(s.text(k)) {
	case "class", "struct", "union", "enum":
		if h.agg < 0 && h.paren < 0 {
			h.agg = k
		}
	case "static":
		h.local = s.scope().kind != scopeClass
	case "extern":
		h.extern = true
	case "const", "constexpr", "constinit":
		h.constant = true
	}
	return k + 1
}

// cBrace decides what the brace at k opens.
func (s *Scanner) cBrace(h *cHead, k int) int {
	switch {
	case h.paren > 0:
		return s.cFunction(h, k)
	case h.agg > 0 || h.agg == 0:
		return s.cAggregate(h, k)
	case s.ident(k-1) && k-1 > h.from: // T name{value};
		if next := s.past(k); s.ch(next) == ';' || s.ch(next) == ',' {
			return s.cVariables(h, k)
		}
	case k-1 == h.from && s.ident(k-1): // MACRO { … }
		return k + 1
	}
	return s.past(k)
}

// cEnd handles a declaration that ends, or goes on to a value, at token k.
func (s *Scanner) cEnd(h *cHead, k int) int {
	if h.paren < 0 || h.pointer > 0 {
		return s.cVariables(h, k)
	}
	next := s.past(h.paren)
	if body := s.cOldStyle(next); body > 0 {
		return s.cFunction(h, body)
	}
	stop := s.find(k, s.limit, ';', '{')
	if s.cMacroLike(h) && s.ch(h.name-1) != '~' || s.cArguments(h.paren) {
		return stop + 1
	}
	s.cNamed(h, KindPrototype, k-1, s.lineOf(stop))
	return stop + 1
}

// cVariables reads the names of variables or fields, the first of which ends
// before token k.
func (s *Scanner) cVariables(h *cHead, k int) int {
	stop := s.find(k, s.limit, ';')
	kind := KindVariable
	switch {
	case s.scope().kind == scopeClass:
		kind = KindField
	case h.constant:
		kind = KindConstant
	}
	if h.extern && s.ch(k) != '=' || h.agg >= 0 && k-h.agg <= 2 {
		return stop + 1 // declared elsewhere
	}
	for n := 0; ; n++ {
		name := h.pointer
		if name < 0 {
			name = k - 1
			for s.ch(name) == ']' {
				name = int(s.match[name]) - 1
			}
		}
		next := s.findAngled(k, stop, ',')
		if s.ident(name) && name > h.from && (n > 0 || s.cTyped(h, name)) {
			s.cAdd(h, kind, name, next-1, s.lastLine(next-1))
		}
		h.pointer = -1
		if next >= stop || s.ch(next) != ',' {
			return stop + 1
		}
		k = s.find(next+1, stop, ',', '=', ':', '{')
		if k == next+1 {
			return stop + 1
		}
	}
}

// cTyped says that something like a type stands before the name.
func (s *Scanner) cTyped(h *cHead, name int) bool {
	switch string(s.text(h.from)) {
	case "return", "goto", "delete", "throw", "case", "else", "break", "continue", "using", "public", "default":
		return false
	}
	c := s.ch(name - 1)
	return s.ident(name-1) || c == '*' || c == '&' || c == '>' || c == ']' || c == opLogic || c == ')' || c == '('
}

func (s *Scanner) cEnumerator(i int) int {
	sc := s.scope()
	if !s.ident(i) {
		return s.past(i)
	}
	end := s.find(i, sc.close, ',')
	s.add(head{kind: KindMember, name: i, doc: i, from: i, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported && !sc.hidden})
	return end
}
