package symbols

// maxSwiftOperator limits the tokens of an operator that a function defines.
const maxSwiftOperator = 4

// swiftScan reads Swift.
type swiftScan struct{ members }

func (s swiftScan) scan() { s.walk(s.readItem) }

// anchors reports whether a word that starts a declaration is at i, in the first column.
func (s swiftScan) anchors(i int) bool {
	return s.inFirstColumn(i) && s.isOneOf(i, "import", "class", "struct", "extension", "public", "protocol", "enum")
}

// readItem reads one token of a file or type body.
func (s swiftScan) readItem(i int) int {
	if !s.isIdent(i) || s.punct(i-1) == '.' {
		return s.skip(i)
	}
	switch string(s.text(i)) {
	case "class", "struct", "enum", "protocol", "actor", "extension":
		if s.is(i, "extension") && s.punct(i+1) == '[' || s.isIdent(i+1) && !s.isOneOf(i+1, "func", "var", "let", "subscript", "override", "final", "private", "public") {
			return s.readType(i)
		}
	case "func":
		return s.readFunc(i, i+1)
	case "init", "subscript":
		if k := s.scope().kind; s.punct(i+1) != '.' && (k == scopeClass || k == scopeContract || k == scopeEnum) {
			return s.readFunc(i, i)
		}
	case "deinit":
		return s.skip(i + 1)
	case "var", "let":
		return s.readVars(i)
	case "typealias", "associatedtype":
		return s.readAlias(i)
	case "case":
		if s.scope().kind == scopeEnum {
			return s.readCases(i)
		}
	case "import":
		return s.findStatementEnd(i, s.limit) + 1
	}
	return i + 1
}

// swiftModifier reports whether a word modifies a declaration, and whether it hides it.
func swiftModifier(word string) (ok, hides bool) {
	switch word {
	case "private", "fileprivate":
		return true, true
	case "public", "open", "internal", "package", "static", "class", "final", "override", "mutating", "nonmutating",
		"lazy", "weak", "unowned", "required", "convenience", "dynamic", "optional", "indirect", "prefix", "postfix",
		"infix", "nonisolated", "isolated", "async", "distributed", "borrowing", "consuming":
		return true, false
	}
	return false, false
}

// readType reads a type, or enters an extension, which is not a definition but has the extended type as its container.
func (s swiftScan) readType(i int) int {
	h := s.readModified(i, swiftModifier)
	h.kind, h.name = KindClass, i+1
	kind := scopeClass
	switch string(s.text(i)) {
	case "struct":
		h.kind = KindStruct
	case "enum":
		h.kind, kind = KindEnum, scopeEnum
	case "protocol":
		h.kind, kind = KindInterface, scopeContract
	}
	body := s.findAngled(i+1, s.limit, '{', ';')
	if s.punct(body) != '{' {
		return i + 1
	}
	last := s.skip(i+1) - 1 // for [Element], the bracket
	for s.punct(last+1) == '.' && s.isIdent(last+2) {
		last += 2
	}
	h.to, h.end = body-1, s.lineOf(s.partner(body))
	if !s.is(i, "extension") {
		s.add(h)
	}
	cont := s.join(h.cont, ".", s.src[s.token(i+1).off:s.token(last).end])
	return s.push(body, scope{kind: kind, cont: cont, name: i + 1, exported: h.exported})
}

// readFunc reads a function, initializer or subscript named by token name.
func (s swiftScan) readFunc(i, name int) int {
	h := s.readModified(i, swiftModifier)
	h.kind, h.name = KindFunction, name
	if k := s.scope().kind; k != scopeTop && k != scopeModule {
		h.kind = KindMethod
	}
	j := name + 1
	if !s.isIdent(name) { // an operator
		for j < s.limit && s.punct(j) != '(' && s.punct(j) != '<' && s.token(j).kind == tokPunct && j < name+maxSwiftOperator {
			j++
		}
		h.as = s.src[s.token(name).off:s.token(j-1).end]
	}
	open := s.findAngled(j, s.limit, '(', '{', ';', '=')
	if s.punct(open) != '(' {
		return i + 1
	}
	end := s.skipHead(s.skip(open), true)
	h.to, h.end = end-1, s.lineOf(end-1)
	if s.punct(end) == '{' {
		h.end = s.lineOf(s.partner(end))
	}
	s.add(h)
	if s.punct(end) == '{' {
		return s.skip(end)
	}
	return end
}

// readVars reads let and var, which may declare several names.
func (s swiftScan) readVars(i int) int {
	end := s.findStatementEnd(i, s.limit)
	h := s.readModified(i, swiftModifier)
	h.kind = KindVariable
	switch k := s.scope().kind; {
	case k != scopeTop && k != scopeModule:
		h.kind = KindField
	case s.is(i, "let"):
		h.kind = KindConstant
	}
	for j := i + 1; s.isIdent(j) && j <= end; {
		next := s.findAngled(j, end+1, ',')
		to := min(s.findAngled(j, next, '{'), next)
		h.name, h.to, h.end = j, to-1, s.lineOf(min(next, end+1)-1)
		s.add(h)
		j = next + 1
	}
	return end + 1
}

// readAlias reads typealias and associatedtype.
func (s swiftScan) readAlias(i int) int {
	end := s.findStatementEnd(i, s.limit)
	if s.isIdent(i + 1) {
		h := s.readModified(i, swiftModifier)
		h.kind, h.name, h.to, h.end = KindType, i+1, end, s.lineOf(end)
		s.add(h)
	}
	return end + 1
}

// readCases reads case a, b(Int), c = 1.
func (s swiftScan) readCases(i int) int {
	end := s.findStatementEnd(i, s.limit)
	h := s.readModified(i, swiftModifier)
	h.kind = KindMember
	for j := i + 1; s.isIdent(j) && j <= end; {
		next := s.find(j, end+1, ',')
		h.name, h.to, h.end = j, next-1, s.lineOf(next-1)
		s.add(h)
		j = next + 1
	}
	return end + 1
}
