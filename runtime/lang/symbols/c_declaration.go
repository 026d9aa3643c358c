package symbols

// cDeclaration is a declaration whose tokens are being read, with what is known about it so far.
type cDeclaration struct {
	cScan
	doc, from int // first token, and first after template and linkage
	agg       int // token of class, struct, union or enum, -1 if none
	name      int // token of a function's name, -1 if none
	paren     int // its parameters, -1 if none
	pointer   int // name of a function pointer, -1 if none
	local     bool
	extern    bool
	constant  bool
	typed     bool // a macro around the type precedes the name
}

// readUsing reads "using X = …;" and skips other using declarations.
func (h *cDeclaration) readUsing() int {
	stop := h.find(h.from, h.limit, ';')
	eq := h.find(h.from, stop, '=')
	if name := h.from + 1; h.isIdent(name) && h.punct(eq) == '=' && eq < stop {
		h.addNamed(KindType, name, stop-1, h.lineOf(stop))
	}
	return stop + 1
}

// addNamed adds a definition in the current scope.
func (h *cDeclaration) addNamed(kind Kind, name, to int, end int32) {
	sc := h.scope()
	h.add(head{kind: kind, name: name, doc: h.doc, from: h.from, to: to, end: end, cont: sc.cont, exported: sc.exported && !sc.hidden && !h.local})
}

// read reads from k up to the deciding token.
func (h *cDeclaration) read(k int) int {
	for k < h.limit && h.spend() {
		switch h.punct(k) {
		case ';', '=', ',':
			return h.readEnd(k)
		case '{':
			return h.readBrace(k)
		case '}', ')', ']':
			return k + 1
		case ':':
			if h.paren > 0 {
				k = h.skipInitialisers(k + 1)
				continue
			}
			if h.agg < 0 {
				return h.readEnd(k)
			}
			if k = h.findAngled(k+1, h.limit, '{', ';'); h.punct(k) == '{' { // after the bases
				return h.readBrace(k)
			}
			continue
		case '(':
			if next := h.readParen(k); next < 0 {
				return -next
			}
			k = h.skip(k)
			continue
		case '<':
			k = max(h.skipAngles(k), k+1)
			continue
		case 0:
			if k > h.from && h.startsNewDecl(k) {
				return k
			}
			k = h.readWord(k)
			continue
		}
		k = h.skip(k)
	}
	return k
}

// startsNewDecl reports whether the word at k can only start a declaration, so that the text before it was a macro.
func (h *cDeclaration) startsNewDecl(k int) bool {
	if h.paren > 0 && !h.isMacroLike() || h.punct(k-1) == opScope || h.is(k-1, "inline") {
		return false
	}
	switch string(h.text(k)) {
	case "namespace", "using", "typedef", "template":
		return h.lang == CPP || h.isIdent(k+1) || h.punct(k+1) == '<'
	}
	return false
}

// readWord records the keywords that matter for the declaration.
func (h *cDeclaration) readWord(k int) int {
	if h.is(k, "operator") {
		return h.readOperator(k)
	}
	if h.punct(k-1) == opScope || h.punct(k+1) == opScope {
		return k + 1
	}
	switch string(h.text(k)) {
	case "class", "struct", "union", "enum":
		if h.agg < 0 && h.paren < 0 {
			h.agg = k
		}
	case "static":
		h.local = h.scope().kind != scopeClass
	case "extern":
		h.extern = true
	case "const", "constexpr", "constinit":
		h.constant = true
	}
	return k + 1
}

// readBrace decides what the brace at k opens and reads it.
func (h *cDeclaration) readBrace(k int) int {
	switch {
	case h.paren > 0:
		return h.readFunction(k)
	case h.agg > 0 || h.agg == 0:
		return h.readAggregate(k)
	case h.isIdent(k-1) && k-1 > h.from: // T name{value};
		if next := h.skip(k); h.punct(next) == ';' || h.punct(next) == ',' {
			return h.readVariables(k)
		}
	case k-1 == h.from && h.isIdent(k-1): // MACRO { … }
		return k + 1
	}
	return h.skip(k)
}

// readEnd handles a declaration that ends at token k, or continues there with a value.
func (h *cDeclaration) readEnd(k int) int {
	if h.paren < 0 || h.pointer > 0 {
		return h.readVariables(k)
	}
	next := h.skip(h.paren)
	if body := h.findOldStyleBody(next); body > 0 {
		return h.readFunction(body)
	}
	stop := h.find(k, h.limit, ';', '{')
	if h.isMacroLike() && h.punct(h.name-1) != '~' || h.hasArguments(h.paren) {
		return stop + 1
	}
	h.addFunction(KindPrototype, k-1, h.lineOf(stop))
	return stop + 1
}

// readVariables reads the names of variables or fields, the first of which ends before token k.
func (h *cDeclaration) readVariables(k int) int {
	stop := h.find(k, h.limit, ';')
	kind := KindVariable
	switch {
	case h.scope().kind == scopeClass:
		kind = KindField
	case h.constant:
		kind = KindConstant
	}
	if h.extern && h.punct(k) != '=' || h.agg >= 0 && k-h.agg <= 2 {
		return stop + 1 // declared elsewhere
	}
	for n := 0; ; n++ {
		name := h.pointer
		if name < 0 {
			name = k - 1
			for h.punct(name) == ']' {
				name = h.partner(name) - 1
			}
		}
		next := h.findAngled(k, stop, ',')
		if h.isIdent(name) && name > h.from && (n > 0 || h.hasType(name)) {
			h.addNamed(kind, name, next-1, h.lastLine(next-1))
		}
		h.pointer = -1
		if next >= stop || h.punct(next) != ',' {
			return stop + 1
		}
		k = h.find(next+1, stop, ',', '=', ':', '{')
		if k == next+1 {
			return stop + 1
		}
	}
}

// hasType reports whether something like a type precedes the name.
func (h *cDeclaration) hasType(name int) bool {
	switch string(h.text(h.from)) {
	case "return", "goto", "delete", "throw", "case", "else", "break", "continue", "using", "public", "default":
		return false
	}
	c := h.punct(name - 1)
	return h.isIdent(name-1) || c == '*' || c == '&' || c == '>' || c == ']' || c == opLogic || c == ')' || c == '('
}
