package symbols

// scriptValue is the value to the right of a name.
type scriptValue struct {
	kind Kind // function, class, or "" for anything else
	body int  // brace of the body or object literal, -1 if none
	to   int  // last token of the header
	end  int  // token after the value
}

// readValue reads the value that starts at j.
func (s *scriptScan) readValue(j int) scriptValue {
	v := scriptValue{body: -1, end: s.findExprEnd(j)}
	v.to = v.end - 1
	if s.is(j, "class") {
		if body := s.findClassBody(j + 1); body > 0 {
			v.kind, v.body, v.to = KindClass, body, body-1
		}
		return v
	}
	if body, to, ok := s.readFuncValue(j); ok {
		v.kind, v.body, v.to = KindFunction, body, to
		return v
	}
	if s.punct(j) == '{' {
		v.body, v.to = j, j-1
	} else if k := s.findWrapped(j); k > 0 {
		v.body, v.to = k, k-1
	}
	return v
}

// exprCache records where an expression ends, so that in a chain a = b = c the end is not searched for again from every
// link.
type exprCache struct{ scope, from, end int }

// findExprEnd returns the token after the expression that starts at j.
func (s *scriptScan) findExprEnd(j int) int {
	open := s.scope().open
	if s.expr.scope == open && s.expr.from <= j && j < s.expr.end {
		return s.expr.end
	}
	end := j
	if !s.isCloser(j) {
		end = s.skip(j)
	}
	for end < s.limit && end > j && s.spend() {
		if c := s.punct(end); c == ',' || c == ';' || s.isCloser(end) || s.startsLine(end) && !s.carriesOn(end) {
			break
		}
		if k := s.skipTypeArguments(end); k > end {
			end = k
			continue
		}
		end = s.skip(end)
	}
	s.expr = exprCache{open, j, end}
	return end
}

// readVars reads const, let and var. Values other than functions and classes count only at module level. Names
// destructured from an object do not count.
func (s *scriptScan) readVars(i int) int {
	if s.is(i+1, "enum") && !s.startsLine(i+1) {
		return i + 1
	}
	from, exported := s.modifiersBefore(i)
	h := head{doc: from, from: from, cont: s.scope().cont, exported: exported && s.scope().exported}
	kind, next := KindVariable, 0
	if s.is(i, "const") {
		kind = KindConstant
	}
	for j, n := i+1, 0; s.isIdent(j) || s.punct(j) == '{' || s.punct(j) == '['; n++ {
		h.name = j
		j = s.skip(j)
		if s.punct(j) == '!' {
			j++
		}
		if s.punct(j) == ':' {
			j = s.skipType(j+1, false)
		}
		if next == 0 {
			next = j
		}
		end := j
		if s.punct(j) == '=' {
			end = s.readVar(kind, h, j+1)
		} else if s.isIdent(h.name) && !s.isOneOf(j, "of", "in") {
			s.addPlain(kind, h, j-1)
		}
		if s.punct(end) != ',' {
			break
		}
		j = end + 1
	}
	return max(next, i+1)
}

// readVar adds a name with a value and records the value's body.
func (s *scriptScan) readVar(kind Kind, h head, j int) (end int) {
	if !s.isIdent(h.name) {
		return s.addTakenApart(kind, h, s.findExprEnd(j))
	}
	v := s.readValue(j)
	h.to, h.end = v.to, s.lineOf(v.end-1)
	switch {
	case v.kind == KindFunction:
		h.kind = KindFunction
		s.add(h)
		s.noteNamedBody(v.body, h.name, scopeFunc, false)
	case v.kind == KindClass:
		h.kind = KindClass
		s.add(h)
		s.noteNamedBody(v.body, h.name, scopeClass, s.scope().exported)
	case s.atModuleLevel():
		h.kind = kind
		s.add(h)
		s.noteNamedBody(v.body, h.name, scopeExports, s.scope().exported)
	}
	return v.end
}

// addTakenApart adds the names of export const { a, b: c } = value.
func (s *scriptScan) addTakenApart(kind Kind, h head, end int) int {
	open := h.name
	if !h.exported || s.punct(open) != '{' {
		return end
	}
	h.kind, h.to, h.end = kind, end-1, s.lineOf(end-1)
	for j := open + 1; j < s.partner(open); j++ {
		if c := s.punct(j + 1); s.isIdent(j) && (c == ',' || c == '}' || c == '=') && s.punct(j-1) != opSpread {
			h.name = j
			s.add(h)
		}
	}
	return end
}

// addPlain adds a name without a value.
func (s *scriptScan) addPlain(kind Kind, h head, to int) {
	if s.atModuleLevel() {
		h.kind, h.to, h.end = kind, to, s.lineOf(to)
		s.add(h)
	}
}

// maxTargetNames limits the names before the last one in a.b.c = value.
const maxTargetNames = 6

// readAssignment reads the assignment whose equals sign is at i.
func (s *scriptScan) readAssignment(i int) {
	first := i - 1
	for n := 0; n < maxTargetNames && s.isIdent(first) && s.punct(first-1) == '.'; n++ {
		first -= 2
	}
	if !s.isIdent(i-1) || !s.isIdent(first) || s.punct(first-1) == '.' {
		return
	}
	if !s.namesValue(first, i) {
		return
	}
	v := s.readValue(i + 1)
	h := head{kind: v.kind, name: i - 1, doc: first, from: first, to: v.to, end: s.lineOf(v.end - 1), cont: s.scope().cont, exported: s.scope().exported}
	switch {
	case s.is(first, "module") && s.is(i-1, "exports"):
		s.readModuleExports(v, i+1)
	case s.is(first, "exports") && first == i-3, s.is(first, "module") && s.is(first+2, "exports") && first == i-5:
		s.readExportedName(h, v, i+1)
	case s.is(i-1, "prototype") && v.body > 0 && v.kind == "":
		s.noteBody(v.body, scope{kind: scopeObject, cont: s.join(h.cont, ".", s.text(i-3)), exported: true})
	case v.kind == "" && s.is(i-3, "prototype") && s.punct(i-2) == '.':
		h.kind = KindMethod
		s.addStatic(h, v, first)
	case v.kind == "":
	case first == i-1:
		if s.atModuleLevel() && s.startsStatement(first) {
			s.addNamed(h, v)
		}
	case s.is(first, "this"):
		h.kind, h.cont = methodOr(v.kind), s.classContainer()
		s.addNamed(h, v)
	default:
		s.addStatic(h, v, first)
	}
}

// methodOr returns the kind of a value that belongs to a class: its functions are methods.
func methodOr(k Kind) Kind {
	if k == KindFunction {
		return KindMethod
	}
	return k
}

// addStatic reads X.y = function and X.prototype.y = function.
func (s *scriptScan) addStatic(h head, v scriptValue, first int) {
	owner := h.name - 2
	if s.is(owner, "prototype") && owner > first {
		owner -= 2
		h.kind = methodOr(h.kind)
	}
	h.cont = s.join(h.cont, ".", s.text(owner))
	s.addNamed(h, v)
}

// addNamed adds a function or class that an assignment names.
func (s *scriptScan) addNamed(h head, v scriptValue) {
	s.add(h)
	kind := scopeFunc
	if v.kind == KindClass {
		kind = scopeClass
	}
	if v.body > 0 {
		s.noteBody(v.body, scope{kind: kind, cont: s.join(h.cont, ".", s.text(h.name)), name: h.name, exported: kind == scopeClass && h.exported})
	}
}
