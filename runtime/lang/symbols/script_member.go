package symbols

// readMember reads one member of a class.
func (s *scriptScan) readMember(i int) int {
	sc := *s.scope()
	h := head{doc: i, cont: sc.cont, exported: sc.exported}
	j := s.skipDecorators(i)
	h.from = j
	var private bool
	j, private = s.skipModifiers(j)
	h.name, h.exported = j, sc.exported && !private
	switch {
	case s.punct(j) == '{':
		return s.enterBracket(j)
	case s.punct(j) == '[': // a computed name
		return s.skip(j)
	case !s.isIdent(j) && !s.isString(j) && s.token(j).kind != tokNumber:
		return s.skip(j)
	}
	if s.isString(j) {
		h.as = s.unquoted(j)
	}
	if c := s.text(j); len(c) > 0 && c[0] == '#' {
		h.exported = false
	}
	for j++; s.punct(j) == '?' || s.punct(j) == '!'; {
		j++
	}
	if s.punct(j) == '(' || s.punct(j) == '<' {
		return s.readMethod(h, j)
	}
	return s.readField(h, j)
}

// readMethod adds the method whose parameters, or type parameters, are at j.
func (s *scriptScan) readMethod(h head, j int) int {
	body, to := s.skipHead(j)
	h.kind, h.to, h.end = KindMethod, to, s.lineOf(to)
	if body > 0 {
		h.end = s.lineOf(s.partner(body))
	}
	s.add(h)
	s.noteNamedBody(body, h.name, scopeFunc, false)
	if body < 0 {
		return max(to+1, j+1)
	}
	return s.skipParams(j, body)
}

// readField adds a field; a field with a function counts as a method. The walk continues inside the value.
func (s *scriptScan) readField(h head, j int) int {
	if s.punct(j) == ':' {
		j = s.skipType(j+1, false)
	}
	h.kind, h.to, h.end = KindField, j-1, s.lineOf(j-1)
	if s.punct(j) != '=' {
		s.add(h)
		return max(j, h.name+1)
	}
	v := s.readValue(j + 1)
	h.to, h.end = v.to, s.lineOf(v.end-1)
	if v.kind == KindFunction {
		h.kind = KindMethod
		s.noteNamedBody(v.body, h.name, scopeFunc, false)
	}
	s.add(h)
	sc := *s.scope()
	s.enter(scope{open: j, close: v.end, kind: scopeExpr, cont: sc.cont})
	return j + 1
}

// readProperty reads a property of an object literal at i, or returns 0 if there is none.
func (s *scriptScan) readProperty(i int) int {
	sc := *s.scope()
	j, _ := s.skipModifiers(i)
	if !s.isIdent(j) && !s.isString(j) {
		return 0
	}
	h := head{kind: KindMethod, name: j, doc: i, from: i, cont: sc.cont, exported: sc.exported}
	if s.isString(j) {
		h.as = s.unquoted(j)
	}
	if sc.cont.n == 0 {
		h.kind = KindFunction
	}
	switch s.punct(j + 1) {
	case '(', '<':
		body, to := s.skipHead(j + 1)
		if body < 0 {
			return 0
		}
		h.to, h.end = to, s.lineOf(s.partner(body))
		s.add(h)
		s.noteNamedBody(body, j, scopeFunc, false)
		return s.skipParams(j+1, body)
	case ':':
		return s.readPair(sc, h, j+2)
	case ',', '}':
		if sc.kind == scopeExports {
			s.names = append(s.names, j)
		}
	}
	return 0
}

// readPair reads the value at j of a property.
func (s *scriptScan) readPair(sc scope, h head, j int) int {
	v := s.readValue(j)
	h.to, h.end = v.to, s.lineOf(v.end-1)
	switch {
	case v.kind == KindFunction:
		s.add(h)
		s.noteNamedBody(v.body, h.name, scopeFunc, false)
	case v.kind == KindClass:
		h.kind = KindClass
		s.add(h)
		s.noteNamedBody(v.body, h.name, scopeClass, sc.exported)
	case sc.kind == scopeExports:
		if s.isIdent(j) && v.end == j+1 {
			s.names = append(s.names, j)
		}
		h.kind = KindField
		s.add(h)
		s.noteNamedBody(v.body, h.name, scopeObject, sc.exported)
	}
	return j
}
