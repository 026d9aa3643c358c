package symbols

// readAggregate reads a class, struct, union or enum whose body opens at body.
func (h *cDeclaration) readAggregate(body int) int {
	name, _ := h.findTag(h.agg, body)
	semi := h.findTail(body)
	if name >= 0 {
		h.addType(name, nil, body)
	}
	if semi > 0 && name != semi-1 {
		h.readTrailing(h.partner(body)+1, semi, KindVariable)
	}
	return h.enterType(name, nil, body, semi)
}

// addType adds the type of an aggregate.
func (h *cDeclaration) addType(name int, as []byte, body int) {
	kind := KindStruct
	switch string(h.text(h.agg)) {
	case "class":
		kind = KindClass
	case "enum":
		kind = KindEnum
	}
	sc := h.scope()
	d := head{kind: kind, name: name, as: as, doc: h.doc, from: h.from, to: body - 1, end: h.lineOf(h.partner(body)), cont: sc.cont, exported: sc.exported && !sc.hidden}
	if owner := h.writeQualifiers(name); owner.n > 0 {
		d.cont = owner
	}
	h.add(d)
}

// enterType enters the body of a type. The part between the body and the semicolon gets its own scope, in which nothing
// is defined.
func (h *cDeclaration) enterType(name int, as []byte, body, semi int) int {
	sc := scope{kind: scopeClass, cont: h.scope().cont, name: name, exported: h.scope().exported && !h.scope().hidden}
	if as == nil && name >= 0 {
		as = h.text(name)
	}
	if as != nil {
		sc.cont = h.join(sc.cont, "::", as)
	}
	switch string(h.text(h.agg)) {
	case "enum":
		sc.kind = scopeEnum
	case "class":
		sc.hidden = true
	}
	if semi > 0 {
		h.enter(scope{open: body, close: semi, kind: scopeExpr, cont: h.scope().cont, name: -1})
	}
	return h.push(body, sc)
}

// findTag returns the token of the name between the keyword at agg and the body, or -1 for an unnamed type, and where
// its bases begin. Attributes and export macros may precede the name, bases follow it.
func (s cScan) findTag(agg, body int) (name, end int) {
	name = -1
	for k := agg + 1; k < body; {
		switch {
		case s.punct(k) == ':':
			return name, k
		case s.isIdent(k) && s.punct(k+1) == '(':
			k++
		case s.isOneOf(k, "class", "struct", "final"):
		case s.isIdent(k) && name >= 0 && isConstantCase(s.text(k)) && !isConstantCase(s.text(name)): // Name MACRO
		case s.isIdent(k):
			name = k
		case s.punct(k) == '<':
			k = max(s.skipAngles(k), k+1)
			continue
		}
		k = s.skip(k)
	}
	return name, body
}

// findTail returns the semicolon after a type's body, or -1 if something else ends the declaration.
func (s cScan) findTail(body int) int {
	semi := s.find(s.skip(body), s.limit, ';', '{')
	if s.punct(semi) != ';' {
		return -1
	}
	return semi
}

// readTrailing reads the names between a type's body and the semicolon.
func (h *cDeclaration) readTrailing(i, semi int, kind Kind) {
	if kind == KindVariable && h.scope().kind == scopeClass {
		kind = KindField
	}
	for i < semi {
		end := h.find(i, semi, ',')
		name := h.findDeclarator(i, end)
		if name >= 0 {
			sc := h.scope()
			h.add(head{kind: kind, name: name, doc: -1, from: i, to: end - 1, end: h.lastLine(end - 1), cont: sc.cont, exported: sc.exported && !sc.hidden && !h.local})
		}
		i = end + 1
	}
}

// findDeclarator returns the token that a declarator between i and end names: the last plain name before brackets or a
// value, or the one in (*name).
func (s cScan) findDeclarator(i, end int) int {
	name := -1
	for k := i; k < end; {
		switch {
		case s.punct(k) == '=' || s.punct(k) == '[':
			return name
		case s.isIdent(k) && s.punct(k+1) == '(' && s.takesNoParams(k):
			k++
		case s.punct(k) == '(' && (s.punct(s.skip(k)) == '(' || s.isStarred(k)):
			return s.findInnerName(k)
		case s.punct(k) == '(' && name >= 0 && !s.isIdent(s.skip(k)):
			return name
		case s.isIdent(k) && s.isOneOf(k, "const", "volatile", "restrict"):
		case s.isIdent(k):
			name = k
		}
		k = s.skip(k)
	}
	return name
}

// findInnerName returns the name in the parentheses at k: (*name), (CALL *name[4]) or (name), the last word before
// nested brackets.
func (s cScan) findInnerName(k int) int {
	name, end := -1, min(s.partner(k), k+maxDeclaratorTokens)
	for j := k + 1; j < end && s.punct(j) != '[' && (s.punct(j) != '(' || name < 0); j++ {
		if s.isIdent(j) && !s.isOneOf(j, "const", "volatile", "restrict") {
			name = j
		}
	}
	return name
}

// readTypedef reads a typedef. A typedef with a body is a type of its own, too, under the typedef's name if it has no
// tag.
func (h *cDeclaration) readTypedef() int {
	k := h.from + 1
	for h.isOneOf(k, "const", "volatile", "__extension__") {
		k++
	}
	if h.isOneOf(k, "struct", "union", "enum", "class") {
		if body := h.find(k, h.limit, '{', ';', '('); h.punct(body) == '{' {
			h.agg = k
			return h.readTypedefBody(body)
		}
	}
	stop := h.find(h.from, h.limit, ';', '{')
	if h.punct(stop) != ';' {
		return h.skip(stop)
	}
	for i := h.from + 1; i < stop; {
		end := h.findAngled(i, stop, ',')
		if name := h.findDeclarator(i, end); name >= 0 {
			h.addNamed(KindType, name, stop-1, h.lineOf(stop))
		}
		i = max(end, i) + 1
	}
	return stop + 1
}

// readTypedefBody reads a typedef whose type has a body.
func (h *cDeclaration) readTypedefBody(body int) int {
	tag, _ := h.findTag(h.agg, body)
	semi := h.findTail(body)
	if semi < 0 {
		return h.enterType(tag, nil, body, semi)
	}
	first := h.findDeclarator(h.partner(body)+1, h.find(h.partner(body)+1, semi, ','))
	switch {
	case tag >= 0:
		h.addType(tag, nil, body)
	case first >= 0:
		h.addType(h.agg, h.text(first), body)
	}
	if tag >= 0 || first >= 0 && h.lineOf(first)-h.lineOf(h.agg) > maxTypedefHead {
		h.readTrailing(h.partner(body)+1, semi, KindType)
	}
	if tag < 0 && first >= 0 {
		return h.enterType(h.agg, h.text(first), body, semi)
	}
	return h.enterType(tag, nil, body, semi)
}
