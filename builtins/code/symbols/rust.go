package symbols

// rustItem looks at one token anywhere in a Rust file. Items may stand in any
// body and in the arguments of macros, so the walk goes through everything;
// each item starts with a keyword.
func (s *Scanner) rustItem(i int) int {
	if c := s.ch(i); c == '{' || s.tok(i).kind == tokHole {
		return s.rustBrace(i)
	}
	if !s.ident(i) || s.ch(i-1) == '.' {
		return i + 1
	}
	named := s.ident(i+1) && s.text(i + 1)[0] != '$'
	switch string(s.text(i)) {
	case "fn":
		if named {
			return s.rustFn(i)
		}
	case "struct", "union", "enum", "trait":
		if named {
			return s.rustType(i)
		}
	case "type":
		if named {
			return s.rustAlias(i)
		}
	case "const", "static":
		return s.rustConst(i)
	case "mod":
		if named && s.ch(i+2) == '{' {
			return s.rustMod(i)
		}
	case "impl":
		return s.rustImpl(i)
	case "macro_rules":
		if s.ch(i+1) == '!' && s.ident(i+2) {
			return s.rustMacro(i, i+2)
		}
	case "macro":
		if named && (s.ch(i+2) == '(' || s.ch(i+2) == '{') {
			return s.rustMacro(i, i+1)
		}
	}
	return i + 1
}

// rustBrace enters the body noted for the brace at i. Any other brace is
// walked through without a scope.
func (s *Scanner) rustBrace(i int) int {
	if sc, ok := s.bodies[int32(i)]; ok {
		return s.push(i, sc)
	}
	return i + 1
}

// rustHead goes back from the keyword at i over qualifiers and attributes.
func (s *Scanner) rustHead(kind Kind, i int) head {
	from, pub := i, false
back:
	for n := 0; n < 12; n++ {
		j := from - 1
		switch {
		case s.is(j, "pub"):
			pub = s.ch(j+1) != '('
			from = j
		case s.ch(j) == ')' && s.is(int(s.match[j])-1, "pub"):
			from = int(s.match[j]) - 1
		case s.oneOf(j, "async", "unsafe", "extern", "const", "default", "auto", "safe"), s.isString(j) && s.is(j-1, "extern"):
			from = j
		default:
			break back
		}
	}
	sc := s.scope()
	return head{kind: kind, name: i + 1, doc: s.attributesBefore(from), from: from, cont: sc.cont, exported: sc.exported && (pub || sc.kind == scopeContract)}
}

// attributesBefore goes back over #[…] before token i.
func (s *Scanner) attributesBefore(i int) int {
	for n := 0; n < 64 && s.ch(i-1) == ']'; n++ {
		open := int(s.match[i-1])
		if open < 1 || s.ch(open-1) != '#' {
			break
		}
		i = open - 1
	}
	return i
}

func (s *Scanner) rustFn(i int) int {
	h := s.rustHead(KindFunction, i)
	sc := s.scope()
	if sc.kind == scopeClass || sc.kind == scopeContract {
		h.kind = KindMethod
	}
	end := s.find(i+2, s.limit, '{', ';')
	if s.ch(end) != '{' && s.ch(end) != ';' {
		return i + 2
	}
	h.to, h.end = end-1, s.lineOf(end)
	if s.ch(end) == '{' {
		h.end = s.lineOf(s.closing(end))
		s.body(end, scope{kind: scopeFunc, cont: s.join(h.cont, "::", s.text(i+1)), name: i + 1})
	}
	s.add(h)
	return i + 2
}

func (s *Scanner) rustType(i int) int {
	end := s.findAngled(i+2, s.limit, '{', ';', '(', '=')
	c := s.ch(end)
	if c != '{' && c != ';' && c != '(' || s.is(i, "union") && c != '{' {
		return i + 1
	}
	h := s.rustHead(KindStruct, i)
	kind, member := scopeBlock, s.rustField
	switch string(s.text(i)) {
	case "enum":
		h.kind, member = KindEnum, s.rustVariant
	case "trait":
		h.kind, kind = KindTrait, scopeContract
	}
	h.to, h.end = end-1, s.lineOf(end)
	if c == '(' { // a tuple struct, its where clause behind the tuple
		h.to = s.find(s.past(end), s.limit, ';') - 1
		h.end = s.lineOf(h.to + 1)
	}
	if c == '{' {
		h.end = s.lineOf(s.closing(end))
	}
	s.add(h)
	if c != '{' {
		return i + 2
	}
	inner := scope{kind: kind, cont: s.join(h.cont, "::", s.text(i+1)), name: i + 1, exported: h.exported}
	if kind == scopeContract {
		return s.push(end, inner)
	}
	s.rustMembers(inner, end, member)
	return s.past(end)
}

