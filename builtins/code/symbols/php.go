package symbols

// phpItem looks at one token. Declarations start with keywords and may stand
// under conditions, so blocks are walked through and function bodies skipped.
func (s *Scanner) phpItem(i int) int {
	sc := s.scope()
	if sc.kind == scopeClass || sc.kind == scopeContract || sc.kind == scopeEnum {
		return s.phpMember(i)
	}
	if !s.ident(i) || s.ch(i-1) == opScope || s.ch(i-1) == opThinArrow {
		return i + 1
	}
	switch lowered(s.text(i)) {
	case "namespace":
		return s.phpNamespace(i)
	case "use":
		return s.find(i, s.limit, ';', '{', '(') + 1
	case "class", "interface", "trait", "enum":
		if s.ident(i+1) && s.ch(i-1) != '.' {
			return s.phpClass(i)
		}
	case "new":
		if s.is(i+1, "class") {
			return s.phpAnonymous(i + 1)
		}
	case "function":
		return s.phpFunction(i, KindFunction)
	case "const":
		return s.phpConst(i)
	case "define":
		return s.phpDefine(i)
	}
	return i + 1
}

// lowered is a short word in lower case; PHP's and SQL's keywords ignore case.
func lowered(word []byte) string {
	if len(word) > 12 {
		return ""
	}
	var b [12]byte
	for i, c := range word {
		if isUpper(c) {
			c |= 0x20
		}
		b[i] = c
	}
	return string(b[:len(word)])
}

// phpName is the token that ends the name a\b\c at i.
func (s *Scanner) phpName(i int) int {
	for s.ident(i) && s.ident(i+1) && s.tok(i).end+1 == s.tok(i+1).off && s.src[s.tok(i).end] == '\\' {
		i++
	}
	return i
}

func (s *Scanner) phpNamespace(i int) int {
	if s.ch(i+1) == '{' {
		return s.push(i+1, scope{kind: scopeModule, exported: true})
	}
	last := s.phpName(i + 1)
	if !s.ident(i+1) || s.ch(last+1) != ';' && s.ch(last+1) != '{' {
		return i + 1
	}
	sc := scope{open: last + 1, kind: scopeModule, cont: s.put(clipped(s.src[s.tok(i+1).off:s.tok(last).end], maxName)), name: last, exported: true}
	if s.ch(last+1) == '{' {
		return s.push(last+1, sc)
	}
	if sc.close = s.limit; len(s.scopes) > 1 && s.scope().kind == scopeModule && s.scope().close == s.limit {
		s.scopes = s.scopes[:len(s.scopes)-1] // the next namespace ends the last
	}
	s.scopes = append(s.scopes, sc)
	return last + 2
}

// phpHead goes back over modifiers and attributes before the keyword at i.
func (s *Scanner) phpHead(i int) head {
	from, hidden := i, false
	for n := 0; n < 8 && s.oneOf(from-1, "public", "private", "protected", "static", "final", "abstract", "readonly"); n++ {
		from--
		hidden = hidden || s.oneOf(from, "private", "protected")
	}
	return head{doc: s.attributesBefore(from), from: from, cont: s.scope().cont, exported: s.scope().exported && !hidden}
}

