package symbols

// csharpMember reads one declaration of a file, namespace or type body.
func (s *Scanner) csharpMember(i int) int {
	if s.tok(i).kind == tokDirective || s.ch(i) == ';' {
		return i + 1
	}
	if s.scope().kind == scopeEnum {
		return s.csharpEnumMember(i)
	}
	m := s.csharpModifiers(i)
	j := m.next
	switch {
	case s.ch(j) == '{':
		return s.past(j)
	case s.is(j, "namespace"):
		return s.csharpNamespace(j)
	case s.is(j, "using"), s.is(j, "extern") && s.is(j+1, "alias"):
		return s.find(j, s.limit, ';', '{') + 1
	case s.csharpType(j):
		return s.csharpClass(i, j, m)
	case s.is(j, "delegate"):
		return s.csharpDelegate(i, j, m)
	}
	return s.csharpDeclaration(i, j, m)
}

// csharpModifiers passes over attributes and modifiers from i on.
func (s *Scanner) csharpModifiers(i int) javaMods {
	m := javaMods{from: -1}
	public := s.scope().kind == scopeContract
	for i < s.limit {
		if s.ch(i) == '[' && m.from < 0 {
			i = s.past(i)
			continue
		}
		if s.tok(i).kind == tokDirective {
			i++
			continue
		}
		if !s.csharpModifier(i) {
			break
		}
		if m.from < 0 {
			m.from = i
		}
		public = public || s.oneOf(i, "public", "protected")
		m.constant = m.constant || s.is(i, "const")
		i++
	}
	if m.next = i; m.from < 0 {
		m.from = i
	}
	m.private = !public
	return m
}

func (s *Scanner) csharpModifier(i int) bool {
	switch string(s.text(i)) {
	case "public", "private", "protected", "internal", "static", "readonly", "sealed", "abstract", "virtual",
		"override", "async", "extern", "unsafe", "volatile", "new", "const", "fixed", "event", "implicit", "explicit":
		return true
	case "partial", "required", "file", "ref", "scoped":
		return s.ident(i + 1)
	}
	return false
}

func (s *Scanner) csharpType(j int) bool {
	switch string(s.text(j)) {
	case "class", "interface", "enum", "struct":
		return s.ident(j + 1)
	case "record":
		return s.ident(j+1) && s.ch(j+2) != '=' && s.ch(j+2) != ';' || s.ident(j+2)
	}
	return false
}

// csharpNamespace enters a namespace; one without braces lasts to the end of
// the file.
func (s *Scanner) csharpNamespace(i int) int {
	j := i + 1
	for s.ident(j) && s.ch(j+1) == '.' {
		j += 2
	}
	if !s.ident(j) {
		return i + 1
	}
	name := s.src[s.tok(i+1).off:s.tok(j).end]
	sc := scope{open: j + 1, kind: scopeModule, cont: s.join(s.scope().cont, ".", name), name: j, exported: true}
	if s.ch(j+1) == '{' {
		return s.push(j+1, sc)
	}
	sc.close = s.limit
	s.scopes = append(s.scopes, sc)
	return j + 2
}

func (s *Scanner) csharpClass(doc, j int, m javaMods) int {
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
		if s.oneOf(name, "class", "struct") {
			if s.is(name, "struct") {
				h.kind = KindStruct
			}
			name++
		}
	}
	h.name = name
	body := s.find(name+1, s.limit, '{', ';')
	if s.ch(body) != '{' && s.ch(body) != ';' {
		return name
	}
	h.to, h.end = body-1, s.lineOf(body)
	inner := scope{kind: kind, cont: s.join(h.cont, ".", s.text(name)), name: name, exported: h.exported}
	if s.ch(body) == '{' {
		h.end = s.lineOf(s.closing(body))
	}
	s.add(h)
	if s.is(j, "record") {
		s.recordFields(inner, name+1)
	}
	if s.ch(body) != '{' {
		return body + 1
	}
	return s.push(body, inner)
}

func (s *Scanner) csharpDelegate(doc, j int, m javaMods) int {
	paren := s.findAngled(j+1, s.limit, '(', ';', '{')
	name := s.beforeAngle(paren)
	end := s.find(paren, s.limit, ';', '{')
	if s.ch(paren) == '(' && s.ident(name) {
		s.add(head{kind: KindType, name: name, doc: doc, from: m.from, to: end - 1, end: s.lineOf(end), cont: s.scope().cont, exported: s.scope().exported && !m.private})
	}
	return end + 1
}

