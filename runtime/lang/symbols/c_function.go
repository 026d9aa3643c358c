package symbols

// Functions of C and C++: which parentheses hold parameters, what is a macro rather than a function, and the name and
// scope of a function.

// readParen reads a parenthesis outside of the parameters. A negative result means that a macro call without a
// semicolon ended before that token.
func (h *cDeclaration) readParen(k int) int {
	name := h.beforeAngles(k)
	switch {
	case h.takesNoParams(k - 1):
	case h.agg >= 0 && h.agg == k-2 && h.isIdent(h.skip(k)): // class ATTRIBUTE(x) Name
	case h.pointer > 0:
	case h.paren < 0 && h.isStarred(k) && (k-1 > h.from || h.punct(h.skip(k)) == '('):
		h.readPointer(k)
	case !h.isIdent(name):
	case h.paren < 0, h.replacesMacro(name):
		h.typed = h.paren > 0
		if isConstantCase(h.text(name)) && h.punct(k+1) == '(' && h.isIdent(name-1) && name-1 > h.from {
			name-- // name OF((params))
		}
		h.name, h.paren = name, k
		next := h.skip(k)
		if h.isMacroLike() && h.endsBefore(next) {
			h.addMade(k)
			return -next
		}
	}
	return 1
}

// endsBefore reports whether a macro call without a semicolon ends before the token at next.
func (h *cDeclaration) endsBefore(next int) bool {
	_, makes := h.makers[string(h.text(h.name))]
	switch {
	case makes && (next >= h.limit || h.isCloser(next)):
		return true
	case !h.startsLine(next):
		return false
	case h.token(next).kind == tokDirective:
		return true
	case !h.isIdent(next):
		return false
	case h.punct(next+1) == '(': // another macro call
		return makes || isConstantCase(h.text(next)) && isConstantCase(h.text(h.name))
	}
	return h.findOldStyleBody(next) < 0
}

// addMade adds the function that the macro call with the parenthesis at k defines, if the file defines the macro.
func (h *cDeclaration) addMade(k int) {
	param, ok := h.makers[string(h.text(h.name))]
	if !ok {
		return
	}
	for i := k + 1; i < h.partner(k); i = h.skip(i) {
		switch {
		case h.punct(i) == ',':
			param--
		case param == 0 && h.isIdent(i):
			h.addNamed(KindFunction, i, h.partner(k), h.lineOf(h.partner(k)))
			return
		}
	}
}

// takesNoParams reports whether the parentheses after the word at k are not parameters.
func (s cScan) takesNoParams(k int) bool {
	switch string(s.text(k)) {
	case "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "decltype", "noexcept", "throw",
		"requires", "explicit", "__asm__", "asm", "__asm", "typeof", "__typeof__", "if", "while", "for", "switch", "sizeof":
		return true
	}
	return false
}

// isStarred reports whether the parentheses at k hold the name of a pointer, perhaps after a calling convention:
// (*name), (APIENTRY *name), (T::*name).
func (s cScan) isStarred(k int) bool {
	for j := k + 1; j <= k+maxConventionTokens; j++ {
		switch s.punct(j) {
		case '*', '^', '&':
			return j == k+1 || s.punct(s.skip(k)) == '(' || s.punct(s.skip(k)) == '['
		case 0, opScope:
		default:
			return false
		}
	}
	return false
}

// readPointer reads (*name) or (*name(params)), whose parenthesis is at k.
func (h *cDeclaration) readPointer(k int) {
	end := h.partner(k)
	for j := k + 1; j < end && j < k+maxPointerTokens; j++ {
		if !h.isIdent(j) || h.isOneOf(j, "const", "volatile", "WINAPI", "CALLBACK", "__cdecl", "__stdcall") || h.punct(j+1) == opScope {
			continue
		}
		if h.punct(j+1) == '(' && h.punct(h.skip(j+1)) == ')' {
			h.name, h.paren = j, j+1
		} else {
			h.pointer = j
		}
		return
	}
}

// replacesMacro reports whether the name before a second pair of parentheses is the function's, because the first was a
// macro around the type: EXPORT(int) f(void).
func (h *cDeclaration) replacesMacro(name int) bool {
	if h.typed || h.takesNoParams(name) || isConstantCase(h.text(name)) || name <= h.paren {
		return false
	}
	return h.isMacroLike() || isConstantCase(h.text(h.name)) || h.isOneOf(h.name-1, "extern", "static", "inline")
}

