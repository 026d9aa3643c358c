package symbols

import (
	"unicode"
	"unicode/utf8"
)

// Go: declarations stand at top level and start with a keyword, so a scan of
// the tokens is as exact as a parse, and goes on where a file does not parse.

// goDecl looks at token i outside all brackets.
func (s *Scanner) goDecl(i int) int {
	if !s.goStarts(i) {
		return s.past(i)
	}
	switch string(s.text(i)) {
	case "func":
		return s.goFunc(i)
	case "type":
		return s.goGroup(i, s.goType)
	case "var":
		return s.goGroup(i, s.goVar)
	case "const":
		return s.goGroup(i, s.goConst)
	}
	return s.past(i)
}

// goStarts says that a declaration may start at token i: a semicolon, written
// or implied by the line break, stands before it.
func (s *Scanner) goStarts(i int) bool {
	if !s.ident(i) {
		return false
	}
	if i == 0 || s.ch(i-1) == ';' {
		return true
	}
	if !s.nl(i) {
		return false
	}
	if s.tok(i-1).kind != tokPunct {
		return true
	}
	switch s.ch(i - 1) {
	case ')', ']', '}', opStep:
		return true
	}
	return s.goAnchor(i)
}

// goAnchor says that the keyword of a declaration stands in the first column,
// where gofmt puts nothing else: in a file that does not parse, a new start.
func (s *Scanner) goAnchor(i int) bool {
	if off := s.tok(i).off; off > 0 && s.src[off-1] != '\n' {
		return false
	}
	if s.is(i, "func") {
		return s.ident(i+1) || s.ch(i+1) == '(' && s.ident(s.past(i+1))
	}
	return s.oneOf(i, "type", "var", "const")
}

// goFunc reads func (receiver) Name[T any](params) results { … }.
func (s *Scanner) goFunc(i int) int {
	name, kind := i+1, KindFunction
	var recv span
	if s.ch(name) == '(' {
		recv, kind = s.goReceiver(name), KindMethod
		name = s.past(name)
	}
	if !s.ident(name) {
		return i + 1
	}
	j := name + 1
	if s.ch(j) == '[' {
		j = s.past(j)
	}
	if s.ch(j) != '(' {
		return i + 1
	}
	body := s.goBody(s.past(j))
	h := head{kind: kind, name: name, doc: i, from: i, to: body - 1, cont: recv, exported: exportedGo(s.text(name))}
	h.end = s.lineOf(body - 1)
	if s.ch(body) == '{' {
		h.end = s.lineOf(s.closing(body))
		body = s.past(body)
	}
	s.add(h)
	return body
}

// goReceiver is the type name in the receiver that opens at i.
func (s *Scanner) goReceiver(i int) span {
	end := s.closing(i)
	name := -1
	for j := i + 1; j < end; j = s.past(j) {
		if s.ident(j) {
			name = j
		}
		if s.ch(j) == '[' && name >= 0 && j > name && s.ch(name+1) == '[' {
			break
		}
	}
	if name < 0 {
		return span{}
	}
	return s.put(s.text(name))
}

// goBody is the brace of a function's body, or the token behind a function
// without one. j stands behind the parameters.
func (s *Scanner) goBody(j int) int {
	for j < s.limit {
		switch c := s.ch(j); {
		case c == '{' && s.oneOf(j-1, "interface", "struct"):
		case c == '{', c == ';':
			return j
		case s.nl(j) && s.goStarts(j):
			return j
		}
		j = s.past(j)
	}
	return j
}

// goGroup runs spec over one declaration or a parenthesised list of them.
func (s *Scanner) goGroup(i int, spec func(keyword, i, end int, group bool) int) int {
	if s.ch(i+1) != '(' {
		return spec(i, i+1, s.limit, false)
	}
	end := s.closing(i + 1)
	for j := i + 2; j < end; {
		if !s.goStarts(j) && j != i+2 {
			j = s.past(j)
			continue
		}
		j = max(spec(i, j, end, true), j+1)
	}
	return min(end, s.limit) + 1
}

// goSpecEnd is the token behind a spec that starts at i.
func (s *Scanner) goSpecEnd(i, end int) int {
	j := s.past(i)
	for j < end && s.ch(j) != ';' {
		if s.nl(j) && (s.goStarts(j) || s.goImplied(j)) {
			break
		}
		j = s.past(j)
	}
	return min(j, end)
}

