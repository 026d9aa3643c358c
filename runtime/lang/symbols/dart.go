package symbols

// dartScan reads Dart.
type dartScan struct{ members }

func (s dartScan) scan() { s.walk(s.readMember) }

// anchors reports whether a word that starts a declaration is at i, in the first column.
func (s dartScan) anchors(i int) bool {
	return s.inFirstColumn(i) && s.isOneOf(i, "import", "class", "abstract", "enum", "mixin", "extension", "typedef")
}

// readMember reads one declaration of a file or a type's body.
func (s dartScan) readMember(i int) int {
	switch {
	case s.scope().kind == scopeEnum:
		return s.readEnumConstant(i)
	case s.punct(i) == ';':
		return i + 1
	}
	from := s.skipDecorators(i)
	j := from
	for n := 0; n < maxModifiers && s.isModifier(j); n++ {
		j++
	}
	switch {
	case s.punct(j) == '{':
		return s.skip(j)
	case s.isOneOf(j, "import", "export", "part", "library"):
		return s.find(j, s.limit, ';') + 1
	case s.startsType(j):
		return s.readType(i, from, j)
	case s.is(j, "typedef"):
		return s.readTypedef(i, j)
	}
	return s.readDeclaration(i, from, j)
}

// isModifier reports whether token j modifies the declaration after it. The words are also valid names.
func (s dartScan) isModifier(j int) bool {
	switch string(s.text(j)) {
	case "const", "final", "static", "late", "var":
		return s.isIdent(j+1) || s.punct(j+1) == '('
	case "abstract", "base", "covariant", "external", "factory", "interface", "mixin", "sealed", "augment":
		return s.isIdent(j+1) && (!s.is(j, "mixin") || s.is(j+1, "class"))
	}
	return false
}

// startsType reports whether the keyword of a type declaration is at j.
func (s dartScan) startsType(j int) bool {
	switch string(s.text(j)) {
	case "class", "enum", "mixin":
		return s.isIdent(j + 1)
	case "extension":
		return s.isIdent(j+1) || s.punct(j+1) == '<'
	}
	return false
}

// readType reads a class, mixin, enum or extension whose keyword is at j.
func (s dartScan) readType(doc, from, j int) int {
	h := s.headAt(doc, from)
	h.kind, h.name = KindClass, j+1
	kind := scopeClass
	switch {
	case s.is(j, "enum"):
		h.kind, kind = KindEnum, scopeEnum
	case s.is(j, "mixin"):
		h.kind = KindTrait
	case s.is(j, "extension"):
		h.kind = KindType
		if s.is(h.name, "type") {
			h.name++
		}
		if s.is(h.name, "const") {
			h.name++
		}
		if s.is(h.name, "on") || !s.isIdent(h.name) { // without its own name: named after the type that it extends
			h.name = s.beforeAngles(s.findAngled(j+1, s.limit, '{', ';'))
		}
	}
	body := s.findAngled(h.name+1, s.limit, '{', ';')
	if !s.isIdent(h.name) || s.punct(body) != '{' && s.punct(body) != ';' {
		return j + 1
	}
	h.exported = h.exported && s.text(h.name)[0] != '_'
	h.to, h.end = body-1, s.lineOf(body)
	if s.punct(body) == ';' { // class A = B with C;
		s.add(h)
		return body + 1
	}
	h.end = s.lineOf(s.partner(body))
	s.add(h)
	return s.push(body, scope{kind: kind, cont: s.join(h.cont, ".", s.text(h.name)), name: h.name, exported: h.exported})
}

// headAt returns a head with the fields that all declarations share.
func (s dartScan) headAt(doc, from int) head {
	sc := s.scope()
	return head{doc: doc, from: from, cont: sc.cont, exported: sc.exported}
}

// readTypedef reads typedef Name = …; or the older typedef T name(…);
func (s dartScan) readTypedef(doc, j int) int {
	end := s.find(j, s.limit, ';')
	name := s.beforeAngles(s.findAngled(j+1, end, '=', '('))
	if s.isIdent(name) && name > j {
		h := s.headAt(doc, j)
		h.kind, h.name, h.to, h.end = KindType, name, end-1, s.lineOf(end)
		h.exported = h.exported && s.text(name)[0] != '_'
		s.add(h)
	}
	return end + 1
}

