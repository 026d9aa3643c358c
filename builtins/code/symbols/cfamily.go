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

// cOperator reads the name of an operator function and its parameters.
func (s *Scanner) cOperator(h *cHead, k int) int {
	paren := k + 1
	if s.ch(paren) == '(' && s.ch(paren+1) == ')' {
		paren += 2
	}
	for n := 0; n < 12 && s.ch(paren) != '(' && s.ch(paren) != ';' && s.ch(paren) != '{'; n++ {
		paren++
	}
	if s.ch(paren) != '(' || h.paren > 0 {
		return k + 1
	}
	h.name, h.paren = k, paren
	return s.past(paren)
}

// cSkipped are words whose parentheses are not parameters.
func (s *Scanner) cSkipped(k int) bool {
	switch string(s.text(k)) {
	case "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "decltype", "noexcept", "throw",
		"requires", "explicit", "__asm__", "asm", "__asm", "typeof", "__typeof__", "if", "while", "for", "switch", "sizeof":
		return true
	}
	return false
}

// cParen looks at a parenthesis outside the parameters. A negative result
// says that a macro call without a semicolon ended before that token.
func (s *Scanner) cParen(h *cHead, k int) int {
	name := s.beforeAngle(k)
	switch {
	case s.cSkipped(k - 1):
	case h.agg >= 0 && h.agg == k-2 && s.ident(s.past(k)): // class ATTRIBUTE(x) Name
	case h.pointer > 0:
	case h.paren < 0 && s.cStarred(k) && (k-1 > h.from || s.ch(s.past(k)) == '('):
		s.cPointer(h, k)
	case !s.ident(name):
	case h.paren < 0, s.cReplaces(h, name):
		h.typed = h.paren > 0
		if constantCase(s.text(name)) && s.ch(k+1) == '(' && s.ident(name-1) && name-1 > h.from {
			name-- // name OF((params))
		}
		h.name, h.paren = name, k
		next := s.past(k)
		directive := s.tok(next).kind == tokDirective
		if s.cMacroLike(h) && s.nl(next) && (directive || s.ident(next) && s.ch(next+1) != '(' && s.cOldStyle(next) < 0) {
			return -next
		}
	}
	return 1
}

// cStarred says that a pointer's name stands in the parentheses at k, perhaps
// behind a calling convention: (*name), (APIENTRY *name), (T::*name).
func (s *Scanner) cStarred(k int) bool {
	for j := k + 1; j <= k+3; j++ {
		switch s.ch(j) {
		case '*', '^', '&':
			return j == k+1 || s.ch(s.past(k)) == '(' || s.ch(s.past(k)) == '['
		case 0, opScope:
		default:
			return false
		}
	}
	return false
}

// cReplaces says that the name before a second pair of parentheses is the
// function's, since the first was a macro round the type: EXPORT(int) f(void).
func (s *Scanner) cReplaces(h *cHead, name int) bool {
	if h.typed || s.cSkipped(name) || constantCase(s.text(name)) || name <= h.paren {
		return false
	}
	return s.cMacroLike(h) || constantCase(s.text(h.name)) || s.oneOf(h.name-1, "extern", "static", "inline")
}

// cMacroLike says that no type stands before the name: a macro call, unless
// it is a constructor or has a qualifier.
func (s *Scanner) cMacroLike(h *cHead) bool {
	if h.name != h.from || h.name < 0 || h.typed {
		return false
	}
	sc := s.scope()
	return !(sc.kind == scopeClass && sc.name >= 0 && string(s.text(sc.name)) == string(s.text(h.name)))
}

// cPointer reads (*name) and (*name(params)), whose parenthesis is at k.
func (s *Scanner) cPointer(h *cHead, k int) {
	end := s.closing(k)
	for j := k + 1; j < end && j < k+12; j++ {
		if !s.ident(j) || s.oneOf(j, "const", "volatile", "WINAPI", "CALLBACK", "__cdecl", "__stdcall") || s.ch(j+1) == opScope {
			continue
		}
		if s.ch(j+1) == '(' && s.ch(s.past(j+1)) == ')' {
			h.name, h.paren = j, j+1
		} else {
			h.pointer = j
		}
		return
	}
}

