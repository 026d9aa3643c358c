package symbols

// javaMember reads one declaration of a file or class body. Method bodies and
// initialisers are passed over whole.
func (s *Scanner) javaMember(i int) int {
	if sc := s.scope(); sc.kind == scopeEnum {
		return s.javaEnumConstant(i)
	}
	if s.ch(i) == ';' {
		return i + 1
	}
	m := s.javaModifiers(i)
	j := m.next
	if s.ch(j) == '<' { // type parameters of a method
		j = max(s.pastAngle(j), j+1)
	}
	switch {
	case s.ch(j) == '{': // an initialiser
		return s.past(j)
	case s.oneOf(j, "import", "package", "module", "open") && s.scope().kind == scopeTop:
		return s.find(j, s.limit, ';', '{') + 1
	case m.annotation || s.javaType(j):
		return s.javaClass(i, j, m)
	}
	return s.javaDeclaration(i, j, m)
}

// javaMods is what the words and annotations before a declaration say.
type javaMods struct {
	from, next int  // first modifier behind the annotations; first other token
	private    bool // private, or package-private where nothing else is said
	constant   bool // static final
	annotation bool // @interface
}

// javaModifiers passes over annotations and modifiers from i on.
func (s *Scanner) javaModifiers(i int) javaMods {
	m := javaMods{from: -1}
	public, static, final := s.scope().kind == scopeContract, false, false
	for ; i < s.limit; i++ {
		if s.ch(i) == '@' && s.is(i+1, "interface") {
			i++
			m.annotation = true
			break
		}
		if s.ch(i) == '@' && s.ident(i+1) {
			i = s.pastDecorators(i) - 1
			continue
		}
		if s.ch(i) == opThinArrow || !s.javaModifier(i) {
			break
		}
		if m.from < 0 {
			m.from = i
		}
		public = public || s.oneOf(i, "public", "protected")
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
	return m
}

func (s *Scanner) javaModifier(i int) bool {
	switch string(s.text(i)) {
	case "public", "private", "protected", "static", "final", "abstract", "native", "synchronized",
		"transient", "volatile", "strictfp", "default":
		return true
	case "sealed":
		return s.ident(i + 1)
	case "non": // non-sealed
		return s.ch(i+1) == '-' && s.is(i+2, "sealed")
	}
	return false
}

// javaType says that a type declaration's keyword is at j. "record" is a
// keyword only before a name.
func (s *Scanner) javaType(j int) bool {
	switch string(s.text(j)) {
	case "class", "interface", "enum":
		return s.ident(j + 1)
	case "record":
		return s.ident(j+1) && (s.ch(j+2) == '(' || s.ch(j+2) == '<')
	}
	return false
}

func (s *Scanner) javaClass(doc, j int, m javaMods) int {
	h := head{kind: KindClass, name: j + 1, doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	kind := scopeClass
	switch {
	case m.annotation || s.is(j, "interface"):
		h.kind, kind = KindInterface, scopeContract
	case s.is(j, "enum"):
		h.kind, kind = KindEnum, scopeEnum
	}
	body := s.find(j+1, s.limit, '{', ';')
	if s.ch(body) != '{' {
		return j + 1
	}
	h.to, h.end = body-1, s.lineOf(s.closing(body))
	s.add(h)
	inner := scope{kind: kind, cont: s.join(h.cont, ".", s.text(j+1)), name: j + 1, exported: h.exported}
	if s.is(j, "record") {
		s.recordFields(inner, j+2)
	}
	return s.push(body, inner)
}

// recordFields reads the components of a record, whose list opens behind the
// optional type parameters at j.
func (s *Scanner) recordFields(inner scope, j int) {
	if s.ch(j) == '<' {
		j = s.pastAngle(j)
	}
	if s.ch(j) != '(' {
		return
	}
	end := s.closing(j)
	for from := j + 1; from < end; {
		next := s.findAngled(from, end, ',')
		if name := next - 1; s.ident(name) && name > from {
			s.add(head{kind: KindField, name: name, doc: from, from: from, to: name, end: s.lineOf(name), cont: inner.cont, exported: inner.exported})
		}
		from = next + 1
	}
}

// javaDeclaration reads a method, constructor or field whose type is at j.
func (s *Scanner) javaDeclaration(doc, j int, m javaMods) int {
	end := s.findAngled(j, s.limit, '(', '=', ';', '{', ',')
	h := head{name: end - 1, doc: doc, from: m.from, cont: s.scope().cont, exported: s.scope().exported && !m.private}
	switch s.ch(end) {
	case '(':
		return s.javaMethod(h, end)
	case '{': // the short constructor of a record
		if s.ident(end-1) && end-1 == j {
			h.kind, h.to, h.end = KindMethod, j, s.lineOf(s.closing(end))
			s.add(h)
		}
		return s.past(end)
	case '=', ';', ',':
		return s.javaFields(h, j, end, m)
	}
	return max(end, j+1)
}

// javaMethod adds the method whose parameters open at paren, if a name stands
// before them and a body or semicolon behind.
func (s *Scanner) javaMethod(h head, paren int) int {
	j := s.past(paren)
	body := s.findAngled(j, s.limit, '{', ';', '=')
	if s.is(j, "default") || s.ch(body) == '=' {
		body = s.find(j, s.limit, ';')
	}
	if !s.ident(h.name) || body >= s.limit && s.limit > 0 && s.ch(s.limit-1) != ';' {
		return max(body, paren+1)
	}
	if s.scope().kind == scopeTop || s.oneOf(h.name, "if", "for", "while", "switch", "catch", "return", "new") {
		return s.past(body)
	}
	h.kind, h.to, h.end = KindMethod, body-1, s.lineOf(body)
	if s.ch(body) == '{' {
		h.end = s.lineOf(s.closing(body))
	}
	s.add(h)
	return s.past(body)
}

// javaFields reads "T a = 1, b[], c;".
func (s *Scanner) javaFields(h head, j, end int, m javaMods) int {
	h.kind = KindField
	if m.constant {
		h.kind = KindConstant
	}
	stop := s.find(end, s.limit, ';')
	for {
		h.name = end - 1
		for s.ch(h.name) == ']' {
			h.name = int(s.match[h.name]) - 1
		}
		next := s.findAngled(end, stop, ',')
		if s.ch(end) == ',' {
			next = end
		}
		if s.ident(h.name) && h.name > j && s.scope().kind != scopeTop {
			h.to, h.end = next-1, s.lastLine(next-1)
			s.add(h)
		}
		if next >= stop {
			break
		}
		end = s.findAngled(next+1, stop, ',', '=')
	}
	return stop + 1
}

// javaEnumConstant reads NAME(args) { … }, up to the semicolon behind which an
// enum's other members stand.
func (s *Scanner) javaEnumConstant(i int) int {
	sc := s.scope()
	if s.ch(i) == ';' {
		sc.kind = scopeClass
		return i + 1
	}
	j := s.pastDecorators(i)
	if !s.ident(j) {
		return s.past(j)
	}
	end := j + 1
	if s.ch(end) == '(' {
		end = s.past(end)
	}
	h := head{kind: KindMember, name: j, doc: i, from: j, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported}
	if s.ch(end) == '{' {
		h.end = s.lineOf(s.closing(end))
	}
	s.add(h)
	if s.ch(end) == '{' {
		return s.push(end, scope{kind: scopeClass, cont: s.join(sc.cont, ".", s.text(j)), name: j, exported: sc.exported})
	}
	return end
}
