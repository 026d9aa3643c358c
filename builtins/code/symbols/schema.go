package symbols

// Languages that describe data: CUE, Protocol Buffers, SQL.

// cueField reads one field at top level or in a definition.
func (s *Scanner) cueField(i int) int {
	if i > 0 && !s.nl(i) && s.ch(i-1) != ',' && i != s.scope().open+1 {
		return s.past(i)
	}
	if s.oneOf(i, "import", "package") && s.ch(i+1) != ':' {
		return s.lineEnd(i, s.limit) + 1
	}
	if s.is(i, "let") && s.ident(i+1) && s.ch(i+2) == '=' {
		end := s.lineEnd(i, s.limit)
		s.add(head{kind: KindVariable, name: i + 1, doc: i, from: i, to: end, end: s.lineOf(end), cont: s.scope().cont})
		return end + 1
	}
	return s.cueChain(i)
}

// cueChain reads "a: b: c: value", every label of which is a definition.
func (s *Scanner) cueChain(i int) int {
	cont, exported, end := s.scope().cont, true, -1
	j := i
	for {
		first, name := j, s.cueLabel(j)
		if name < 0 {
			break
		}
		colon := name + 1
		for s.ch(colon) == '?' || s.ch(colon) == '!' {
			colon++
		}
		if s.ch(colon) != ':' {
			break
		}
		if end < 0 {
			end = s.lineEnd(i, s.scope().close)
		}
		text := s.src[s.tok(first).off:s.tok(name).end]
		if s.isString(name) {
			text = s.nameText(name)
		}
		exported = exported && len(text) > 0 && text[0] != '_'
		s.add(head{kind: s.cueKind(text), name: first, as: text, doc: i, from: i, to: s.cueHead(colon, end), end: s.lineOf(end), cont: cont, exported: exported})
		cont = s.join(cont, ".", text)
		j = colon + 1
	}
	switch {
	case end < 0:
		return s.past(i)
	case s.ch(j) == '{' && len(s.scopes) < 4:
		return s.push(j, scope{kind: scopeClass, cont: cont, exported: exported})
	}
	return end + 1
}

// cueLabel is the last token of the label at i, -1 when there is none. A
// definition's number sign is a token of its own.
func (s *Scanner) cueLabel(i int) int {
	if s.ch(i) == '#' && s.ident(i+1) {
		return i + 1
	}
	if s.ident(i) && s.ch(i+1) == '#' && s.ident(i+2) && s.tok(i+1).off == s.tok(i).end { // _#X
		return i + 2
	}
	if s.ident(i) || s.isString(i) {
		return i
	}
	return -1
}

func (s *Scanner) cueKind(label []byte) Kind {
	switch {
	case len(label) > 1 && (label[0] == '#' || label[0] == '_' && label[1] == '#'):
		return KindType
	case len(s.scopes) > 1:
		return KindField
	}
	return KindKey
}

// cueHead is the last token of the signature: a struct's fields are left out.
func (s *Scanner) cueHead(colon, end int) int {
	if s.ch(colon+1) == '{' {
		return colon
	}
	return max(end, colon)
}

// protoItem reads messages, enums, services, calls and fields.
func (s *Scanner) protoItem(i int) int {
	sc := s.scope()
	if i > 0 && s.ch(i-1) != ';' && s.ch(i-1) != '}' && s.ch(i-1) != '{' {
		return s.past(i)
	}
	if s.ident(i+1) && s.ch(i+2) == '{' {
		return s.protoBlock(i)
	}
	end := s.find(i, sc.close, ';', '{')
	h := head{doc: i, from: i, to: end - 1, end: s.lineOf(end), cont: sc.cont, exported: true}
	switch {
	case s.is(i, "rpc") && s.ident(i+1):
		h.kind, h.name = KindMethod, i+1
		h.end = s.lineOf(s.past(end) - 1)
		s.add(h)
	case s.oneOf(i, "option", "import", "package", "syntax", "reserved", "extensions", "edition"):
	case sc.kind == scopeEnum && s.ident(i) && s.ch(i+1) == '=':
		h.kind, h.name = KindMember, i
		s.add(h)
	case sc.kind == scopeClass:
		if eq := s.find(i, end, '='); s.ident(eq-1) && eq < end && eq-1 > i {
			h.kind, h.name = KindField, eq-1
			s.add(h)
		}
	}
	return s.past(end)
}

