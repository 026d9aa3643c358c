package symbols

// maxRustQualifiers limits the words before an item's keyword.
const maxRustQualifiers = 12

// rustScan reads Rust.
type rustScan struct{ *file }

func (s rustScan) scan() { s.walk(s.readItem) }

// anchors reports whether a word that starts a declaration is at i, in the first column.
func (s rustScan) anchors(i int) bool {
	return s.inFirstColumn(i) && s.isOneOf(i, "pub", "fn", "impl", "struct", "enum", "trait", "mod", "use")
}

// readItem reads one token anywhere in a Rust file. Items may be in any body and in macro arguments, so the walk enters
// everything; each item starts with a keyword.
func (s rustScan) readItem(i int) int {
	if c := s.punct(i); c == '{' || s.token(i).kind == tokHole {
		return s.enterBrace(i)
	}
	if !s.isIdent(i) || s.punct(i-1) == '.' {
		return i + 1
	}
	named := s.isIdent(i+1) && s.text(i + 1)[0] != '$'
	switch string(s.text(i)) {
	case "fn":
		if named {
			return s.readFn(i)
		}
	case "struct", "union", "enum", "trait":
		if named {
			return s.readType(i)
		}
	case "type":
		if named {
			return s.readAlias(i)
		}
	case "const", "static":
		return s.readConst(i)
	case "mod":
		if named && s.punct(i+2) == '{' {
			return s.readMod(i)
		}
	case "impl":
		return s.readImpl(i)
	case "macro_rules":
		if s.punct(i+1) == '!' && s.isIdent(i+2) {
			return s.readMacro(i, i+2)
		}
	case "macro":
		if named && (s.punct(i+2) == '(' || s.punct(i+2) == '{') {
			return s.readMacro(i, i+1)
		}
	}
	return i + 1
}

// enterBrace enters the body recorded for the brace at i. Any other brace is entered without a scope.
func (s rustScan) enterBrace(i int) int {
	if sc, ok := s.bodies[int32(i)]; ok {
		return s.push(i, sc)
	}
	return i + 1
}

// readHead reads the qualifiers and attributes before the keyword at i.
func (s rustScan) readHead(kind Kind, i int) head {
	from, pub := i, false
back:
	for n := 0; n < maxRustQualifiers; n++ {
		j := from - 1
		switch {
		case s.is(j, "pub"):
			pub = s.punct(j+1) != '('
			from = j
		case s.punct(j) == ')' && s.is(s.partner(j)-1, "pub"):
			from = s.partner(j) - 1
		case s.isOneOf(j, "async", "unsafe", "extern", "const", "default", "auto", "safe"), s.isString(j) && s.is(j-1, "extern"):
			from = j
		default:
			break back
		}
	}
	sc := s.scope()
	return head{kind: kind, name: i + 1, doc: s.attributesBefore(from), from: from, cont: sc.cont, exported: sc.exported && (pub || sc.kind == scopeContract)}
}

// readFn reads a function.
func (s rustScan) readFn(i int) int {
	h := s.readHead(KindFunction, i)
	sc := s.scope()
	if sc.kind == scopeClass || sc.kind == scopeContract {
		h.kind = KindMethod
	}
	end := s.find(i+2, s.limit, '{', ';')
	if s.punct(end) != '{' && s.punct(end) != ';' {
		return i + 2
	}
	h.to, h.end = end-1, s.lineOf(end)
	if s.punct(end) == '{' {
		h.end = s.lineOf(s.partner(end))
		s.noteBody(end, scope{kind: scopeFunc, cont: s.join(h.cont, "::", s.text(i+1)), name: i + 1})
	}
	s.add(h)
	return i + 2
}

// readType reads a struct, union, enum or trait.
func (s rustScan) readType(i int) int {
	end := s.findAngled(i+2, s.limit, '{', ';', '(', '=')
	c := s.punct(end)
	if c != '{' && c != ';' && c != '(' || s.is(i, "union") && c != '{' {
		return i + 1
	}
	h := s.readHead(KindStruct, i)
	kind, member := scopeBlock, s.readField
	switch string(s.text(i)) {
	case "enum":
		h.kind, member = KindEnum, s.readVariant
	case "trait":
		h.kind, kind = KindTrait, scopeContract
	}
	h.to, h.end = end-1, s.lineOf(end)
	if c == '(' { // a tuple struct, with its where clause after the tuple
		h.to = s.find(s.skip(end), s.limit, ';') - 1
		h.end = s.lineOf(h.to + 1)
	}
	if c == '{' {
		h.end = s.lineOf(s.partner(end))
	}
	s.add(h)
	if c != '{' {
		return i + 2
	}
	inner := scope{kind: kind, cont: s.join(h.cont, "::", s.text(i+1)), name: i + 1, exported: h.exported}
	if kind == scopeContract {
		return s.push(end, inner)
	}
	s.readMembers(inner, end, member)
	return s.skip(end)
}

