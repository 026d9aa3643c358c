package symbols

import (
	"unicode"
	"unicode/utf8"
)

// Go: declarations are at top level and start with a keyword, so a scan of the tokens is as exact as a parse, and it
// continues in files that do not parse.

// goScan reads Go.
type goScan struct{ *file }

func (s goScan) scan() { s.walk(s.readDecl) }

// readDecl reads at token i, outside of all brackets.
func (s goScan) readDecl(i int) int {
	if !s.startsDecl(i) {
		return s.skip(i)
	}
	switch string(s.text(i)) {
	case "func":
		return s.readFunc(i)
	case "type":
		return s.readGroup(i, s.readType)
	case "var":
		return s.readGroup(i, s.readVar)
	case "const":
		return s.readGroup(i, s.readConst)
	}
	return s.skip(i)
}

// startsDecl reports whether a declaration may start at token i: a semicolon, explicit or implied by a line break,
// precedes it.
func (s goScan) startsDecl(i int) bool {
	if !s.isIdent(i) {
		return false
	}
	if i == 0 || s.punct(i-1) == ';' {
		return true
	}
	if !s.startsLine(i) {
		return false
	}
	if s.token(i-1).kind != tokPunct {
		return true
	}
	switch s.punct(i - 1) {
	case ')', ']', '}', opStep:
		return true
	}
	return s.anchors(i)
}

// anchors reports whether a keyword that begins a declaration is in the first column, where gofmt puts nothing else:
// the place to resume in a file that does not parse.
func (s goScan) anchors(i int) bool {
	if off := s.token(i).off; off > 0 && s.src[off-1] != '\n' {
		return false
	}
	if s.is(i, "func") {
		return s.isIdent(i+1) || s.punct(i+1) == '(' && s.isIdent(s.skip(i+1))
	}
	return s.isOneOf(i, "type", "var", "const")
}

// readFunc reads func (receiver) Name[T any](params) results { … }.
func (s goScan) readFunc(i int) int {
	name, kind := i+1, KindFunction
	var recv span
	if s.punct(name) == '(' {
		recv, kind = s.readReceiver(name), KindMethod
		name = s.skip(name)
	}
	if !s.isIdent(name) {
		return i + 1
	}
	j := name + 1
	if s.punct(j) == '[' {
		j = s.skip(j)
	}
	if s.punct(j) != '(' {
		return i + 1
	}
	body := s.findBody(s.skip(j))
	h := head{kind: kind, name: name, doc: i, from: i, to: body - 1, cont: recv, exported: isExportedInGo(s.text(name))}
	h.end = s.lineOf(body - 1)
	if s.punct(body) == '{' {
		h.end = s.lineOf(s.partner(body))
		body = s.skip(body)
	}
	s.add(h)
	return body
}

// readReceiver writes the name of the type in the receiver that opens at i.
func (s goScan) readReceiver(i int) span {
	end := s.partner(i)
	name := -1
	for j := i + 1; j < end; j = s.skip(j) {
		if s.isIdent(j) {
			name = j
		}
		if s.punct(j) == '[' && name >= 0 && j > name && s.punct(name+1) == '[' {
			break
		}
	}
	if name < 0 {
		return span{}
	}
	return s.put(s.text(name))
}

// findBody returns the brace of a function's body, or the token after a function without one. j is the token after the
// parameters.
func (s goScan) findBody(j int) int {
	for j < s.limit {
		switch c := s.punct(j); {
		case c == '{' && s.isOneOf(j-1, "interface", "struct"):
		case c == '{', c == ';':
			return j
		case s.startsLine(j) && s.startsDecl(j):
			return j
		}
		j = s.skip(j)
	}
	return j
}

// readGroup runs spec on one declaration or on each in a parenthesized list.
func (s goScan) readGroup(i int, spec func(keyword, i, end int, group bool) int) int {
	if s.punct(i+1) != '(' {
		return spec(i, i+1, s.limit, false)
	}
	end := s.partner(i + 1)
	for j := i + 2; j < end; {
		if !s.startsDecl(j) && j != i+2 {
			j = s.skip(j)
			continue
		}
		j = max(spec(i, j, end, true), j+1)
	}
	return min(end, s.limit) + 1
}

// findSpecEnd returns the token after a spec that starts at i.
func (s goScan) findSpecEnd(i, end int) int {
	j := s.skip(i)
	for j < end && s.punct(j) != ';' {
		if s.startsLine(j) && (s.startsDecl(j) || s.endsByBreak(j)) {
			break
		}
		j = s.skip(j)
	}
	return min(j, end)
}

