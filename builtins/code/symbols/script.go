package symbols

// JavaScript and TypeScript. Functions are values there and modules hide in
// closures, so the walk goes through every body; the kind of the scope it is
// in says what a name may be.

func (s *Scanner) scriptToken(i int) int {
	switch sc := s.scope(); sc.kind {
	case scopeClass:
		return s.scriptMember(i)
	case scopeContract:
		return s.scriptSignature(i)
	case scopeEnum:
		if (i == sc.open+1 || s.ch(i-1) == ',') && (s.ident(i) || s.isString(i)) {
			s.scriptEnumMember(i)
		}
		return s.past(i)
	case scopeObject, scopeExports:
		if i == sc.open+1 || s.ch(i-1) == ',' {
			if next := s.scriptProperty(i); next > 0 {
				return next
			}
		}
	}
	return s.scriptCode(i)
}

// scriptCode looks at a token among statements and expressions.
func (s *Scanner) scriptCode(i int) int {
	t := s.tok(i)
	switch t.kind {
	case tokIdent:
		if s.ch(i-1) == '.' {
			return i + 1
		}
		return s.scriptWord(i)
	case tokHole:
		if t.ch == '{' {
			return s.push(i, scope{kind: scopeExpr, cont: s.scope().cont})
		}
	case tokPunct:
		switch t.ch {
		case '{', '(', '[':
			return s.scriptOpen(i)
		case '=':
			s.scriptAssign(i)
		}
	}
	return i + 1
}

// scriptOpen enters a bracket: a body noted before, or what the token in front
// makes it.
func (s *Scanner) scriptOpen(i int) int {
	if sc, ok := s.bodies[int32(i)]; ok {
		return s.push(i, sc)
	}
	outer := s.scope()
	sc := scope{kind: scopeExpr, cont: outer.cont, exported: outer.exported}
	if s.ch(i) == '{' {
		sc.kind = s.scriptBrace(i, outer.kind)
		sc.exported = outer.exported && s.ch(i-1) != ')' && s.ch(i-1) != opFatArrow
	}
	return s.push(i, sc)
}

// scriptBrace says what the brace at i opens. The members of an object literal
// count where the object is returned, assigned or part of one that counts. In
// the arguments of a call they are settings: a thousand handlers in a test.
func (s *Scanner) scriptBrace(i int, outer scopeKind) scopeKind {
	switch s.ch(i - 1) {
	case '=', '?', opLogic, opUpdate:
		return scopeObject
	case ':':
		if outer == scopeObject || outer == scopeExports {
			return scopeObject
		}
		return scopeExpr
	case '(':
		if s.ch(i-2) == opFatArrow {
			return scopeObject
		}
		return scopeExpr
	case ',', '[', opSpread:
		return scopeExpr
	}
	if s.oneOf(i-1, "return", "default", "yield", "await", "in", "of", "new") && !s.nl(i) {
		return scopeObject
	}
	return scopeBlock
}

func (s *Scanner) scriptWord(i int) int {
	switch string(s.text(i)) {
	case "function":
		return s.scriptFunction(i)
	case "class":
		return s.scriptClass(i)
	case "const", "let", "var", "using":
		return s.scriptVars(i)
	case "import":
		return s.scriptImport(i)
	case "export":
		return s.scriptExport(i)
	case "interface", "type", "enum", "namespace", "module", "global":
		if s.scriptStarts(i) {
			return s.scriptDeclaration(i)
		}
	}
	return i + 1
}

// scriptStarts says that a contextual keyword at i starts a declaration: a
// statement may start there, and a name follows on the same line.
func (s *Scanner) scriptStarts(i int) bool {
	switch s.ch(i - 1) {
	case ';', '{', '}':
	default:
		if i > 0 && !s.nl(i) && !s.oneOf(i-1, "export", "declare", "default", "const") {
			return false
		}
	}
	if s.nl(i + 1) {
		return false
	}
	return s.ident(i+1) || s.isString(i+1) || s.is(i, "global") && s.ch(i+1) == '{'
}

