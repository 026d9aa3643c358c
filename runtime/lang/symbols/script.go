package symbols

// JavaScript and TypeScript. Functions are values and modules hide in closures, so the walk enters every body; the kind
// of the current scope tells what a name may be.

// scriptScan reads JavaScript and TypeScript.
type scriptScan struct {
	typeScan
	names []int // tokens with the names that the file exports
	expr  exprCache
}

// turnTo switches to another file.
func (s *scriptScan) turnTo(f *file) *scriptScan {
	*s = scriptScan{typeScan: typeScan{scriptSyntax{f}}, names: s.names[:0]}
	return s
}

func (s *scriptScan) scan() {
	s.walk(s.readToken)
	s.markExported()
}

// anchors reports whether a word that starts a declaration is at i, in the first column.
func (s *scriptScan) anchors(i int) bool {
	return s.inFirstColumn(i) && s.isOneOf(i, "export", "import", "function", "class", "interface") && s.punct(i+1) != '(' && s.punct(i+1) != '.'
}

// readToken reads one token.
func (s *scriptScan) readToken(i int) int {
	switch sc := s.scope(); sc.kind {
	case scopeClass:
		return s.readMember(i)
	case scopeContract:
		return s.readSignature(i)
	case scopeEnum:
		if (i == sc.open+1 || s.punct(i-1) == ',') && (s.isIdent(i) || s.isString(i)) {
			s.readEnumMember(i)
		}
		return s.skip(i)
	case scopeObject, scopeExports:
		if i == sc.open+1 || s.punct(i-1) == ',' {
			if next := s.readProperty(i); next > 0 {
				return next
			}
		}
	}
	return s.readCode(i)
}

// readCode reads one token among statements and expressions.
func (s *scriptScan) readCode(i int) int {
	t := s.token(i)
	switch t.kind {
	case tokIdent:
		if s.punct(i-1) == '.' {
			return i + 1
		}
		return s.readWord(i)
	case tokHole:
		if t.ch == '{' {
			return s.push(i, scope{kind: scopeExpr, cont: s.scope().cont})
		}
	case tokPunct:
		switch t.ch {
		case '{', '(', '[':
			return s.enterBracket(i)
		case '=':
			s.readAssignment(i)
		}
	}
	return i + 1
}

// enterBracket enters a bracket: a body recorded before, or a scope whose kind depends on the token before it.
func (s *scriptScan) enterBracket(i int) int {
	if sc, ok := s.bodies[int32(i)]; ok {
		return s.push(i, sc)
	}
	outer := s.scope()
	sc := scope{kind: scopeExpr, cont: outer.cont, exported: outer.exported}
	if s.punct(i) == '{' {
		sc.kind = s.kindOfBrace(i, outer.kind)
		sc.exported = outer.exported && s.punct(i-1) != ')' && s.punct(i-1) != opFatArrow
	}
	return s.push(i, sc)
}

// readWord reads the statement that the word at i starts.
func (s *scriptScan) readWord(i int) int {
	switch string(s.text(i)) {
	case "function":
		return s.readFunction(i)
	case "class":
		return s.readClass(i)
	case "const", "let", "var", "using":
		if s.isConstAssertion(i) {
			return i + 1
		}
		return s.readVars(i)
	case "import":
		return s.skipImport(i)
	case "export":
		return s.readExport(i)
	case "interface", "type", "enum", "namespace", "module", "global":
		if s.startsDeclaration(i) {
			return s.readDeclaration(i)
		}
	}
	return i + 1
}

// readFunction reads a named function. The name of a function expression is skipped if the name of the value was
// already used.
func (s *scriptScan) readFunction(i int) int {
	name := i + 1
	if s.punct(name) == '*' {
		name++
	}
	from, exported := s.modifiersBefore(i)
	h := head{kind: KindFunction, name: name, doc: s.decoratorsBefore(from), from: from, cont: s.scope().cont}
	j := name + 1
	if !s.isIdent(name) {
		if !s.is(i-1, "default") && !s.is(i-2, "default") {
			return i + 1
		}
		h.name, h.as, j = i, []byte("default"), name
	}
	body, to := s.skipHead(j)
	if _, taken := s.bodies[int32(body)]; taken && body > 0 {
		return name + 1
	}
	h.to, h.end = to, s.lineOf(to)
	h.exported = exported && s.scope().exported
	if body > 0 {
		h.end = s.lineOf(s.partner(body))
	}
	s.add(h)
	s.noteNamedBody(body, h.name, scopeFunc, false)
	return j
}

// noteNamedBody records a body whose names have the token name as their container.
func (s *scriptScan) noteNamedBody(body, name int, kind scopeKind, exported bool) {
	if body > 0 {
		s.noteBody(body, scope{kind: kind, cont: s.join(s.scope().cont, ".", s.unquoted(name)), name: name, exported: exported})
	}
}

// readClass reads a named class. The body of a class without a name is recorded where the class gets one.
func (s *scriptScan) readClass(i int) int {
	if s.punct(i+1) == ':' || s.punct(i+1) == '=' || s.punct(i+1) == ',' {
		return i + 1
	}
	from, exported := s.modifiersBefore(i)
	body := s.findClassBody(i + 1)
	if body < 0 {
		return i + 1
	}
	h := head{kind: KindClass, name: i + 1, doc: s.decoratorsBefore(from), from: from, to: body - 1, cont: s.scope().cont}
	if _, taken := s.bodies[int32(body)]; taken {
		return i + 1
	}
	if !s.isIdent(i+1) || s.isOneOf(i+1, "extends", "implements") {
		if !s.is(i-1, "default") {
			s.noteBody(body, scope{kind: scopeClass, cont: s.scope().cont, name: -1, exported: s.scope().exported})
			return body
		}
		h.name, h.as = i, []byte("default")
	}
	h.end, h.exported = s.lineOf(s.partner(body)), exported && s.scope().exported
	s.add(h)
	s.noteNamedBody(body, h.name, scopeClass, s.scope().exported)
	return body
}
