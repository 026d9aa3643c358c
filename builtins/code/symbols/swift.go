package symbols

// swiftItem looks at one token of a file or type body.
func (s *Scanner) swiftItem(i int) int {
	if !s.ident(i) || s.ch(i-1) == '.' {
		return s.past(i)
	}
	switch string(s.text(i)) {
	case "class", "struct", "enum", "protocol", "actor", "extension":
		if s.is(i, "extension") && s.ch(i+1) == '[' || s.ident(i+1) && !s.oneOf(i+1, "func", "var", "let", "subscript", "override", "final", "private", "public") {
			return s.swiftType(i)
		}
	case "func":
		return s.swiftFunc(i, i+1)
	case "init", "subscript":
		if k := s.scope().kind; s.ch(i+1) != '.' && (k == scopeClass || k == scopeContract || k == scopeEnum) {
			return s.swiftFunc(i, i)
		}
	case "deinit":
		return s.past(i + 1)
	case "var", "let":
		return s.swiftVars(i)
	case "typealias", "associatedtype":
		return s.swiftAlias(i)
	case "case":
		if s.scope().kind == scopeEnum {
			return s.swiftCases(i)
		}
	case "import":
		return s.lineEnd(i, s.limit) + 1
	}
	return i + 1
}

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

// swiftType reads a type or enters an extension, which is no definition but
// has the extended type as its container.
func (s *Scanner) swiftType(i int) int {
	h := s.modified(i, swiftModifier)
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
	if s.ch(body) != '{' {
		return i + 1
	}
	last := s.past(i+1) - 1 // of [Element], the bracket
	for s.ch(last+1) == '.' && s.ident(last+2) {
		last += 2
	}
	h.to, h.end = body-1, s.lineOf(s.closing(body))
	if !s.is(i, "extension") {
		s.add(h)
	}
	cont := s.join(h.cont, ".", s.src[s.tok(i+1).off:s.tok(last).end])
	return s.push(body, scope{kind: kind, cont: cont, name: i + 1, exported: h.exported})
}

// swiftFunc reads a function, initialiser or subscript named by token name.
func (s *Scanner) swiftFunc(i, name int) int {
	h := s.modified(i, swiftModifier)
	h.kind, h.name = KindFunction, name
	if k := s.scope().kind; k != scopeTop && k != scopeModule {
		h.kind = KindMethod
	}
	j := name + 1
	if !s.ident(name) { // an operator
		for j < s.limit && s.ch(j) != '(' && s.ch(j) != '<' && s.tok(j).kind == tokPunct && j < name+4 {
			j++
		}
		h.as = s.src[s.tok(name).off:s.tok(j-1).end]
	}
	open := s.findAngled(j, s.limit, '(', '{', ';', '=')
	if s.ch(open) != '(' {
		return i + 1
	}
	end := s.kotlinTail(s.past(open), true)
	h.to, h.end = end-1, s.lineOf(end-1)
	if s.ch(end) == '{' {
		h.end = s.lineOf(s.closing(end))
	}
	s.add(h)
	if s.ch(end) == '{' {
		return s.past(end)
	}
	return end
}

// swiftVars reads let and var, which may name several.
func (s *Scanner) swiftVars(i int) int {
	end := s.lineEnd(i, s.limit)
	h := s.modified(i, swiftModifier)
	h.kind = KindVariable
	switch k := s.scope().kind; {
	case k != scopeTop && k != scopeModule:
		h.kind = KindField
	case s.is(i, "let"):
		h.kind = KindConstant
	}
	for j := i + 1; s.ident(j) && j <= end; {
		next := s.findAngled(j, end+1, ',')
		to := min(s.findAngled(j, next, '{'), next)
		h.name, h.to, h.end = j, to-1, s.lineOf(min(next, end+1)-1)
		s.add(h)
		j = next + 1
	}
	return end + 1
}

func (s *Scanner) swiftAlias(i int) int {
	end := s.lineEnd(i, s.limit)
	if s.ident(i + 1) {
		h := s.modified(i, swiftModifier)
		h.kind, h.name, h.to, h.end = KindType, i+1, end, s.lineOf(end)
		s.add(h)
	}
	return end + 1
}

// swiftCases reads case a, b(Int), c = 1.
func (s *Scanner) swiftCases(i int) int {
	end := s.lineEnd(i, s.limit)
	h := s.modified(i, swiftModifier)
	h.kind = KindMember
	for j := i + 1; s.ident(j) && j <= end; {
		next := s.find(j, end+1, ',')
		h.name, h.to, h.end = j, next-1, s.lineOf(next-1)
		s.add(h)
		j = next + 1
	}
	return end + 1
}