// beforeAngle is the token before i, or before type arguments that end there.
func (s *Scanner) beforeAngle(i int) int {
	if s.ch(i-1) == '>' {
		if open := s.backAngle(i - 1); open > 0 {
			return open - 1
		}
	}
	return i - 1
}

// csharpDeclaration reads a method, property, event, indexer or field.
func (s *Scanner) csharpDeclaration(doc, j int, m javaMods) int {
	if s.is(j, "operator") || s.operatorAt(j) > 0 {
		return s.csharpOperator(doc, j, m)
	}
	start := j
	if s.ch(j) == '(' { // a tuple type
		start = s.past(j)
	}
	end := s.findAngled(start, s.limit, '(', '=', ';', '{', ',', opFatArrow)
	h := head{name: s.beforeAngle(end), doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	member := s.scope().kind == scopeClass || s.scope().kind == scopeContract
	switch s.ch(end) {
	case '(':
		return s.csharpMethod(h, end, member)
	case '{', opFatArrow:
		return s.csharpProperty(h, j, end, member)
	case '=', ';', ',':
		if !member {
			return s.find(end, s.limit, ';') + 1
		}
		return s.javaFields(h, j, end, m)
	}
	return max(end, j+1)
}

// csharpMethod adds the method whose parameters open at paren. At top level
// that is a call, unless a type stands before the name and a body behind.
func (s *Scanner) csharpMethod(h head, paren int, member bool) int {
	end := s.find(s.past(paren), s.limit, '{', ';', opFatArrow)
	stop := end
	if s.ch(end) == opFatArrow {
		stop = s.find(end, s.limit, ';')
	}
	h.kind, h.to, h.end = KindMethod, end-1, s.lineOf(stop)
	if s.ch(end) == '{' {
		h.end = s.lineOf(s.closing(end))
	}
	word := s.oneOf(h.name, "if", "for", "foreach", "while", "switch", "using", "lock", "catch", "return", "new", "await")
	if s.ch(h.name-1) == '~' {
		h.as = []byte("~" + string(s.text(h.name)))
	}
	switch {
	case !s.ident(h.name) || word:
	case member:
		s.add(h)
	case s.ch(end) != ';' && (s.ident(h.name-1) || s.ch(h.name-1) == '>'):
		h.kind = KindFunction
		s.add(h)
	}
	return s.past(stop)
}

// csharpProperty reads a property or indexer whose accessors are at end.
func (s *Scanner) csharpProperty(h head, j, end int, member bool) int {
	stop := end
	if s.ch(end) == '{' {
		if k := s.past(end); s.ch(k) == '=' { // an initial value
			stop = s.find(k, s.limit, ';')
		}
	} else {
		stop = s.find(end, s.limit, ';')
	}
	h.kind, h.to, h.end = KindField, end-1, s.lineOf(s.past(stop)-1)
	if s.ch(h.name) == ']' && s.is(int(s.match[h.name])-1, "this") {
		h.name = int(s.match[h.name]) - 1
	}
	if member && s.ident(h.name) && h.name > j {
		s.add(h)
	}
	return s.past(stop)
}

// operatorAt finds the word operator within the first tokens of a member.
func (s *Scanner) operatorAt(j int) int {
	for k := j; k < j+8 && (s.ident(k) || s.ch(k) == '.' || s.ch(k) == '<' || s.ch(k) == '>' || s.ch(k) == '?' || s.ch(k) == '['); k++ {
		if s.is(k, "operator") {
			return k
		}
	}
	return 0
}

// csharpOperator reads "T operator +(…)" and "implicit operator T(…)".
func (s *Scanner) csharpOperator(doc, j int, m javaMods) int {
	op := j
	if !s.is(j, "operator") {
		op = s.operatorAt(j)
	}
	paren := s.find(op+1, s.limit, '(', ';', '{')
	if s.ch(paren) != '(' {
		return paren + 1
	}
	name := append([]byte("operator "), s.src[s.tok(op+1).off:s.tok(paren-1).end]...)
	h := head{name: op, as: name, doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	return s.csharpMethod(h, paren, true)
}

func (s *Scanner) csharpEnumMember(i int) int {
	sc := s.scope()
	j := i
	for s.ch(j) == '[' || s.tok(j).kind == tokDirective {
		j = s.past(j)
	}
	if !s.ident(j) {
		return s.past(j)
	}
	end := s.find(j, sc.close, ',')
	s.add(head{kind: KindMember, name: j, doc: i, from: j, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported})
	return end
}
