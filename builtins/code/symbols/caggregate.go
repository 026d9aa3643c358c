package symbols

import "bytes"

// cAggregate reads a class, struct, union or enum whose body opens at body.
func (s *Scanner) cAggregate(h *cHead, body int) int {
	name, _ := s.cTag(h.agg, body)
	semi := s.cTail(body)
	if name >= 0 {
		s.cType(h, name, nil, body)
	}
	if semi > 0 && name != semi-1 {
		s.cTrailing(h, s.closing(body)+1, semi, KindVariable)
	}
	return s.cEnter(h, name, nil, body, semi)
}

// cType adds the type of an aggregate.
func (s *Scanner) cType(h *cHead, name int, as []byte, body int) {
	kind := KindStruct
	switch string(s.text(h.agg)) {
	case "class":
		kind = KindClass
	case "enum":
		kind = KindEnum
	}
	sc := s.scope()
	d := head{kind: kind, name: name, as: as, doc: h.doc, from: h.from, to: body - 1, end: s.lineOf(s.closing(body)), cont: sc.cont, exported: sc.exported && !sc.hidden}
	if owner := s.cQualifiers(name); owner.n > 0 {
		d.cont = owner
	}
	s.add(d)
}

// cEnter enters the body of a type. What follows the body up to the semicolon
// is a scope of its own, in which nothing is defined any more.
func (s *Scanner) cEnter(h *cHead, name int, as []byte, body, semi int) int {
	sc := scope{kind: scopeClass, cont: s.scope().cont, name: name, exported: s.scope().exported && !s.scope().hidden}
	if as == nil && name >= 0 {
		as = s.text(name)
	}
	if as != nil && !(s.is(h.agg, "enum") && s.lang == C) {
		sc.cont = s.join(sc.cont, "::", as)
	} else if as != nil {
		sc.cont = s.join(sc.cont, "::", as)
	}
	switch string(s.text(h.agg)) {
	case "enum":
		sc.kind = scopeEnum
	case "class":
		sc.hidden = true
	}
	if semi > 0 {
		s.scopes = append(s.scopes, scope{open: body, close: semi, kind: scopeExpr, cont: s.scope().cont, name: -1})
	}
	return s.push(body, sc)
}

// cTag is the token of the name between the keyword at agg and the body, or -1
// for a nameless type. Attributes and export macros may stand before it, bases
// behind.
func (s *Scanner) cTag(agg, body int) (name, end int) {
	name = -1
	for k := agg + 1; k < body; {
		switch {
		case s.ch(k) == ':':
			return name, k
		case s.ident(k) && s.ch(k+1) == '(':
			k++
		case s.oneOf(k, "class", "struct", "final"):
		case s.ident(k) && name >= 0 && constantCase(s.text(k)) && !constantCase(s.text(name)): // Name MACRO
		case s.ident(k):
			name = k
		case s.ch(k) == '<':
			k = max(s.pastAngle(k), k+1)
			continue
		}
		k = s.past(k)
	}
	return name, body
}

// cTail is the semicolon behind a type's body, or -1 where something else
// ends the declaration.
func (s *Scanner) cTail(body int) int {
	semi := s.find(s.past(body), s.limit, ';', '{')
	if s.ch(semi) != ';' {
		return -1
	}
	return semi
}

// cTrailing reads the names between a type's body and the semicolon.
func (s *Scanner) cTrailing(h *cHead, i, semi int, kind Kind) {
	if kind == KindVariable && s.scope().kind == scopeClass {
		kind = KindField
	}
	for i < semi {
		end := s.find(i, semi, ',')
		name := s.cDeclarator(i, end)
		if name >= 0 {
			sc := s.scope()
			s.add(head{kind: kind, name: name, doc: -1, from: i, to: end - 1, end: s.lastLine(end - 1), cont: sc.cont, exported: sc.exported && !sc.hidden && !h.local})
		}
		i = end + 1
	}
}

// cDeclarator is the token that a declarator between i and end names: the last
// plain name before brackets or a value, or the one in (*name).
func (s *Scanner) cDeclarator(i, end int) int {
	name := -1
	for k := i; k < end; {
		switch {
		case s.ch(k) == '=' || s.ch(k) == '[':
			return name
		case s.ident(k) && s.ch(k+1) == '(' && s.cSkipped(k):
			k++
		case s.ch(k) == '(' && (s.ch(s.past(k)) == '(' || s.cStarred(k)):
			return s.cInner(k)
		case s.ch(k) == '(' && name >= 0 && !s.ident(s.past(k)):
			return name
		case s.ident(k) && s.oneOf(k, "const", "volatile", "restrict"):
		case s.ident(k):
			name = k
		}
		k = s.past(k)
	}
	return name
}