// readDeclaration reads a function, constructor, accessor or field.
func (s dartScan) readDeclaration(doc, from, j int) int {
	if op := s.findOperator(j); op > 0 {
		return s.readOperator(doc, from, op)
	}
	start := j
	if s.punct(j) == '(' { // a record
		start = s.skip(j)
	}
	end := s.findAngled(start, s.limit, '(', '=', ';', '{', ',', opFatArrow)
	for n := 0; n < maxModifiers && s.punct(end) == '(' && s.is(s.beforeAngles(end), "Function"); n++ {
		end = s.findAngled(s.skip(end), s.limit, '(', '=', ';', '{', ',', opFatArrow)
	}
	h := s.headAt(doc, from)
	h.name = s.beforeAngles(end)
	switch s.punct(end) {
	case '(':
		return s.readFunction(h, end)
	case '{', opFatArrow:
		if s.is(h.name-1, "get") || s.is(h.name, "get") {
			return s.readBody(s.asField(h), end)
		}
		return s.skip(end)
	case '=', ';', ',':
		return s.readVariables(s.asField(h), j, end)
	}
	return max(end, j+1)
}

// asField sets the kind of a head to field, or to variable or constant outside of types.
func (s dartScan) asField(h head) head {
	switch k := s.scope().kind; {
	case k == scopeClass:
		h.kind = KindField
	case s.is(h.from, "const") || s.is(h.from, "final"):
		h.kind = KindConstant
	default:
		h.kind = KindVariable
	}
	return h
}

// readFunction adds the function or constructor whose parameters open at paren.
func (s dartScan) readFunction(h head, paren int) int {
	h.kind = KindFunction
	if s.scope().kind == scopeClass {
		h.kind = KindMethod
	}
	if s.is(h.name-1, "set") {
		h = s.asField(h)
	}
	end := s.skip(paren)
	for end < s.limit && s.spend() {
		c := s.punct(end)
		if c == ';' || c == opFatArrow || s.isCloser(end) || c == '{' && s.punct(end-1) != '=' && s.punct(end-1) != ':' {
			break
		}
		end = s.skip(end) // an initializer list, async
	}
	return s.readBody(h, end)
}

// readBody adds a definition whose body, or the semicolon instead of one, is at end.
func (s dartScan) readBody(h head, end int) int {
	stop := end
	if s.punct(end) == opFatArrow {
		stop = s.find(end, s.limit, ';')
	}
	h.to, h.end = end-1, s.lineOf(s.skip(stop)-1)
	if s.isIdent(h.name) && h.name >= h.from {
		h.exported = h.exported && s.text(h.name)[0] != '_'
		s.add(h)
	}
	if s.isCloser(stop) {
		return stop
	}
	return s.skip(stop)
}

// readOperator reads "T operator +(…)", whose keyword is at op.
func (s dartScan) readOperator(doc, from, op int) int {
	paren := s.find(op+1, s.limit, '(', ';', '{')
	if s.punct(paren) != '(' || paren == op+1 { // no operator in between
		return paren + 1
	}
	h := s.headAt(doc, from)
	h.name, h.as = op, append([]byte("operator "), s.src[s.token(op+1).off:s.token(paren-1).end]...)
	return s.readFunction(h, paren)
}

// readVariables reads "T a = 1, b;", whose first name is before end.
func (s dartScan) readVariables(h head, j, end int) int {
	stop := s.find(end, s.limit, ';')
	for n := 0; n < maxModifiers; n++ {
		next := end
		if s.punct(end) == '=' {
			next = s.findAngled(end, stop, ',')
		}
		next = min(next, stop)
		if s.isIdent(h.name) && h.name >= j {
			h.to, h.end = next-1, s.lastLine(next-1)
			one := h
			one.exported = h.exported && s.text(h.name)[0] != '_'
			s.add(one)
		}
		if s.punct(next) != ',' || !s.isIdent(next+1) {
			break
		}
		h.name, end = next+1, next+2
	}
	return stop + 1
}