// cInitialisers is the brace of the body behind a constructor's list: a brace
// that follows a name or type arguments belongs to the list.
func (s *Scanner) cInitialisers(k int) int {
	for k < s.limit && s.spend() {
		switch s.ch(k) {
		case '{':
			if !s.ident(k-1) && s.ch(k-1) != '>' {
				return k
			}
		case ';', '}':
			return k
		}
		k = s.past(k)
	}
	return k
}

// cOldStyle is the brace of a function whose parameters are declared behind
// its parentheses, from j on; -1 elsewhere.
func (s *Scanner) cOldStyle(j int) int {
	if s.lang != C || !s.ident(j) {
		return -1
	}
	for n := 0; n < 128 && s.spend(); n++ {
		switch c := s.ch(j); {
		case c == '{' && s.ch(j-1) == ';':
			return j
		case c == '{' || c == '}' || c == '=' || c == '(' || j >= s.limit || s.oneOf(j, "static", "extern", "typedef"):
			return -1
		}
		j = s.past(j)
	}
	return -1
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

// cFunction adds a function with a body.
func (s *Scanner) cFunction(h *cHead, body int) int {
	end := s.lineOf(s.closing(body))
	if s.cMacroLike(h) && constantCase(s.text(h.name)) {
		s.cMacroFunction(h, body, end)
		return s.past(body)
	}
	s.cNamed(h, KindFunction, body-1, end)
	return s.past(body)
}

// cMacroFunction reads TEST(Suite, Name) { … }: the arguments are the name.
func (s *Scanner) cMacroFunction(h *cHead, body int, end int32) {
	sc, p := s.scope(), h.paren
	d := head{kind: KindFunction, name: p + 1, doc: h.doc, from: h.from, to: body - 1, end: end, cont: sc.cont}
	switch {
	case s.ident(p+1) && s.ch(p+2) == ',' && s.ident(p+3) && s.ch(p+4) == ')':
		d.cont, d.name = s.join(sc.cont, "::", s.text(p+1)), p+3
	case !s.ident(p + 1):
		d.name = h.name
	}
	s.add(d)
}

// cNamed adds the function of a head, its qualifiers as container.
func (s *Scanner) cNamed(h *cHead, kind Kind, to int, end int32) {
	sc := s.scope()
	d := head{kind: kind, name: h.name, doc: h.doc, from: h.from, to: to, end: end, cont: sc.cont}
	d.exported = sc.exported && !sc.hidden && !h.local
	if sc.kind == scopeClass && kind == KindFunction {
		d.kind = KindMethod
	}
	first := h.name
	switch {
	case s.is(h.name, "operator"):
		d.as = append([]byte("operator "), s.src[s.tok(h.name+1).off:s.tok(h.paren-1).end]...)
		if t := s.tok(h.name + 1); t.kind == tokPunct {
			d.as = append([]byte("operator"), d.as[len("operator "):]...)
		}
	case s.ch(h.name-1) == '~':
		d.as = append([]byte{'~'}, s.text(h.name)...)
		first--
	}
	if owner := s.cQualifiers(first); owner.n > 0 {
		d.cont = owner
		if d.kind == KindFunction {
			d.kind = KindMethod
		}
	}
	s.add(d)
}

// cQualifiers writes the scopes A::B<T>:: that stand before token i.
func (s *Scanner) cQualifiers(i int) span {
	var names [8]int
	n := 0
	for s.ch(i-1) == opScope && n < len(names) {
		i = s.beforeAngle(i - 1)
		if !s.ident(i) {
			break
		}
		names[n] = i
		n++
	}
	cont := s.scope().cont
	if n == 0 {
		return span{}
	}
	for n--; n >= 0; n-- {
		cont = s.join(cont, "::", s.text(names[n]))
	}
	return cont
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

// cArguments says that literals stand in the parentheses, so that they are the
// arguments of a constructor and no parameters.
func (s *Scanner) cArguments(paren int) bool {
	t := s.tok(paren + 1)
	return t.kind == tokNumber || t.kind == tokString
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
