package symbols

// Functions of C and C++: which parentheses hold parameters, what is a macro
// and no function, and by what name and in which scope one is added.

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

// cSkipped are words whose parentheses are not parameters.
func (s *Scanner) cSkipped(k int) bool {
	switch string(s.text(k)) {
	case "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "decltype", "noexcept", "throw",
		"requires", "explicit", "__asm__", "asm", "__asm", "typeof", "__typeof__", "if", "while", "for", "switch", "sizeof":
		return true
	}
	return false
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

// cArguments says that literals stand in the parentheses, so that they are the
// arguments of a constructor and no parameters.
func (s *Scanner) cArguments(paren int) bool {
	t := s.tok(paren + 1)
	return t.kind == tokNumber || t.kind == tokString
}