// scriptFrom goes back over the modifiers before a keyword at i.
func (s *Scanner) scriptFrom(i int) (from int, exported bool) {
	for n := 0; n < 5 && s.oneOf(i-1, "export", "default", "declare", "async", "abstract", "const") && s.ch(i-2) != '.'; n++ {
		i--
		exported = exported || s.is(i, "export")
	}
	return i, exported
}

// decorators goes back over decorators that end before token i.
func (s *Scanner) decorators(i int) int {
	for n := 0; n < 16; n++ {
		j := i - 1
		if s.ch(j) == ')' {
			j = int(s.match[j]) - 1
		}
		for n := 0; n < 8 && s.ident(j) && s.ch(j-1) == '.'; n++ {
			j -= 2
		}
		if s.ident(j) && s.ch(j-1) == ':' && s.ident(j-2) { // @get:Name
			j -= 2
		}
		if !s.ident(j) || s.ch(j-1) != '@' {
			return i
		}
		i = j - 1
	}
	return i
}

// scriptFunction reads a function with a name. The name of a function
// expression is skipped where the value's own name was already taken.
func (s *Scanner) scriptFunction(i int) int {
	name := i + 1
	if s.ch(name) == '*' {
		name++
	}
	from, exported := s.scriptFrom(i)
	h := head{kind: KindFunction, name: name, doc: s.decorators(from), from: from, cont: s.scope().cont}
	j := name + 1
	if !s.ident(name) {
		if !s.is(i-1, "default") && !s.is(i-2, "default") {
			return i + 1
		}
		h.name, h.as, j = i, []byte("default"), name
	}
	body, to := s.scriptHead(j)
	if _, taken := s.bodies[int32(body)]; taken && body > 0 {
		return name + 1
	}
	h.to, h.end = to, s.lineOf(to)
	h.exported = exported && s.scope().exported
	if body > 0 {
		h.end = s.lineOf(s.closing(body))
	}
	s.add(h)
	s.scriptBody(body, h.name, scopeFunc, false)
	return j
}

// scriptBody notes a body whose names get the token name as their container.
func (s *Scanner) scriptBody(body, name int, kind scopeKind, exported bool) {
	if body > 0 {
		s.body(body, scope{kind: kind, cont: s.join(s.scope().cont, ".", s.nameText(name)), name: name, exported: exported})
	}
}

// nameText is a name without the quotes that it may have.
func (s *Scanner) nameText(i int) []byte {
	text := s.text(i)
	if s.isString(i) && len(text) >= 2 {
		return text[1 : len(text)-1]
	}
	return text
}

// scriptHead reads type parameters, parameters and the return type from j on:
// the brace of the body (-1 without one) and the last token before it.
func (s *Scanner) scriptHead(j int) (body, to int) {
	if s.ch(j) == '<' {
		j = s.pastAngle(j)
	}
	if s.ch(j) != '(' {
		return -1, j - 1
	}
	j = s.past(j)
	if s.ch(j) == ':' {
		j = s.scriptType(j+1, false)
	}
	if s.ch(j) == '{' {
		return j, j - 1
	}
	return -1, j - 1
}

// scriptType is the token behind a type that starts at j. A fat arrow belongs
// to the type of a function unless the type is an arrow function's result.
func (s *Scanner) scriptType(j int, result bool) int {
	for end, angle := min(s.limit, j+maxGeneric), 0; j < end && s.spend(); {
		switch s.ch(j) {
		case '{':
			if !s.scriptTypeBrace(j) {
				return j
			}
		case '<':
			angle++
		case '>':
			angle--
		case opFatArrow:
			if result && angle == 0 {
				return j
			}
		case ',', '=':
			if angle <= 0 {
				return j
			}
		case ';', ')', ']', '}':
			return j
		}
		j = s.past(j)
		if angle <= 0 && s.nl(j) && !s.carries(j) {
			return j
		}
	}
	return j
}

// scriptTypeBrace says that the brace at j is part of a type: something that
// a type follows stands before it.
func (s *Scanner) scriptTypeBrace(j int) bool {
	switch s.ch(j - 1) {
	case ':', '|', '&', '<', ',', '?', '=', '(', '[', opFatArrow:
		return true
	}
	return s.oneOf(j-1, "is", "extends", "keyof", "readonly", "infer", "asserts", "in")
}