// readMembers runs member on each part of a struct or enum body, separated by commas.
func (s rustScan) readMembers(sc scope, open int, member func(sc scope, i, end int)) {
	end := s.partner(open)
	for i := open + 1; i < end; {
		next := s.findAngled(i, end, ',')
		member(sc, i, next)
		i = max(next, i) + 1
	}
}

// readField reads "pub name: T".
func (s rustScan) readField(sc scope, i, end int) {
	from := s.skipAttributes(i)
	j, pub := from, s.is(from, "pub")
	if pub {
		if j++; s.punct(j) == '(' {
			j, pub = s.skip(j), false
		}
	}
	if s.isIdent(j) && s.punct(j+1) == ':' && j < end {
		s.add(head{kind: KindField, name: j, doc: i, from: from, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported && pub})
	}
}

// readVariant reads "Name", "Name(T)" and "Name { … }".
func (s rustScan) readVariant(sc scope, i, end int) {
	j := s.skipAttributes(i)
	if s.isIdent(j) && j < end && s.punct(j+1) != '!' {
		s.add(head{kind: KindMember, name: j, doc: i, from: j, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported})
	}
}

// readAlias reads type Name = T.
func (s rustScan) readAlias(i int) int {
	end := s.findAngled(i+2, s.limit, ';', '{')
	if s.punct(end) != ';' || s.scope().kind == scopeFunc {
		return i + 1
	}
	h := s.readHead(KindType, i)
	h.to, h.end = end-1, s.lineOf(end)
	s.add(h)
	return end + 1
}

// readConst reads const NAME: T and static mut NAME: T. Raw pointers, const functions and const parameters have another
// form; constants in functions are local.
func (s rustScan) readConst(i int) int {
	name := i + 1
	if s.is(name, "mut") || s.is(name, "ref") {
		name++
	}
	switch s.punct(i - 1) {
	case '*', '<', ',', '&', '|':
		return i + 1
	}
	if !s.isIdent(name) || s.punct(name+1) != ':' || s.is(name, "_") || s.scope().kind == scopeFunc {
		return i + 1
	}
	h := s.readHead(KindConstant, i)
	h.name = name
	if s.is(i, "static") {
		h.kind = KindVariable
	}
	end := s.find(name, s.limit, ';')
	h.to, h.end = end-1, s.lineOf(end)
	s.add(h)
	return name + 1
}

// readMod enters a module with a body.
func (s rustScan) readMod(i int) int {
	h := s.readHead(KindModule, i)
	h.to, h.end = i+1, s.lineOf(s.partner(i+2))
	s.add(h)
	return s.push(i+2, scope{kind: scopeModule, cont: s.join(h.cont, "::", s.text(i+1)), name: i + 1, exported: s.scope().exported})
}

// readMacro adds a macro and skips its rules, in which names are placeholders.
func (s rustScan) readMacro(i, name int) int {
	h := s.readHead(KindMacro, i)
	h.name, h.to, h.exported = name, name, h.exported || s.isExportedMacro(h.doc, i)
	body := name + 1
	for s.punct(body) == '(' && s.punct(s.skip(body)) == '{' {
		body = s.skip(body)
	}
	next := s.skip(body)
	h.end = s.lineOf(next - 1)
	s.add(h)
	return next
}

// isExportedMacro reports whether #[macro_export] is among the attributes.
func (s rustScan) isExportedMacro(i, end int) bool {
	for ; i < end; i++ {
		if s.is(i, "macro_export") {
			return true
		}
	}
	return false
}

// readImpl enters an impl block. Its container is the type; in "impl Trait for Type" that is the type after for.
func (s rustScan) readImpl(i int) int {
	end := s.findAngled(i+1, s.limit, '{', ';', '=')
	if _, taken := s.bodies[int32(end)]; taken || s.punct(end) != '{' {
		return i + 1 // impl Trait in a signature
	}
	name, trait := -1, false
	j := i + 1
	if s.punct(j) == '<' {
		j = max(s.skipAngles(j), j+1)
	}
loop:
	for j < end {
		switch {
		case s.punct(j) == '<':
			j = max(s.skipAngles(j), j+1)
			continue
		case s.is(j, "for") && s.punct(j+1) != '<':
			name, trait = -1, true
		case s.is(j, "where"):
			break loop
		case s.isIdent(j) && !s.isOneOf(j, "dyn", "mut", "const"):
			name = j
		}
		j++
	}
	sc := scope{kind: scopeClass, cont: s.scope().cont, name: name, exported: s.scope().exported}
	if trait { // the methods that a trait requires are as visible as the trait
		sc.kind = scopeContract
	}
	if name > 0 {
		sc.cont = s.join(sc.cont, "::", s.text(name))
	}
	return s.push(end, sc)
}