// endsByBreak reports whether a line break before token j, which is not a word, nevertheless ends a statement.
func (s goScan) endsByBreak(j int) bool {
	switch s.punct(j - 1) {
	case ')', ']', '}', opStep:
		return true
	case 0:
		return true
	}
	return false
}

// readType reads a type spec: a struct, an interface or another type.
func (s goScan) readType(keyword, i, end int, group bool) int {
	if !s.isIdent(i) {
		return i + 1
	}
	j := i + 1
	if s.punct(j) == '[' && s.hasTypeParams(j) {
		j = s.skip(j)
	}
	h := head{kind: KindType, name: i, doc: i, from: keyword, to: j, exported: isExportedInGo(s.text(i))}
	if group {
		h.from = i
	} else {
		h.doc = keyword
	}
	next := s.findSpecEnd(i, end)
	h.to, h.end = next-1, s.lastLine(next-1)
	switch {
	case s.is(j, "struct") && s.punct(j+1) == '{':
		h.kind, h.to = KindStruct, j
		s.add(h)
		s.readMembers(s.put(s.text(i)), j+1, s.readFields)
	case s.is(j, "interface") && s.punct(j+1) == '{':
		h.kind, h.to = KindInterface, j
		s.add(h)
		s.readMembers(s.put(s.text(i)), j+1, s.readMethodSpec)
	default:
		s.add(h)
	}
	return next
}

// hasTypeParams distinguishes type T[P any] … from the array types T[N]E and T[]E.
func (s goScan) hasTypeParams(i int) bool {
	return s.isIdent(i+1) && (s.partner(i) > i+2) && s.punct(i+2) != '.' && s.punct(i+2) != opScope
}

// readMembers runs member on each line of a struct or interface body.
func (s goScan) readMembers(owner span, open int, member func(owner span, i, end int)) {
	end := s.partner(open)
	for j := open + 1; j < end; {
		next := s.findSpecEnd(j, end)
		member(owner, j, next)
		if s.punct(next) == ';' {
			next++
		}
		j = max(next, j+1)
	}
}

// readFields reads "A, B T" and the embedded "T", "*T" and "pkg.T".
func (s goScan) readFields(owner span, i, end int) {
	h := head{kind: KindField, doc: i, from: i, to: end - 1, end: s.lastLine(end - 1), cont: owner}
	for s.isIdent(i) && s.punct(i+1) == ',' {
		h.name, h.exported = i, isExportedInGo(s.text(i))
		s.add(h)
		i += 2
	}
	if s.punct(i) == '*' {
		i++
	}
	if s.isIdent(i) && s.punct(i+1) == '.' {
		i += 2
	}
	if s.isIdent(i) && i < end {
		h.name, h.exported = i, isExportedInGo(s.text(i))
		s.add(h)
	}
}

// readMethodSpec reads a method of an interface.
func (s goScan) readMethodSpec(owner span, i, end int) {
	if s.isIdent(i) && s.punct(i+1) == '(' {
		s.add(head{kind: KindMethod, name: i, doc: i, from: i, to: end - 1, end: s.lineOf(end - 1), cont: owner, exported: isExportedInGo(s.text(i))})
	}
}

// readVar reads a spec of var.
func (s goScan) readVar(keyword, i, end int, group bool) int {
	return s.readNames(KindVariable, keyword, i, end, group)
}

// readConst reads a spec of const.
func (s goScan) readConst(keyword, i, end int, group bool) int {
	return s.readNames(KindConstant, keyword, i, end, group)
}

// readNames reads "a, b T = x, y".
func (s goScan) readNames(kind Kind, keyword, i, end int, group bool) int {
	next := s.findSpecEnd(i, end)
	h := head{kind: kind, doc: keyword, from: keyword, to: next - 1, end: s.lastLine(next - 1)}
	if group {
		h.doc, h.from = i, i
	}
	for ; s.isIdent(i) && i < next; i += 2 {
		if string(s.text(i)) != "_" {
			h.name, h.exported = i, isExportedInGo(s.text(i))
			s.add(h)
		}
		if s.punct(i+1) != ',' {
			break
		}
	}
	return next
}

// isExportedInGo reports whether a name starts with an upper-case letter.
func isExportedInGo(name []byte) bool {
	r, _ := utf8.DecodeRune(name)
	return unicode.IsUpper(r)
}
