package symbols

// How many words may modify a declaration, and how many tokens of modifiers and type may precede a property's name.
const (
	maxPHPModifiers = 8
	maxPHPType      = 16
)

// phpScan reads PHP.
type phpScan struct{ *file }

func (s phpScan) scan() { s.walk(s.readItem) }

// readItem reads one token. Declarations start with keywords and may be inside conditions, so the walk enters blocks
// but skips function bodies.
func (s phpScan) readItem(i int) int {
	sc := s.scope()
	if sc.kind == scopeClass || sc.kind == scopeContract || sc.kind == scopeEnum {
		return s.readMember(i)
	}
	if !s.isIdent(i) || s.punct(i-1) == opScope || s.punct(i-1) == opThinArrow {
		return i + 1
	}
	switch lowerShort(s.text(i)) {
	case "namespace":
		return s.readNamespace(i)
	case "use":
		return s.find(i, s.limit, ';', '{', '(') + 1
	case "class", "interface", "trait", "enum":
		if s.isIdent(i+1) && s.punct(i-1) != '.' {
			return s.readClass(i)
		}
	case "new":
		if s.is(i+1, "class") {
			return s.readAnonymous(i + 1)
		}
	case "function":
		return s.readFunction(i, KindFunction)
	case "const":
		return s.readConst(i)
	case "define":
		return s.readDefine(i)
	}
	return i + 1
}

// findNameEnd returns the last token of the name a\b\c at i.
func (s phpScan) findNameEnd(i int) int {
	for s.isIdent(i) && s.isIdent(i+1) && s.token(i).end+1 == s.token(i+1).off && s.src[s.token(i).end] == '\\' {
		i++
	}
	return i
}

// readNamespace enters a namespace, which lasts until the next one if it has no braces.
func (s phpScan) readNamespace(i int) int {
	if s.punct(i+1) == '{' {
		return s.push(i+1, scope{kind: scopeModule, exported: true})
	}
	last := s.findNameEnd(i + 1)
	if !s.isIdent(i+1) || s.punct(last+1) != ';' && s.punct(last+1) != '{' {
		return i + 1
	}
	sc := scope{open: last + 1, kind: scopeModule, cont: s.put(clip(s.src[s.token(i+1).off:s.token(last).end], maxName)), name: last, exported: true}
	if s.punct(last+1) == '{' {
		return s.push(last+1, sc)
	}
	if sc.close = s.limit; len(s.scopes) > 1 && s.scope().kind == scopeModule && s.scope().close == s.limit {
		s.scopes = s.scopes[:len(s.scopes)-1] // the next namespace ends the last
	}
	s.enter(sc)
	return last + 2
}

// readHead reads the modifiers and attributes before the keyword at i.
func (s phpScan) readHead(i int) head {
	from, hidden := i, false
	for n := 0; n < maxPHPModifiers && s.isOneOf(from-1, "public", "private", "protected", "static", "final", "abstract", "readonly"); n++ {
		from--
		hidden = hidden || s.isOneOf(from, "private", "protected")
	}
	return head{doc: s.attributesBefore(from), from: from, cont: s.scope().cont, exported: s.scope().exported && !hidden}
}

