package symbols

// scalaScan reads Scala, whose blocks have braces or, in Scala 3, only indentation.
type scalaScan struct{ members }

func (s scalaScan) scan() { s.walk(s.readItem) }

// readItem reads one token of a file or type body.
func (s scalaScan) readItem(i int) int {
	if !s.isIdent(i) || s.punct(i-1) == '.' {
		return s.skip(i)
	}
	switch string(s.text(i)) {
	case "class", "trait", "object", "enum":
		if s.isIdent(i + 1) {
			return s.readType(i)
		}
	case "def":
		return s.readMember(i, KindFunction)
	case "val", "var":
		return s.readMember(i, KindVariable)
	case "given":
		if s.isIdent(i+1) && s.punct(i+2) == ':' {
			return s.readMember(i, KindVariable)
		}
	case "type":
		return s.readMember(i, KindType)
	case "case":
		if s.scope().kind == scopeEnum && !s.isOneOf(i+1, "class", "object") {
			return s.readCase(i)
		}
	case "import", "package":
		if !s.is(i+1, "object") {
			return s.findStatementEnd(i, s.limit) + 1
		}
	}
	return i + 1
}

// scalaModifier reports whether a word modifies a declaration, and whether it hides it.
func scalaModifier(word string) (ok, hides bool) {
	switch word {
	case "private":
		return true, true
	case "protected", "final", "sealed", "abstract", "implicit", "lazy", "override", "case", "inline", "opaque",
		"transparent", "open", "infix", "package":
		return true, false
	}
	return false, false
}

// readHead reads the modifiers before a definition; private[pkg] counts as private.
func (s scalaScan) readHead(i int) head {
	if s.punct(i-1) == ']' {
		if open := s.partner(i - 1); s.isOneOf(open-1, "private", "protected") {
			h := s.readModified(open-1, scalaModifier)
			h.exported = false
			return h
		}
	}
	return s.readModified(i, scalaModifier)
}

// findBlockEnd returns the last token of the block that belongs to the line of token i: all following lines that are
// indented deeper, and closing brackets.
func (s scalaScan) findBlockEnd(i int) int {
	col := indentOf(s.src, s.token(s.lineStart(i)).off)
	j := s.skip(i)
	for j < s.limit && s.spend() && !s.isCloser(j) {
		if s.startsLine(j) && indentOf(s.src, s.token(j).off) <= col {
			break
		}
		j = s.skip(j)
	}
	return min(j, s.limit) - 1
}

// readType reads a class, trait, object or enum.
func (s scalaScan) readType(i int) int {
	h := s.readHead(i)
	h.name, h.kind = i+1, KindClass
	kind := scopeClass
	switch string(s.text(i)) {
	case "trait":
		h.kind = KindTrait
	case "enum":
		h.kind, kind = KindEnum, scopeEnum
	}
	last := s.findBlockEnd(i)
	body := s.find(i+2, last+1, '{')
	if body > last && s.punct(s.skip(i)) != '{' {
		body = s.find(i+2, min(last+2, s.limit), '{') // a brace on the next line
	}
	inner := scope{kind: kind, cont: s.join(h.cont, ".", s.text(i+1)), name: i + 1, exported: h.exported}
	h.to, h.end = last, s.lineOf(last)
	if s.punct(body) == '{' {
		h.to, h.end = body-1, s.lineOf(s.partner(body))
		s.add(h)
		s.readParams(h, inner, i+2)
		return s.push(body, inner)
	}
	next := s.findColon(i+2, last)
	if next > 0 {
		h.to = next - 1
	}
	s.add(h)
	s.readParams(h, inner, i+2)
	if next == 0 {
		return last + 1
	}
	inner.open, inner.close = next, last+1
	s.enter(inner)
	return next + 1
}

// findColon returns the colon at the end of a line that opens an indented block, or 0.
func (s scalaScan) findColon(j, last int) int {
	for ; j <= last; j = s.skip(j) {
		if s.punct(j) == ':' && s.startsLine(j+1) {
			return j
		}
	}
	return 0
}

// readParams reads the parameters of a case class, which are its fields.
func (s scalaScan) readParams(h head, inner scope, j int) {
	if s.punct(j) == '[' {
		j = s.skip(j)
	}
	if s.punct(j) != '(' || !s.is(h.from, "case") && !s.is(inner.name-2, "case") {
		return
	}
	end := s.partner(j)
	for from := j + 1; from < end; {
		next := s.find(from, end, ',')
		name := from
		for s.isOneOf(name, "val", "var", "override", "final") {
			name++
		}
		if s.isIdent(name) && s.punct(name+1) == ':' {
			s.add(head{kind: KindField, name: name, doc: from, from: from, to: next - 1, end: s.lineOf(next - 1), cont: inner.cont, exported: inner.exported})
		}
		from = max(next, from) + 1
	}
}

// readMember reads def, val, var, given and type, and skips their contents as a whole.
func (s scalaScan) readMember(i int, kind Kind) int {
	last := s.findBlockEnd(i)
	name := i + 1
	if !s.isIdent(name) && s.punct(name) == 0 || s.startsLine(name) {
		return i + 1
	}
	h := s.readHead(i)
	h.kind, h.name = kind, name
	if !s.isIdent(name) {
		if s.punct(name) == '(' || kind != KindFunction {
			return last + 1
		}
		end := name
		for s.token(end+1).kind == tokPunct && s.token(end+1).off == s.token(end).end && s.punct(end+1) != '(' && s.punct(end+1) != '[' && s.punct(end+1) != ':' {
			end++
		}
		h.as = s.src[s.token(name).off:s.token(end).end]
	}
	class := s.scope().kind == scopeClass || s.scope().kind == scopeEnum
	switch {
	case kind == KindFunction && class:
		h.kind = KindMethod
	case kind == KindVariable && class:
		h.kind = KindField
	case kind == KindVariable && !s.is(i, "var"):
		h.kind = KindConstant
	}
	h.to, h.end = last, s.lineOf(last)
	if eq := s.find(name+1, last+1, '=', '{'); eq <= last && kind == KindFunction {
		h.to = eq - 1
	}
	s.add(h)
	return last + 1
}

// readCase reads the cases of a Scala 3 enum.
func (s scalaScan) readCase(i int) int {
	last := s.findBlockEnd(i)
	sc := s.scope()
	for j := i + 1; s.isIdent(j) && j <= last; {
		next := s.find(j, last+1, ',')
		s.add(head{kind: KindMember, name: j, doc: i, from: i, to: next - 1, end: s.lineOf(next - 1), cont: sc.cont, exported: sc.exported})
		j = next + 1
	}
	return last + 1
}