// scriptClass reads a class with a name; the body of one without is noted by
// whoever names it.
func (s *Scanner) scriptClass(i int) int {
	if s.ch(i+1) == ':' || s.ch(i+1) == '=' || s.ch(i+1) == ',' {
		return i + 1
	}
	from, exported := s.scriptFrom(i)
	body := s.scriptClassBody(i + 1)
	if body < 0 {
		return i + 1
	}
	h := head{kind: KindClass, name: i + 1, doc: s.decorators(from), from: from, to: body - 1, cont: s.scope().cont}
	if _, taken := s.bodies[int32(body)]; taken {
		return i + 1
	}
	if !s.ident(i+1) || s.oneOf(i+1, "extends", "implements") {
		if !s.is(i-1, "default") {
			s.body(body, scope{kind: scopeClass, cont: s.scope().cont, name: -1, exported: s.scope().exported})
			return body
		}
		h.name, h.as = i, []byte("default")
	}
	h.end, h.exported = s.lineOf(s.closing(body)), exported && s.scope().exported
	s.add(h)
	s.scriptBody(body, h.name, scopeClass, s.scope().exported)
	return body
}

// scriptClassBody is the brace of the class whose head goes on at j, or -1.
func (s *Scanner) scriptClassBody(j int) int {
	for end := min(s.limit, j+maxGeneric); j < end && s.spend(); {
		switch s.ch(j) {
		case '{':
			return j
		case '<':
			if k := s.pastAngle(j); k > j {
				j = k
				continue
			}
		case ';', ')', '}', ']', '=', opFatArrow:
			return -1
		}
		j = s.past(j)
	}
	return -1
}

// scriptDeclaration reads what only TypeScript has.
func (s *Scanner) scriptDeclaration(i int) int {
	from, exported := s.scriptFrom(i)
	h := head{name: i + 1, doc: from, from: from, cont: s.scope().cont, exported: exported && s.scope().exported}
	switch string(s.text(i)) {
	case "type":
		return s.scriptAlias(i, h)
	case "interface":
		h.kind = KindInterface
		return s.scriptBlock(h, scopeContract)
	case "enum":
		h.kind = KindEnum
		return s.scriptBlock(h, scopeEnum)
	case "global":
		return s.push(i+1, scope{kind: scopeModule, cont: s.scope().cont, exported: true})
	}
	h.kind = KindModule
	for s.ch(h.name+1) == '.' && s.ident(h.name+2) {
		h.cont = s.join(h.cont, ".", s.text(h.name))
		h.name += 2
	}
	return s.scriptBlock(h, scopeModule)
}

// scriptBlock adds a declaration with a body and enters it.
func (s *Scanner) scriptBlock(h head, kind scopeKind) int {
	body := s.scriptClassBody(h.name + 1)
	if body < 0 {
		return h.name
	}
	h.to, h.end = body-1, s.lineOf(s.closing(body))
	if s.isString(h.name) {
		h.as = s.nameText(h.name)
	}
	s.add(h)
	inner := h.exported || kind == scopeModule && s.scope().exported
	return s.push(body, scope{kind: kind, cont: s.join(h.cont, ".", s.nameText(h.name)), name: h.name, exported: inner})
}

// scriptAlias reads type X<T> = …; the members of an object type count.
func (s *Scanner) scriptAlias(i int, h head) int {
	j := i + 2
	if s.ch(j) == '<' {
		j = s.pastAngle(j)
	}
	if s.ch(j) != '=' || !s.ident(i+1) {
		return i + 1
	}
	end := s.scriptType(j+1, false)
	h.kind, h.to, h.end = KindType, end-1, s.lineOf(end-1)
	if s.ch(j+1) != '{' {
		s.add(h)
		return end
	}
	h.to = j
	s.add(h)
	return s.push(j+1, scope{kind: scopeContract, cont: s.join(h.cont, ".", s.text(i+1)), name: i + 1, exported: h.exported})
}

func (s *Scanner) scriptEnumMember(i int) {
	sc := s.scope()
	end := s.find(i, sc.close, ',')
	h := head{kind: KindMember, name: i, doc: i, from: i, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported}
	if s.isString(i) {
		h.as = s.nameText(i)
	}
	s.add(h)
}
