package symbols

// typeScan reads what is specific to TypeScript: interfaces, types, enums and namespaces.
type typeScan struct{ scriptSyntax }

// readDeclaration reads a declaration that only TypeScript has.
func (s typeScan) readDeclaration(i int) int {
	from, exported := s.modifiersBefore(i)
	h := head{name: i + 1, doc: from, from: from, cont: s.scope().cont, exported: exported && s.scope().exported}
	switch string(s.text(i)) {
	case "type":
		return s.readAlias(i, h)
	case "interface":
		h.kind = KindInterface
		return s.readBlock(h, scopeContract)
	case "enum":
		h.kind = KindEnum
		return s.readBlock(h, scopeEnum)
	case "global":
		return s.push(i+1, scope{kind: scopeModule, cont: s.scope().cont, exported: true})
	}
	h.kind = KindModule
	for s.punct(h.name+1) == '.' && s.isIdent(h.name+2) {
		h.cont = s.join(h.cont, ".", s.text(h.name))
		h.name += 2
	}
	return s.readBlock(h, scopeModule)
}

// readBlock adds a declaration with a body and enters it.
func (s typeScan) readBlock(h head, kind scopeKind) int {
	body := s.findClassBody(h.name + 1)
	if body < 0 {
		return h.name
	}
	h.to, h.end = body-1, s.lineOf(s.partner(body))
	if s.isString(h.name) {
		h.as = s.unquoted(h.name)
	}
	s.add(h)
	inner := h.exported || kind == scopeModule && s.scope().exported
	return s.push(body, scope{kind: kind, cont: s.join(h.cont, ".", s.unquoted(h.name)), name: h.name, exported: inner})
}

// readAlias reads type X<T> = …; the members of an object type count.
func (s typeScan) readAlias(i int, h head) int {
	j := i + 2
	if s.punct(j) == '<' {
		j = s.skipAngles(j)
	}
	if s.punct(j) != '=' || !s.isIdent(i+1) {
		return i + 1
	}
	end := s.skipType(j+1, false)
	h.kind, h.to, h.end = KindType, end-1, s.lineOf(end-1)
	if s.punct(j+1) != '{' {
		s.add(h)
		return end
	}
	h.to = j
	s.add(h)
	return s.push(j+1, scope{kind: scopeContract, cont: s.join(h.cont, ".", s.text(i+1)), name: i + 1, exported: h.exported})
}

// readEnumMember reads one member of an enum.
func (s typeScan) readEnumMember(i int) {
	sc := s.scope()
	end := s.find(i, sc.close, ',')
	h := head{kind: KindMember, name: i, doc: i, from: i, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported}
	if s.isString(i) {
		h.as = s.unquoted(i)
	}
	s.add(h)
}

// readSignature reads one member of an interface or object type.
func (s typeScan) readSignature(i int) int {
	sc := s.scope()
	j := i
	for s.isOneOf(j, "readonly", "get", "set") && s.hasNameAt(j+1) {
		j++
	}
	if !s.isIdent(j) && !s.isString(j) {
		return s.skipNameless(j)
	}
	h := head{kind: KindField, name: j, doc: i, from: i, cont: sc.cont, exported: sc.exported}
	if s.isString(j) {
		h.as = s.unquoted(j)
	}
	if j++; s.punct(j) == '?' {
		j++
	}
	switch s.punct(j) {
	case '(', '<':
		h.kind = KindMethod
		_, to := s.skipHead(j)
		j = to + 1
	case ':':
		j = s.skipType(j+1, false)
	}
	if string(s.text(h.name)) == "new" && h.kind == KindMethod {
		return j
	}
	h.to, h.end = j-1, s.lineOf(j-1)
	s.add(h)
	return max(j, h.name+1)
}

// skipNameless skips a call signature, an index signature or a member with a computed name.
func (s typeScan) skipNameless(j int) int {
	if s.punct(j) == '[' {
		if j = s.skip(j); s.punct(j) == '?' {
			j++
		}
	}
	switch s.punct(j) {
	case '(', '<':
		_, to := s.skipHead(j)
		return max(to, j) + 1
	case ':':
		return max(s.skipType(j+1, false), j+1)
	}
	return s.skip(j)
}