// goImplied says that a line break before token j, which is no word, ends a
// statement all the same.
func (s *Scanner) goImplied(j int) bool {
	switch s.ch(j - 1) {
	case ')', ']', '}', opStep:
		return true
	case 0:
		return true
	}
	return false
}

func (s *Scanner) goType(keyword, i, end int, group bool) int {
	if !s.ident(i) {
		return i + 1
	}
	j := i + 1
	if s.ch(j) == '[' && s.goTypeParams(j) {
		j = s.past(j)
	}
	h := head{kind: KindType, name: i, doc: i, from: keyword, to: j, exported: exportedGo(s.text(i))}
	if group {
		h.from = i
	} else {
		h.doc = keyword
	}
	next := s.goSpecEnd(i, end)
	h.to, h.end = next-1, s.lastLine(next-1)
	switch {
	case s.is(j, "struct") && s.ch(j+1) == '{':
		h.kind, h.to = KindStruct, j
		s.add(h)
		s.goMembers(s.put(s.text(i)), j+1, s.goFields)
	case s.is(j, "interface") && s.ch(j+1) == '{':
		h.kind, h.to = KindInterface, j
		s.add(h)
		s.goMembers(s.put(s.text(i)), j+1, s.goMethodSpec)
	default:
		s.add(h)
	}
	return next
}

// goTypeParams tells type T[P any] … from the array type T[N]E and T[]E.
func (s *Scanner) goTypeParams(i int) bool {
	return s.ident(i+1) && (s.closing(i) > i+2) && s.ch(i+2) != '.' && s.ch(i+2) != opScope
}

// goMembers runs member over the lines of a struct or interface body.
func (s *Scanner) goMembers(owner span, open int, member func(owner span, i, end int)) {
	end := s.closing(open)
	for j := open + 1; j < end; {
		next := s.goSpecEnd(j, end)
		member(owner, j, next)
		if s.ch(next) == ';' {
			next++
		}
		j = max(next, j+1)
	}
}

// goFields reads "A, B T" and the embedded "T", "*T" and "pkg.T".
func (s *Scanner) goFields(owner span, i, end int) {
	h := head{kind: KindField, doc: i, from: i, to: end - 1, end: s.lastLine(end - 1), cont: owner}
	for s.ident(i) && s.ch(i+1) == ',' {
		h.name, h.exported = i, exportedGo(s.text(i))
		s.add(h)
		i += 2
	}
	if s.ch(i) == '*' {
		i++
	}
	if s.ident(i) && s.ch(i+1) == '.' {
		i += 2
	}
	if s.ident(i) && i < end {
		h.name, h.exported = i, exportedGo(s.text(i))
		s.add(h)
	}
}

func (s *Scanner) goMethodSpec(owner span, i, end int) {
	if s.ident(i) && s.ch(i+1) == '(' {
		s.add(head{kind: KindMethod, name: i, doc: i, from: i, to: end - 1, end: s.lineOf(end - 1), cont: owner, exported: exportedGo(s.text(i))})
	}
}

func (s *Scanner) goVar(keyword, i, end int, group bool) int {
	return s.goNames(KindVariable, keyword, i, end, group)
}

func (s *Scanner) goConst(keyword, i, end int, group bool) int {
	return s.goNames(KindConstant, keyword, i, end, group)
}

// goNames reads "a, b T = x, y".
func (s *Scanner) goNames(kind Kind, keyword, i, end int, group bool) int {
	next := s.goSpecEnd(i, end)
	h := head{kind: kind, doc: keyword, from: keyword, to: next - 1, end: s.lastLine(next - 1)}
	if group {
		h.doc, h.from = i, i
	}
	for ; s.ident(i) && i < next; i += 2 {
		if string(s.text(i)) != "_" {
			h.name, h.exported = i, exportedGo(s.text(i))
			s.add(h)
		}
		if s.ch(i+1) != ',' {
			break
		}
	}
	return next
}

func exportedGo(name []byte) bool {
	r, _ := utf8.DecodeRune(name)
	return unicode.IsUpper(r)
}