// isMacroLike reports whether no type precedes the name, as in a macro call. It excludes constructors and qualified
// names.
func (h *cDeclaration) isMacroLike() bool {
	if h.name != h.from || h.name < 0 || h.typed {
		return false
	}
	sc := h.scope()
	return !(sc.kind == scopeClass && sc.name >= 0 && string(h.text(sc.name)) == string(h.text(h.name)))
}

// readOperator reads the name of an operator function and its parameters.
func (h *cDeclaration) readOperator(k int) int {
	paren := k + 1
	if h.punct(paren) == '(' && h.punct(paren+1) == ')' {
		paren += 2
	}
	for n := 0; n < maxOperatorTokens && h.punct(paren) != '(' && h.punct(paren) != ';' && h.punct(paren) != '{'; n++ {
		paren++
	}
	if h.punct(paren) != '(' || h.paren > 0 {
		return k + 1
	}
	h.name, h.paren = k, paren
	return h.skip(paren)
}

// skipInitialisers returns the brace of the body after a constructor's initializer list. A brace after a name or type
// arguments belongs to the list.
func (s cScan) skipInitialisers(k int) int {
	for k < s.limit && s.spend() {
		switch s.punct(k) {
		case '{':
			if !s.isIdent(k-1) && s.punct(k-1) != '>' {
				return k
			}
		case ';', '}':
			return k
		}
		k = s.skip(k)
	}
	return k
}

// findOldStyleBody returns the brace of a function whose parameters are declared after its parentheses, searching from
// j, or -1.
func (s cScan) findOldStyleBody(j int) int {
	if s.lang != C || !s.isIdent(j) {
		return -1
	}
	for n := 0; n < maxOldStyleSteps && s.spend(); n++ {
		switch c := s.punct(j); {
		case c == '{' && s.punct(j-1) == ';':
			return j
		case c == '{' || c == '}' || c == '=' || c == '(' || j >= s.limit || s.isOneOf(j, "static", "extern", "typedef"):
			return -1
		}
		j = s.skip(j)
	}
	return -1
}

// readFunction adds a function with a body.
func (h *cDeclaration) readFunction(body int) int {
	end := h.lineOf(h.partner(body))
	if h.isMacroLike() && isConstantCase(h.text(h.name)) {
		h.readMacroFunction(body, end)
		return h.skip(body)
	}
	h.addFunction(KindFunction, body-1, end)
	return h.skip(body)
}

// readMacroFunction reads TEST(Suite, Name) { … }: the arguments form the name.
func (h *cDeclaration) readMacroFunction(body int, end int32) {
	sc, p := h.scope(), h.paren
	d := head{kind: KindFunction, name: p + 1, doc: h.doc, from: h.from, to: body - 1, end: end, cont: sc.cont}
	switch {
	case h.isIdent(p+1) && h.punct(p+2) == ',' && h.isIdent(p+3) && h.punct(p+4) == ')':
		d.cont, d.name = h.join(sc.cont, "::", h.text(p+1)), p+3
	case !h.isIdent(p + 1):
		d.name = h.name
	}
	h.add(d)
}

// addFunction adds the function of a declaration, with its qualifiers as container.
func (h *cDeclaration) addFunction(kind Kind, to int, end int32) {
	sc := h.scope()
	d := head{kind: kind, name: h.name, doc: h.doc, from: h.from, to: to, end: end, cont: sc.cont}
	d.exported = sc.exported && !sc.hidden && !h.local
	if sc.kind == scopeClass && kind == KindFunction {
		d.kind = KindMethod
	}
	first := h.name
	switch {
	case h.is(h.name, "operator") && h.paren > h.name+1: // else there is no operator in between
		d.as = append([]byte("operator "), h.src[h.token(h.name+1).off:h.token(h.paren-1).end]...)
		if t := h.token(h.name + 1); t.kind == tokPunct {
			d.as = append([]byte("operator"), d.as[len("operator "):]...)
		}
	case h.punct(h.name-1) == '~':
		d.as = append([]byte{'~'}, h.text(h.name)...)
		first--
	}
	if owner := h.writeQualifiers(first); owner.n > 0 {
		d.cont = owner
		if d.kind == KindFunction {
			d.kind = KindMethod
		}
	}
	h.add(d)
}

// writeQualifiers writes the scopes A::B<T>:: before token i.
func (s cScan) writeQualifiers(i int) span {
	var names [8]int
	n := 0
	for s.punct(i-1) == opScope && n < len(names) {
		i = s.beforeAngles(i - 1)
		if !s.isIdent(i) {
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

// hasArguments reports whether the parentheses hold literals, which makes them the arguments of a constructor rather
// than parameters.
func (s cScan) hasArguments(paren int) bool {
	t := s.token(paren + 1)
	return t.kind == tokNumber || t.kind == tokString
}
