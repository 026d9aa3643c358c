package symbols

// csharpScan reads C#.
type csharpScan struct{ members }

func (s csharpScan) scan() { s.walk(s.readMember) }

// readMember reads one declaration of a file, namespace or type body.
func (s csharpScan) readMember(i int) int {
	if s.token(i).kind == tokDirective || s.punct(i) == ';' {
		return i + 1
	}
	if s.scope().kind == scopeEnum {
		return s.readEnumMember(i)
	}
	m := s.readModifiers(i)
	j := m.next
	switch {
	case s.punct(j) == '{':
		return s.skip(j)
	case s.is(j, "namespace"):
		return s.readNamespace(j)
	case s.is(j, "using"), s.is(j, "extern") && s.is(j+1, "alias"):
		return s.find(j, s.limit, ';', '{') + 1
	case s.startsType(j):
		return s.readClass(i, j, m)
	case s.is(j, "delegate"):
		return s.readDelegate(i, j, m)
	}
	return s.readDeclaration(i, j, m)
}

// readModifiers skips attributes and modifiers from i on.
func (s csharpScan) readModifiers(i int) modifiers {
	m := modifiers{from: -1}
	public := s.scope().kind == scopeContract
	for i < s.limit {
		if s.punct(i) == '[' && m.from < 0 {
			i = s.skip(i)
			continue
		}
		if s.token(i).kind == tokDirective {
			i++
			continue
		}
		if !s.isModifier(i) {
			break
		}
		if m.from < 0 {
			m.from = i
		}
		public = public || s.isOneOf(i, "public", "protected")
		m.constant = m.constant || s.is(i, "const")
		i++
	}
	if m.next = i; m.from < 0 {
		m.from = i
	}
	m.private = !public
	return m
}

// isModifier reports whether token i modifies the declaration after it.
func (s csharpScan) isModifier(i int) bool {
	switch string(s.text(i)) {
	case "public", "private", "protected", "internal", "static", "readonly", "sealed", "abstract", "virtual",
		"override", "async", "extern", "unsafe", "volatile", "new", "const", "fixed", "event", "implicit", "explicit":
		return true
	case "partial", "required", "file", "ref", "scoped":
		return s.isIdent(i + 1)
	}
	return false
}

// startsType reports whether the keyword of a type declaration is at j.
func (s csharpScan) startsType(j int) bool {
	switch string(s.text(j)) {
	case "class", "interface", "enum", "struct":
		return s.isIdent(j + 1)
	case "record":
		return s.isIdent(j+1) && s.punct(j+2) != '=' && s.punct(j+2) != ';' || s.isIdent(j+2)
	}
	return false
}

// readNamespace enters a namespace; one without braces lasts to the end of the file.
func (s csharpScan) readNamespace(i int) int {
	j := i + 1
	for s.isIdent(j) && s.punct(j+1) == '.' {
		j += 2
	}
	if !s.isIdent(j) {
		return i + 1
	}
	name := s.src[s.token(i+1).off:s.token(j).end]
	sc := scope{open: j + 1, kind: scopeModule, cont: s.join(s.scope().cont, ".", name), name: j, exported: true}
	if s.punct(j+1) == '{' {
		return s.push(j+1, sc)
	}
	sc.close = s.limit
	s.enter(sc)
	return j + 2
}

