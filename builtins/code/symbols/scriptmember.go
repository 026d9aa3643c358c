package symbols

// scriptMember reads one member of a class.
func (s *Scanner) scriptMember(i int) int {
	sc := *s.scope()
	h := head{doc: i, cont: sc.cont, exported: sc.exported}
	j := s.pastDecorators(i)
	h.from = j
	var private bool
	j, private = s.scriptModifiers(j)
	h.name, h.exported = j, sc.exported && !private
	switch {
	case s.ch(j) == '{':
		return s.scriptOpen(j)
	case s.ch(j) == '[': // a computed name
		return s.past(j)
	case !s.ident(j) && !s.isString(j) && s.tok(j).kind != tokNumber:
		return s.past(j)
	}
	if s.isString(j) {
		h.as = s.nameText(j)
	}
	if c := s.text(j); len(c) > 0 && c[0] == '#' {
		h.exported = false
	}
	for j++; s.ch(j) == '?' || s.ch(j) == '!'; {
		j++
	}
	if s.ch(j) == '(' || s.ch(j) == '<' {
		return s.scriptMethod(h, j)
	}
	return s.scriptField(h, j)
}

// pastDecorators is the token behind the decorators that start at i.
func (s *Scanner) pastDecorators(i int) int {
	for s.ch(i) == '@' && i < s.limit {
		for i++; s.ident(i) && s.ch(i+1) == '.'; {
			i += 2
		}
		if i++; s.ch(i) == '(' {
			i = s.past(i)
		}
	}
	return i
}

// scriptModifiers passes over words that modify the member behind them. Each
// may also be the member's own name; then no other name follows it.
func (s *Scanner) scriptModifiers(j int) (name int, private bool) {
	for {
		switch string(s.text(j)) {
		case "private", "protected":
			private = s.scriptNameAt(j+1) || private
		case "public", "static", "readonly", "abstract", "override", "async", "get", "set", "declare", "accessor":
		case "*":
			j++
			continue
		default:
			return j, private
		}
		if !s.scriptNameAt(j + 1) {
			return j, private
		}
		j++
	}
}

// scriptNameAt says that a member's name, or a further modifier, is at j.
func (s *Scanner) scriptNameAt(j int) bool {
	switch s.ch(j) {
	case '[', '*':
		return true
	case '{':
		return s.is(j-1, "static")
	}
	return s.ident(j) || s.isString(j) || s.tok(j).kind == tokNumber
}

// scriptMethod adds the method whose parameters, or type parameters, are at j.
func (s *Scanner) scriptMethod(h head, j int) int {
	body, to := s.scriptHead(j)
	h.kind, h.to, h.end = KindMethod, to, s.lineOf(to)
	if body > 0 {
		h.end = s.lineOf(s.closing(body))
	}
	s.add(h)
	s.scriptBody(body, h.name, scopeFunc, false)
	if body < 0 {
		return max(to+1, j+1)
	}
	return s.scriptParams(j, body)
}

// scriptParams has the walk go through parameters, where defaults may hold
// functions, and on to the body.
func (s *Scanner) scriptParams(j, body int) int {
	if s.ch(j) == '<' {
		j = s.pastAngle(j)
	}
	if s.closing(j)+1 < body { // a return type, in which braces are no blocks
		return body
	}
	return j
}

// scriptField adds a field; one that holds a function counts as a method. The
// walk goes on inside the value.
func (s *Scanner) scriptField(h head, j int) int {
	if s.ch(j) == ':' {
		j = s.scriptType(j+1, false)
	}
	h.kind, h.to, h.end = KindField, j-1, s.lineOf(j-1)
	if s.ch(j) != '=' {
		s.add(h)
		return max(j, h.name+1)
	}
	v := s.scriptRight(j + 1)
	h.to, h.end = v.to, s.lineOf(v.end-1)
	if v.kind == KindFunction {
		h.kind = KindMethod
		s.scriptBody(v.body, h.name, scopeFunc, false)
	}
	s.add(h)
	sc := *s.scope()
	s.scopes = append(s.scopes, scope{open: j, close: v.end, kind: scopeExpr, cont: sc.cont})
	return j + 1
}

// scriptSignature reads one member of an interface or object type.
func (s *Scanner) scriptSignature(i int) int {
	sc := s.scope()
	j := i
	for s.oneOf(j, "readonly", "get", "set") && s.scriptNameAt(j+1) {
		j++
	}
	if !s.ident(j) && !s.isString(j) {
		return s.scriptNameless(j)
	}
	h := head{kind: KindField, name: j, doc: i, from: i, cont: sc.cont, exported: sc.exported}
	if s.isString(j) {
		h.as = s.nameText(j)
	}
	if j++; s.ch(j) == '?' {
		j++
	}
	switch s.ch(j) {
	case '(', '<':
		h.kind = KindMethod
		_, to := s.scriptHead(j)
		j = to + 1
	case ':':
		j = s.scriptType(j+1, false)
	}
	if string(s.text(h.name)) == "new" && h.kind == KindMethod {
		return j
	}
	h.to, h.end = j-1, s.lineOf(j-1)
	s.add(h)
	return max(j, h.name+1)
}

// scriptNameless passes over a call signature, an index signature or a member
// with a computed name.
func (s *Scanner) scriptNameless(j int) int {
	if s.ch(j) == '[' {
		if j = s.past(j); s.ch(j) == '?' {
			j++
		}
	}
	switch s.ch(j) {
	case '(', '<':
		_, to := s.scriptHead(j)
		return max(to, j) + 1
	case ':':
		return max(s.scriptType(j+1, false), j+1)
	}
	return s.past(j)
}

// scriptProperty reads a property of an object literal; 0 when what is at i
// is none.
func (s *Scanner) scriptProperty(i int) int {
	sc := *s.scope()
	j, _ := s.scriptModifiers(i)
	if !s.ident(j) && !s.isString(j) {
		return 0
	}
	h := head{kind: KindMethod, name: j, doc: i, from: i, cont: sc.cont, exported: sc.exported}
	if s.isString(j) {
		h.as = s.nameText(j)
	}
	if sc.cont.n == 0 {
		h.kind = KindFunction
	}
	switch s.ch(j + 1) {
	case '(', '<':
		body, to := s.scriptHead(j + 1)
		if body < 0 {
			return 0
		}
		h.to, h.end = to, s.lineOf(s.closing(body))
		s.add(h)
		s.scriptBody(body, j, scopeFunc, false)
		return s.scriptParams(j+1, body)
	case ':':
		return s.scriptPair(sc, h, j+2)
	case ',', '}':
		if sc.kind == scopeExports {
			s.names = append(s.names, j)
		}
	}
	return 0
}

// scriptPair reads the value at j of a property.
func (s *Scanner) scriptPair(sc scope, h head, j int) int {
	v := s.scriptRight(j)
	h.to, h.end = v.to, s.lineOf(v.end-1)
	switch {
	case v.kind == KindFunction:
		s.add(h)
		s.scriptBody(v.body, h.name, scopeFunc, false)
	case v.kind == KindClass:
		h.kind = KindClass
		s.add(h)
		s.scriptBody(v.body, h.name, scopeClass, sc.exported)
	case sc.kind == scopeExports:
		if s.ident(j) && v.end == j+1 {
			s.names = append(s.names, j)
		}
		h.kind = KindField
		s.add(h)
		s.scriptBody(v.body, h.name, scopeObject, sc.exported)
	}
	return j
}