// cInner is the name in the parentheses at k: (*name), (CALL *name[4]) or
// (name), the last word before brackets of its own.
func (s *Scanner) cInner(k int) int {
	name, end := -1, min(s.closing(k), k+16)
	for j := k + 1; j < end && s.ch(j) != '[' && (s.ch(j) != '(' || name < 0); j++ {
		if s.ident(j) && !s.oneOf(j, "const", "volatile", "restrict") {
			name = j
		}
	}
	return name
}

// cTypedef reads a typedef. One with a body is a type of its own too, under
// the typedef's name where it has no tag.
func (s *Scanner) cTypedef(h cHead) int {
	k := h.from + 1
	for s.oneOf(k, "const", "volatile", "__extension__") {
		k++
	}
	if s.oneOf(k, "struct", "union", "enum", "class") {
		if body := s.find(k, s.limit, '{', ';', '('); s.ch(body) == '{' {
			h.agg = k
			return s.cTypedefBody(&h, body)
		}
	}
	stop := s.find(h.from, s.limit, ';', '{')
	if s.ch(stop) != ';' {
		return s.past(stop)
	}
	for i := h.from + 1; i < stop; {
		end := s.findAngled(i, stop, ',')
		if name := s.cDeclarator(i, end); name >= 0 {
			s.cAdd(&h, KindType, name, stop-1, s.lineOf(stop))
		}
		i = max(end, i) + 1
	}
	return stop + 1
}

func (s *Scanner) cTypedefBody(h *cHead, body int) int {
	tag, _ := s.cTag(h.agg, body)
	semi := s.cTail(body)
	if semi < 0 {
		return s.cEnter(h, tag, nil, body, semi)
	}
	first := s.cDeclarator(s.closing(body)+1, s.find(s.closing(body)+1, semi, ','))
	switch {
	case tag >= 0:
		s.cType(h, tag, nil, body)
	case first >= 0:
		s.cType(h, h.agg, s.text(first), body)
	}
	if tag >= 0 || first >= 0 && s.lineOf(first)-s.lineOf(h.agg) > 3 {
		s.cTrailing(h, s.closing(body)+1, semi, KindType)
	}
	if tag < 0 && first >= 0 {
		return s.cEnter(h, h.agg, s.text(first), body, semi)
	}
	return s.cEnter(h, tag, nil, body, semi)
}

// cMacros adds the macros that have a value or parameters; others only switch
// something on.
func (s *Scanner) cMacros() {
	for i := range s.toks {
		if s.toks[i].kind == tokDirective {
			s.cMacro(i)
		}
	}
}

func (s *Scanner) cMacro(i int) {
	t := s.toks[i]
	line := s.src[t.off:t.end]
	rest := bytes.TrimLeft(line[1:], " \t")
	rest, ok := bytes.CutPrefix(rest, []byte("define"))
	rest = bytes.TrimLeft(rest, " \t")
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	if !ok || n == 0 || s.full() || s.longLine(t.off) {
		return
	}
	value := bytes.TrimSpace(rest[n:])
	if len(value) == 0 || bytes.HasPrefix(value, []byte("/*")) {
		return
	}
	d := rawDef{kind: KindMacro, line: t.line, end: s.lastLine(i), pos: t.off, exported: true}
	d.name = s.put(clipped(rest[:n], maxName))
	d.sig = s.macroSignature(line)
	if d.doc = s.docBefore(i); d.doc.n == 0 {
		d.doc = s.macroComment(i)
	}
	s.defs = append(s.defs, d)
}

// macroSignature is the directive on one line, without its comment.
func (s *Scanner) macroSignature(line []byte) span {
	line = line[:min(len(line), 4*maxSignature)]
	if n := bytes.Index(line, []byte("/*")); n >= 0 {
		line = line[:n]
	}
	start := len(s.buf)
	for _, word := range bytes.Fields(line) {
		if string(word) == `\` {
			continue
		}
		if len(s.buf) > start {
			s.buf = append(s.buf, ' ')
		}
		s.buf = append(s.buf, word...)
		if len(s.buf)-start > maxSignature {
			break
		}
	}
	text := clipped(s.buf[start:], maxSignature)
	s.buf = s.buf[:start+len(text)]
	return span{uint32(start), uint32(len(text))}
}

// macroComment is the comment behind a macro's value on the same line.
func (s *Scanner) macroComment(i int) span {
	t := s.toks[i]
	if n := bytes.Index(s.src[t.off:t.end], []byte("/*")); n >= 0 {
		return s.docText([]comment{{off: t.off + uint32(n), end: t.end}})
	}
	return s.docBehind(i)
}