func (s *Scanner) phpClass(i int) int {
	h := s.phpHead(i)
	h.kind, h.name = KindClass, i+1
	kind := scopeClass
	switch lowered(s.text(i)) {
	case "interface":
		h.kind, kind = KindInterface, scopeContract
	case "trait":
		h.kind = KindTrait
	case "enum":
		h.kind, kind = KindEnum, scopeEnum
	}
	body := s.find(i+2, s.limit, '{', ';')
	if s.ch(body) != '{' {
		return i + 1
	}
	h.to, h.end = body-1, s.lineOf(s.closing(body))
	s.add(h)
	return s.push(body, scope{kind: kind, cont: s.join(h.cont, `\`, s.text(i+1)), name: i + 1, exported: true})
}

func (s *Scanner) phpAnonymous(i int) int {
	body := s.find(i+1, s.limit, '{', ';')
	if s.ch(body) != '{' {
		return i + 1
	}
	return s.push(body, scope{kind: scopeClass, cont: s.scope().cont, name: -1})
}

// phpFunction reads a function or method with a name and passes over its body.
func (s *Scanner) phpFunction(i int, kind Kind) int {
	name := i + 1
	if s.ch(name) == '&' {
		name++
	}
	if !s.ident(name) || s.ch(name+1) != '(' {
		return i + 1
	}
	h := s.phpHead(i)
	end := s.find(s.past(name+1), s.limit, '{', ';')
	h.kind, h.name, h.to, h.end = kind, name, end-1, s.lineOf(end)
	if s.ch(end) == '{' {
		h.end = s.lineOf(s.closing(end))
	}
	s.add(h)
	if string(s.text(name)) == "__construct" {
		s.phpPromoted(name + 1)
	}
	return s.past(end)
}

// phpPromoted reads the constructor parameters that are properties as well.
func (s *Scanner) phpPromoted(open int) {
	end := s.closing(open)
	for i := open + 1; i < end; {
		next := s.find(i, end, ',')
		for j := i; j < next; j++ {
			if t := s.text(j); s.oneOf(i, "public", "private", "protected", "readonly") && t[0] == '$' {
				s.phpProperty(i, i, j, next)
				break
			}
		}
		i = next + 1
	}
}

// phpMember reads one member of a class.
func (s *Scanner) phpMember(i int) int {
	j := s.pastAttributes(i)
	for s.oneOf(j, "public", "private", "protected", "static", "final", "abstract", "readonly", "var") {
		j++
	}
	switch lowered(s.text(j)) {
	case "function":
		return s.phpFunction(j, KindMethod)
	case "const":
		return s.phpConst(j)
	case "case":
		return s.phpCase(j)
	case "use":
		return s.past(s.find(j, s.limit, ';', '{'))
	}
	if s.ch(j) == '{' || s.ch(j) == ';' {
		return s.past(j)
	}
	end := s.find(j, s.limit, ';', '{')
	for k := j; k < end && k < j+16; k++ {
		if t := s.text(k); t[0] == '$' && j > i {
			s.phpProperty(i, s.pastAttributes(i), k, end)
			break
		}
	}
	return s.past(end)
}

// phpProperty adds the property named by token name, its dollar sign dropped.
func (s *Scanner) phpProperty(doc, from, name, end int) {
	sc := s.scope()
	h := head{kind: KindField, name: name, doc: doc, from: from, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont}
	h.exported = sc.exported && !s.oneOf(from, "private", "protected")
	if h.as = s.text(name)[1:]; len(h.as) > 0 {
		s.add(h)
	}
}

// phpConst reads const [T] A = 1, B = 2;
func (s *Scanner) phpConst(i int) int {
	h := s.phpHead(i)
	h.kind = KindConstant
	stop := s.find(i+1, s.limit, ';')
	for j := i + 1; j < stop; {
		eq := s.find(j, stop, '=', ',')
		if s.ch(eq) != '=' {
			break
		}
		next := s.find(eq, stop, ',')
		if s.ident(eq - 1) {
			h.name, h.to, h.end = eq-1, next-1, s.lastLine(next-1)
			s.add(h)
		}
		j = next + 1
	}
	return stop + 1
}

// phpCase reads a case of an enum.
func (s *Scanner) phpCase(i int) int {
	sc := s.scope()
	stop := s.find(i, s.limit, ';')
	if s.ident(i+1) && sc.kind == scopeEnum {
		s.add(head{kind: KindMember, name: i + 1, doc: s.attributesBefore(i), from: i, to: stop - 1, end: s.lineOf(stop - 1), cont: sc.cont, exported: true})
	}
	return stop + 1
}

// phpDefine reads define('NAME', value).
func (s *Scanner) phpDefine(i int) int {
	if s.ch(i+1) == '(' && s.isString(i+2) && s.ch(i+3) == ',' {
		end := s.closing(i + 1)
		s.add(head{kind: KindConstant, name: i + 2, as: s.nameText(i + 2), doc: i, from: i, to: end, end: s.lineOf(end), exported: true})
	}
	return i + 1
}
