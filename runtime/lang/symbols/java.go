package symbols

// javaScan reads Java.
type javaScan struct{ members }

func (s javaScan) scan() { s.walk(s.readMember) }

// anchors reports whether a word that starts a declaration is at i, in the first column.
func (s javaScan) anchors(i int) bool {
	return s.inFirstColumn(i) && s.isOneOf(i, "public", "import", "class", "interface", "fun")
}

// readMember reads one declaration of a file or class body. Method bodies and initializers are skipped as a whole.
func (s javaScan) readMember(i int) int {
	if sc := s.scope(); sc.kind == scopeEnum {
		return s.readEnumConstant(i)
	}
	if s.punct(i) == ';' {
		return i + 1
	}
	m, annotation := s.readModifiers(i)
	j := m.next
	if s.punct(j) == '<' { // type parameters of a method
		j = max(s.skipAngles(j), j+1)
	}
	switch {
	case s.punct(j) == '{': // an initializer
		return s.skip(j)
	case s.isOneOf(j, "import", "package", "module", "open") && s.scope().kind == scopeTop:
		return s.find(j, s.limit, ';', '{') + 1
	case annotation || s.startsType(j):
		return s.readClass(i, j, m, annotation)
	}
	return s.readDeclaration(i, j, m)
}

// readModifiers skips annotations and modifiers from i on and reports whether they end with @interface.
func (s javaScan) readModifiers(i int) (m modifiers, annotation bool) {
	m = modifiers{from: -1}
	public, static, final := s.scope().kind == scopeContract, false, false
	for ; i < s.limit; i++ {
		if s.punct(i) == '@' && s.is(i+1, "interface") {
			i++
			annotation = true
			break
		}
		if s.punct(i) == '@' && s.isIdent(i+1) {
			i = s.skipDecorators(i) - 1
			continue
		}
		if s.punct(i) == opThinArrow || !s.isModifier(i) {
			break
		}
		if m.from < 0 {
			m.from = i
		}
		public = public || s.isOneOf(i, "public", "protected")
		static = static || s.is(i, "static")
		final = final || s.is(i, "final")
		if s.is(i, "non") {
			i += 2
		}
	}
	if m.next = i; m.from < 0 {
		m.from = i
	}
	m.private, m.constant = !public, static && final || final && s.scope().kind == scopeContract
	return m, annotation
}

// isModifier reports whether token i modifies the declaration after it.
func (s javaScan) isModifier(i int) bool {
	switch string(s.text(i)) {
	case "public", "private", "protected", "static", "final", "abstract", "native", "synchronized",
		"transient", "volatile", "strictfp", "default":
		return true
	case "sealed":
		return s.isIdent(i + 1)
	case "non": // non-sealed
		return s.punct(i+1) == '-' && s.is(i+2, "sealed")
	}
	return false
}

// startsType reports whether the keyword of a type declaration is at j. "record" is a keyword only before a name.
func (s javaScan) startsType(j int) bool {
	switch string(s.text(j)) {
	case "class", "interface", "enum":
		return s.isIdent(j + 1)
	case "record":
		return s.isIdent(j+1) && (s.punct(j+2) == '(' || s.punct(j+2) == '<')
	}
	return false
}

// readClass reads a class, record, interface, annotation or enum whose keyword is at j.
func (s javaScan) readClass(doc, j int, m modifiers, annotation bool) int {
	h := head{kind: KindClass, name: j + 1, doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	kind := scopeClass
	switch {
	case annotation || s.is(j, "interface"):
		h.kind, kind = KindInterface, scopeContract
	case s.is(j, "enum"):
		h.kind, kind = KindEnum, scopeEnum
	}
	body := s.find(j+1, s.limit, '{', ';')
	if s.punct(body) != '{' {
		return j + 1
	}
	h.to, h.end = body-1, s.lineOf(s.partner(body))
	s.add(h)
	inner := scope{kind: kind, cont: s.join(h.cont, ".", s.text(j+1)), name: j + 1, exported: h.exported}
	if s.is(j, "record") {
		s.readRecordFields(inner, j+2)
	}
	return s.push(body, inner)
}

// readDeclaration reads a method, constructor or field whose type is at j.
func (s javaScan) readDeclaration(doc, j int, m modifiers) int {
	end := s.findAngled(j, s.limit, '(', '=', ';', '{', ',')
	h := head{name: end - 1, doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	switch s.punct(end) {
	case '(':
		return s.readMethod(h, end)
	case '{': // the compact constructor of a record
		if s.isIdent(end-1) && end-1 == j {
			h.kind, h.to, h.end = KindMethod, j, s.lineOf(s.partner(end))
			s.add(h)
		}
		return s.skip(end)
	case '=', ';', ',':
		return s.readFields(h, j, end, m)
	}
	return max(end, j+1)
}

// readMethod adds the method whose parameters open at paren, if a name precedes them and a body or semicolon follows.
func (s javaScan) readMethod(h head, paren int) int {
	j := s.skip(paren)
	body := s.findAngled(j, s.limit, '{', ';', '=')
	if s.is(j, "default") || s.punct(body) == '=' {
		body = s.find(j, s.limit, ';')
	}
	if !s.isIdent(h.name) || body >= s.limit && s.limit > 0 && s.punct(s.limit-1) != ';' {
		return max(body, paren+1)
	}
	if s.scope().kind == scopeTop || s.isOneOf(h.name, "if", "for", "while", "switch", "catch", "return", "new") {
		return s.skip(body)
	}
	h.kind, h.to, h.end = KindMethod, body-1, s.lineOf(body)
	if s.punct(body) == '{' {
		h.end = s.lineOf(s.partner(body))
	}
	s.add(h)
	return s.skip(body)
}
