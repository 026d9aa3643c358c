package symbols

// scanScala walks a file whose blocks have braces or, in Scala 3, are told by
// indentation alone.
func (s *Scanner) scanScala() { s.walk(s.scalaItem) }

func (s *Scanner) scalaItem(i int) int {
	if !s.ident(i) || s.ch(i-1) == '.' {
		return s.past(i)
	}
	switch string(s.text(i)) {
	case "class", "trait", "object", "enum":
		if s.ident(i + 1) {
			return s.scalaType(i)
		}
	case "def":
		return s.scalaMember(i, KindFunction)
	case "val", "var":
		return s.scalaMember(i, KindVariable)
	case "given":
		if s.ident(i+1) && s.ch(i+2) == ':' {
			return s.scalaMember(i, KindVariable)
		}
	case "type":
		return s.scalaMember(i, KindType)
	case "case":
		if s.scope().kind == scopeEnum && !s.oneOf(i+1, "class", "object") {
			return s.scalaCase(i)
		}
	case "import", "package":
		if !s.is(i+1, "object") {
			return s.lineEnd(i, s.limit) + 1
		}
	}
	return i + 1
}

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

// scalaHead is the head of a definition; private[pkg] counts as private.
func (s *Scanner) scalaHead(i int) head {
	if s.ch(i-1) == ']' {
		if open := int(s.match[i-1]); s.oneOf(open-1, "private", "protected") {
			h := s.modified(open-1, scalaModifier)
			h.exported = false
			return h
		}
	}
	return s.modified(i, scalaModifier)
}

// indented is the last token of the block that belongs to the line of token
// i: all that follows and is indented deeper, and closing brackets.
func (s *Scanner) indented(i int) int {
	first := i
	for n := 0; first > 0 && !s.nl(first) && n < 64; n++ {
		first--
	}
	col := indentOf(s.src, s.tok(first).off)
	j := s.past(i)
	for j < s.limit && s.spend() && !s.closer(j) {
		if s.nl(j) && indentOf(s.src, s.tok(j).off) <= col {
			break
		}
		j = s.past(j)
	}
	return min(j, s.limit) - 1
}

func (s *Scanner) scalaType(i int) int {
	h := s.scalaHead(i)
	h.name, h.kind = i+1, KindClass
	kind := scopeClass
	switch string(s.text(i)) {
	case "trait":
		h.kind = KindTrait
	case "enum":
		h.kind, kind = KindEnum, scopeEnum
	}
	last := s.indented(i)
	body := s.find(i+2, last+1, '{')
	if body > last && s.ch(s.past(i)) != '{' {
		body = s.find(i+2, min(last+2, s.limit), '{') // a brace on the next line
	}
	inner := scope{kind: kind, cont: s.join(h.cont, ".", s.text(i+1)), name: i + 1, exported: h.exported}
	h.to, h.end = last, s.lineOf(last)
	if s.ch(body) == '{' {
		h.to, h.end = body-1, s.lineOf(s.closing(body))
		s.add(h)
		s.scalaParams(h, inner, i+2)
		return s.push(body, inner)
	}
	next := s.scalaColon(i+2, last)
	if next > 0 {
		h.to = next - 1
	}
	s.add(h)
	s.scalaParams(h, inner, i+2)
	if next == 0 {
		return last + 1
	}
	inner.open, inner.close = next, last+1
	s.scopes = append(s.scopes, inner)
	return next + 1
}

// scalaColon is the colon that ends a line and opens an indented block.
func (s *Scanner) scalaColon(j, last int) int {
	for ; j <= last; j = s.past(j) {
		if s.ch(j) == ':' && s.nl(j+1) {
			return j
		}
	}
	return 0
}

// scalaParams reads the parameters of a case class, which are its fields.
func (s *Scanner) scalaParams(h head, inner scope, j int) {
	if s.ch(j) == '[' {
		j = s.past(j)
	}
	if s.ch(j) != '(' || !s.is(h.from, "case") && !s.is(inner.name-2, "case") {
		return
	}
	end := s.closing(j)
	for from := j + 1; from < end; {
		next := s.find(from, end, ',')
		name := from
		for s.oneOf(name, "val", "var", "override", "final") {
			name++
		}
		if s.ident(name) && s.ch(name+1) == ':' {
			s.add(head{kind: KindField, name: name, doc: from, from: from, to: next - 1, end: s.lineOf(next - 1), cont: inner.cont, exported: inner.exported})
		}
		from = max(next, from) + 1
	}
}

// scalaMember reads def, val, var, given and type; what they hold is passed
// over whole.
func (s *Scanner) scalaMember(i int, kind Kind) int {
	last := s.indented(i)
	name := i + 1
	if !s.ident(name) && s.ch(name) == 0 || s.nl(name) {
		return i + 1
	}
	h := s.scalaHead(i)
	h.kind, h.name = kind, name
	if !s.ident(name) {
		if s.ch(name) == '(' || kind != KindFunction {
			return last + 1
		}
		end := name
		for s.tok(end+1).kind == tokPunct && s.tok(end+1).off == s.tok(end).end && s.ch(end+1) != '(' && s.ch(end+1) != '[' && s.ch(end+1) != ':' {
			end++
		}
		h.as = s.src[s.tok(name).off:s.tok(end).end]
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

// scalaCase reads the cases of a Scala 3 enum.
func (s *Scanner) scalaCase(i int) int {
	last := s.indented(i)
	sc := s.scope()
	for j := i + 1; s.ident(j) && j <= last; {
		next := s.find(j, last+1, ',')
		s.add(head{kind: KindMember, name: j, doc: i, from: i, to: next - 1, end: s.lineOf(next - 1), cont: sc.cont, exported: sc.exported})
		j = next + 1
	}
	return last + 1
}