// readClass reads a class, struct, record, interface or enum whose keyword is at j.
func (s csharpScan) readClass(doc, j int, m modifiers) int {
	h := head{kind: KindClass, doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	kind := scopeClass
	name := j + 1
	switch string(s.text(j)) {
	case "interface":
		h.kind, kind = KindInterface, scopeContract
	case "enum":
		h.kind, kind = KindEnum, scopeEnum
	case "struct":
		h.kind = KindStruct
	case "record":
		if s.isOneOf(name, "class", "struct") {
			if s.is(name, "struct") {
				h.kind = KindStruct
			}
			name++
		}
	}
	h.name = name
	body := s.find(name+1, s.limit, '{', ';')
	if s.punct(body) != '{' && s.punct(body) != ';' {
		return name
	}
	h.to, h.end = body-1, s.lineOf(body)
	inner := scope{kind: kind, cont: s.join(h.cont, ".", s.text(name)), name: name, exported: h.exported}
	if s.punct(body) == '{' {
		h.end = s.lineOf(s.partner(body))
	}
	s.add(h)
	if s.is(j, "record") {
		s.readRecordFields(inner, name+1)
	}
	if s.punct(body) != '{' {
		return body + 1
	}
	return s.push(body, inner)
}

// readDelegate reads a delegate, that is, a function type.
func (s csharpScan) readDelegate(doc, j int, m modifiers) int {
	paren := s.findAngled(j+1, s.limit, '(', ';', '{')
	name := s.beforeAngles(paren)
	end := s.find(paren, s.limit, ';', '{')
	if s.punct(paren) == '(' && s.isIdent(name) {
		s.add(head{kind: KindType, name: name, doc: doc, from: m.from, to: end - 1, end: s.lineOf(end), cont: s.scope().cont, exported: s.scope().exported && !m.private})
	}
	return end + 1
}

// readDeclaration reads a method, property, event, indexer or field.
func (s csharpScan) readDeclaration(doc, j int, m modifiers) int {
	if s.is(j, "operator") || s.findOperator(j) > 0 {
		return s.readOperator(doc, j, m)
	}
	start := j
	if s.punct(j) == '(' { // a tuple type
		start = s.skip(j)
	}
	end := s.findAngled(start, s.limit, '(', '=', ';', '{', ',', opFatArrow)
	h := head{name: s.beforeAngles(end), doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	member := s.scope().kind == scopeClass || s.scope().kind == scopeContract
	switch s.punct(end) {
	case '(':
		return s.readMethod(h, end, member)
	case '{', opFatArrow:
		return s.readProperty(h, j, end, member)
	case '=', ';', ',':
		if !member {
			return s.find(end, s.limit, ';') + 1
		}
		return s.readFields(h, j, end, m)
	}
	return max(end, j+1)
}

// readMethod adds the method whose parameters open at paren. At top level this is a call, unless a type precedes the
// name and a body follows.
func (s csharpScan) readMethod(h head, paren int, member bool) int {
	end := s.find(s.skip(paren), s.limit, '{', ';', opFatArrow)
	stop := end
	if s.punct(end) == opFatArrow {
		stop = s.find(end, s.limit, ';')
	}
	h.kind, h.to, h.end = KindMethod, end-1, s.lineOf(stop)
	if s.punct(end) == '{' {
		h.end = s.lineOf(s.partner(end))
	}
	word := s.isOneOf(h.name, "if", "for", "foreach", "while", "switch", "using", "lock", "catch", "return", "new", "await")
	if s.punct(h.name-1) == '~' {
		h.as = []byte("~" + string(s.text(h.name)))
	}
	switch {
	case !s.isIdent(h.name) || word:
	case member:
		s.add(h)
	case s.punct(end) != ';' && (s.isIdent(h.name-1) || s.punct(h.name-1) == '>'):
		h.kind = KindFunction
		s.add(h)
	}
	return s.skip(stop)
}

// readProperty reads a property or indexer whose accessors are at end.
func (s csharpScan) readProperty(h head, j, end int, member bool) int {
	stop := end
	if s.punct(end) == '{' {
		if k := s.skip(end); s.punct(k) == '=' { // an initial value
			stop = s.find(k, s.limit, ';')
		}
	} else {
		stop = s.find(end, s.limit, ';')
	}
	h.kind, h.to, h.end = KindField, end-1, s.lineOf(s.skip(stop)-1)
	if s.punct(h.name) == ']' && s.is(s.partner(h.name)-1, "this") {
		h.name = s.partner(h.name) - 1
	}
	if member && s.isIdent(h.name) && h.name > j {
		s.add(h)
	}
	return s.skip(stop)
}

// readOperator reads "T operator +(…)" and "implicit operator T(…)".
func (s csharpScan) readOperator(doc, j int, m modifiers) int {
	op := j
	if !s.is(j, "operator") {
		op = s.findOperator(j)
	}
	paren := s.find(op+1, s.limit, '(', ';', '{')
	if s.punct(paren) != '(' || paren == op+1 { // no operator in between
		return paren + 1
	}
	name := append([]byte("operator "), s.src[s.token(op+1).off:s.token(paren-1).end]...)
	h := head{name: op, as: name, doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	return s.readMethod(h, paren, true)
}

// readEnumMember reads one member of an enum.
func (s csharpScan) readEnumMember(i int) int {
	sc := s.scope()
	j := i
	for s.punct(j) == '[' || s.token(j).kind == tokDirective {
		j = s.skip(j)
	}
	if !s.isIdent(j) {
		return s.skip(j)
	}
	end := s.find(j, sc.close, ',')
	s.add(head{kind: KindMember, name: j, doc: i, from: j, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported})
	return end
}
