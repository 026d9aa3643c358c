package symbols

// protoScan reads Protocol Buffers.
type protoScan struct{ *file }

func (s protoScan) scan() { s.walk(s.readItem) }

// readItem reads messages, enums, services, calls and fields.
func (s protoScan) readItem(i int) int {
	sc := s.scope()
	if i > 0 && s.punct(i-1) != ';' && s.punct(i-1) != '}' && s.punct(i-1) != '{' {
		return s.skip(i)
	}
	if s.isIdent(i+1) && s.punct(i+2) == '{' {
		return s.readBlock(i)
	}
	end := s.find(i, sc.close, ';', '{')
	h := head{doc: i, from: i, to: end - 1, end: s.lineOf(end), cont: sc.cont, exported: true}
	switch {
	case s.is(i, "rpc") && s.isIdent(i+1):
		h.kind, h.name = KindMethod, i+1
		h.end = s.lineOf(s.skip(end) - 1)
		s.add(h)
	case s.isOneOf(i, "option", "import", "package", "syntax", "reserved", "extensions", "edition"):
	case sc.kind == scopeEnum && s.isIdent(i) && s.punct(i+1) == '=':
		h.kind, h.name = KindMember, i
		s.add(h)
	case sc.kind == scopeClass:
		if eq := s.find(i, end, '='); s.isIdent(eq-1) && eq < end && eq-1 > i {
			h.kind, h.name = KindField, eq-1
			s.add(h)
		}
	}
	return s.skip(end)
}

// readBlock reads a declaration with a name and a body.
func (s protoScan) readBlock(i int) int {
	sc := scope{kind: scopeClass, cont: s.scope().cont, name: i + 1, exported: true}
	h := head{kind: KindStruct, name: i + 1, doc: i, from: i, to: i + 1, end: s.lineOf(s.partner(i + 2)), cont: sc.cont, exported: true}
	switch string(s.text(i)) {
	case "enum":
		h.kind, sc.kind = KindEnum, scopeEnum
	case "service":
		h.kind, sc.kind = KindInterface, scopeContract
	case "oneof", "extend":
		return s.push(i+2, sc)
	case "message", "group":
	default:
		return s.skip(i + 2)
	}
	sc.cont = s.join(sc.cont, ".", s.text(i+1))
	s.add(h)
	return s.push(i+2, sc)
}