// readClass reads a class, interface, trait or enum.
func (s phpScan) readClass(i int) int {
	h := s.readHead(i)
	h.kind, h.name = KindClass, i+1
	kind := scopeClass
	switch lowerShort(s.text(i)) {
	case "interface":
		h.kind, kind = KindInterface, scopeContract
	case "trait":
		h.kind = KindTrait
	case "enum":
		h.kind, kind = KindEnum, scopeEnum
	}
	body := s.find(i+2, s.limit, '{', ';')
	if s.punct(body) != '{' {
		return i + 1
	}
	h.to, h.end = body-1, s.lineOf(s.partner(body))
	s.add(h)
	return s.push(body, scope{kind: kind, cont: s.join(h.cont, `\`, s.text(i+1)), name: i + 1, exported: true})
}

// readAnonymous enters a class without a name.
func (s phpScan) readAnonymous(i int) int {
	body := s.find(i+1, s.limit, '{', ';')
	if s.punct(body) != '{' {
		return i + 1
	}
	return s.push(body, scope{kind: scopeClass, cont: s.scope().cont, name: -1})
}

// readFunction reads a named function or method and skips its body.
func (s phpScan) readFunction(i int, kind Kind) int {
	name := i + 1
	if s.punct(name) == '&' {
		name++
	}
	if !s.isIdent(name) || s.punct(name+1) != '(' {
		return i + 1
	}
	h := s.readHead(i)
	end := s.find(s.skip(name+1), s.limit, '{', ';')
	h.kind, h.name, h.to, h.end = kind, name, end-1, s.lineOf(end)
	if s.punct(end) == '{' {
		h.end = s.lineOf(s.partner(end))
	}
	s.add(h)
	if string(s.text(name)) == "__construct" {
		s.readPromoted(name + 1)
	}
	return s.skip(end)
}

// readPromoted reads the constructor parameters that are properties as well.
func (s phpScan) readPromoted(open int) {
	end := s.partner(open)
	for i := open + 1; i < end; {
		next := s.find(i, end, ',')
		for j := i; j < next; j++ {
			if t := s.text(j); s.isOneOf(i, "public", "private", "protected", "readonly") && t[0] == '$' {
				s.addProperty(i, i, j, next)
				break
			}
		}
		i = next + 1
	}
}

// readMember reads one member of a class.
func (s phpScan) readMember(i int) int {
	j := s.skipAttributes(i)
	for s.isOneOf(j, "public", "private", "protected", "static", "final", "abstract", "readonly", "var") {
		j++
	}
	switch lowerShort(s.text(j)) {
	case "function":
		return s.readFunction(j, KindMethod)
	case "const":
		return s.readConst(j)
	case "case":
		return s.readCase(j)
	case "use":
		return s.skip(s.find(j, s.limit, ';', '{'))
	}
	if s.punct(j) == '{' || s.punct(j) == ';' {
		return s.skip(j)
	}
	end := s.find(j, s.limit, ';', '{')
	for k := j; k < end && k < j+maxPHPType; k++ {
		if t := s.text(k); t[0] == '$' && j > i {
			s.addProperty(i, s.skipAttributes(i), k, end)
			break
		}
	}
	return s.skip(end)
}

// addProperty adds the property at token name, without its dollar sign.
func (s phpScan) addProperty(doc, from, name, end int) {
	sc := s.scope()
	h := head{kind: KindField, name: name, doc: doc, from: from, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont}
	h.exported = sc.exported && !s.isOneOf(from, "private", "protected")
	if h.as = s.text(name)[1:]; len(h.as) > 0 {
		s.add(h)
	}
}

// readConst reads const [T] A = 1, B = 2;
func (s phpScan) readConst(i int) int {
	h := s.readHead(i)
	h.kind = KindConstant
	stop := s.find(i+1, s.limit, ';')
	for j := i + 1; j < stop; {
		eq := s.find(j, stop, '=', ',')
		if s.punct(eq) != '=' {
			break
		}
		next := s.find(eq, stop, ',')
		if s.isIdent(eq - 1) {
			h.name, h.to, h.end = eq-1, next-1, s.lastLine(next-1)
			s.add(h)
		}
		j = next + 1
	}
	return stop + 1
}

// readCase reads one case of an enum.
func (s phpScan) readCase(i int) int {
	sc := s.scope()
	stop := s.find(i, s.limit, ';')
	if s.isIdent(i+1) && sc.kind == scopeEnum {
		s.add(head{kind: KindMember, name: i + 1, doc: s.attributesBefore(i), from: i, to: stop - 1, end: s.lineOf(stop - 1), cont: sc.cont, exported: true})
	}
	return stop + 1
}

// readDefine reads define('NAME', value).
func (s phpScan) readDefine(i int) int {
	if s.punct(i+1) == '(' && s.isString(i+2) && s.punct(i+3) == ',' {
		end := s.partner(i + 1)
		s.add(head{kind: KindConstant, name: i + 2, as: s.unquoted(i + 2), doc: i, from: i, to: end, end: s.lineOf(end), exported: true})
	}
	return i + 1
}