func (s *Scanner) protoBlock(i int) int {
	sc := scope{kind: scopeClass, cont: s.scope().cont, name: i + 1, exported: true}
	h := head{kind: KindStruct, name: i + 1, doc: i, from: i, to: i + 1, end: s.lineOf(s.closing(i + 2)), cont: sc.cont, exported: true}
	switch string(s.text(i)) {
	case "enum":
		h.kind, sc.kind = KindEnum, scopeEnum
	case "service":
		h.kind, sc.kind = KindInterface, scopeContract
	case "oneof", "extend":
		return s.push(i+2, sc)
	case "message", "group":
	default:
		return s.past(i + 2)
	}
	sc.cont = s.join(sc.cont, ".", s.text(i+1))
	s.add(h)
	return s.push(i+2, sc)
}

// sqlStatement reads one statement; those that create something count.
func (s *Scanner) sqlStatement(i int) int {
	if i > 0 && s.ch(i-1) != ';' && !s.nl(i) || lowered(s.text(i)) != "create" {
		return i + 1
	}
	kind := Kind("")
	j := i + 1
	for n := 0; kind == "" && s.ident(j) && n < 8; n++ {
		kind = sqlKind(lowered(s.text(j)))
		j++
	}
	if kind == "" {
		return i + 1
	}
	for s.ident(j) && (lowered(s.text(j)) == "if" || lowered(s.text(j)) == "not" || lowered(s.text(j)) == "exists") {
		j++
	}
	name := j
	for s.ident(name) && s.ch(name+1) == '.' && s.ident(name+2) {
		name += 2
	}
	if !s.ident(name) {
		return j
	}
	h := head{kind: kind, name: name, doc: i, from: i, to: s.sqlHead(kind, name), exported: true}
	if name > j {
		h.cont = s.put(clipped(s.src[s.tok(j).off:s.tok(name-2).end], maxName))
	}
	end := s.sqlEnd(name, kind)
	h.end = s.lastLine(end)
	s.add(h)
	if kind == KindTable && s.ch(name+1) == '(' {
		s.sqlColumns(s.join(h.cont, ".", s.text(name)), name+1)
	}
	return end + 1
}

func sqlKind(word string) Kind {
	switch word {
	case "table", "view":
		return KindTable
	case "function", "procedure", "aggregate", "trigger":
		return KindFunction
	case "type", "domain":
		return KindType
	}
	return ""
}

// sqlHead is the last token of the signature: parameters belong to it, columns
// do not.
func (s *Scanner) sqlHead(kind Kind, name int) int {
	end := name
	if s.ch(name+1) == '(' {
		if kind == KindTable {
			return name
		}
		end = s.past(name+1) - 1
	}
	for n := 0; n < 12 && !s.nl(end+1) && s.ch(end+1) != ';' && s.ch(end+1) != '(' && !s.isString(end+1); n++ {
		end++
	}
	return end
}

// sqlEnd is the last token of a statement. The bodies of routines that are not
// quoted hold semicolons of their own, between begin and end.
func (s *Scanner) sqlEnd(i int, kind Kind) int {
	depth := 0
	for j := i; j < s.limit; j = s.past(j) {
		if s.ident(j) && kind == KindFunction {
			switch lowered(s.text(j)) {
			case "begin", "case":
				depth++
			case "end":
				switch lowered(s.text(j + 1)) {
				case "if", "loop", "while", "repeat", "for":
				default:
					depth--
				}
			}
		}
		if s.ch(j) == ';' && depth <= 0 {
			return j
		}
	}
	return s.limit - 1
}

// sqlColumns reads the columns of a table.
func (s *Scanner) sqlColumns(cont span, open int) {
	end := s.closing(open)
	for i := open + 1; i < end; {
		next := s.find(i, end, ',')
		switch lowered(s.text(i)) {
		case "", "primary", "foreign", "constraint", "unique", "check", "key", "index", "exclude", "like", "partition", "fulltext", "spatial":
		default:
			if s.ident(i) {
				s.add(head{kind: KindField, name: i, doc: i, from: i, to: next - 1, end: s.lineOf(next - 1), cont: cont, exported: true})
			}
		}
		i = max(next, i) + 1
	}
}