// rustMembers runs member over the parts of a struct or enum body that commas
// separate.
func (s *Scanner) rustMembers(sc scope, open int, member func(sc scope, i, end int)) {
	end := s.closing(open)
	for i := open + 1; i < end; {
		next := s.findAngled(i, end, ',')
		member(sc, i, next)
		i = max(next, i) + 1
	}
}

// pastAttributes is the token behind the attributes #[…] that start at i.
func (s *Scanner) pastAttributes(i int) int {
	for s.ch(i) == '#' && s.ch(i+1) == '[' {
		i = s.past(i + 1)
	}
	return i
}

// rustField reads "pub name: T".
func (s *Scanner) rustField(sc scope, i, end int) {
	from := s.pastAttributes(i)
	j, pub := from, s.is(from, "pub")
	if pub {
		if j++; s.ch(j) == '(' {
			j, pub = s.past(j), false
		}
	}
	if s.ident(j) && s.ch(j+1) == ':' && j < end {
		s.add(head{kind: KindField, name: j, doc: i, from: from, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported && pub})
	}
}

// rustVariant reads "Name", "Name(T)" and "Name { … }".
func (s *Scanner) rustVariant(sc scope, i, end int) {
	j := s.pastAttributes(i)
	if s.ident(j) && j < end && s.ch(j+1) != '!' {
		s.add(head{kind: KindMember, name: j, doc: i, from: j, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported})
	}
}

func (s *Scanner) rustAlias(i int) int {
	end := s.findAngled(i+2, s.limit, ';', '{')
	if s.ch(end) != ';' || s.scope().kind == scopeFunc {
		return i + 1
	}
	h := s.rustHead(KindType, i)
	h.to, h.end = end-1, s.lineOf(end)
	s.add(h)
	return end + 1
}

// rustConst reads const NAME: T and static mut NAME: T. Raw pointers, const
// functions and const parameters have another look; those in functions are
// local.
func (s *Scanner) rustConst(i int) int {
	name := i + 1
	if s.is(name, "mut") || s.is(name, "ref") {
		name++
	}
	switch s.ch(i - 1) {
	case '*', '<', ',', '&', '|':
		return i + 1
	}
	if !s.ident(name) || s.ch(name+1) != ':' || s.is(name, "_") || s.scope().kind == scopeFunc {
		return i + 1
	}
	h := s.rustHead(KindConstant, i)
	h.name = name
	if s.is(i, "static") {
		h.kind = KindVariable
	}
	end := s.find(name, s.limit, ';')
	h.to, h.end = end-1, s.lineOf(end)
	s.add(h)
	return name + 1
}

func (s *Scanner) rustMod(i int) int {
	h := s.rustHead(KindModule, i)
	h.to, h.end = i+1, s.lineOf(s.closing(i+2))
	s.add(h)
	return s.push(i+2, scope{kind: scopeModule, cont: s.join(h.cont, "::", s.text(i+1)), name: i + 1, exported: s.scope().exported})
}

// rustMacro adds a macro and passes over its rules, in which names are
// placeholders.
func (s *Scanner) rustMacro(i, name int) int {
	h := s.rustHead(KindMacro, i)
	h.name, h.to, h.exported = name, name, h.exported || s.rustExportedMacro(h.doc, i)
	body := name + 1
	for s.ch(body) == '(' && s.ch(s.past(body)) == '{' {
		body = s.past(body)
	}
	next := s.past(body)
	h.end = s.lineOf(next - 1)
	s.add(h)
	return next
}

// rustExportedMacro looks for #[macro_export] among the attributes.
func (s *Scanner) rustExportedMacro(i, end int) bool {
	for ; i < end; i++ {
		if s.is(i, "macro_export") {
			return true
		}
	}
	return false
}

// rustImpl enters an impl block: its container is the type, for "impl Trait
// for Type" the one behind for.
func (s *Scanner) rustImpl(i int) int {
	end := s.findAngled(i+1, s.limit, '{', ';', '=')
	if _, taken := s.bodies[int32(end)]; taken || s.ch(end) != '{' {
		return i + 1 // impl Trait in a signature
	}
	name, trait := -1, false
	j := i + 1
	if s.ch(j) == '<' {
		j = max(s.pastAngle(j), j+1)
	}
loop:
	for j < end {
		switch {
		case s.ch(j) == '<':
			j = max(s.pastAngle(j), j+1)
			continue
		case s.is(j, "for") && s.ch(j+1) != '<':
			name, trait = -1, true
		case s.is(j, "where"):
			break loop
		case s.ident(j) && !s.oneOf(j, "dyn", "mut", "const"):
			name = j
		}
		j++
	}
	sc := scope{kind: scopeClass, cont: s.scope().cont, name: name, exported: s.scope().exported}
	if trait { // what a trait demands is as visible as the trait
		sc.kind = scopeContract
	}
	if name > 0 {
		sc.cont = s.join(sc.cont, "::", s.text(name))
	}
	return s.push(end, sc)
}
