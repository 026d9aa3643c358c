package symbols

// scriptValue is what stands to the right of a name.
type scriptValue struct {
	kind Kind // function, class, or "" for anything else
	body int  // brace of the body or object literal, -1 without one
	to   int  // last token of the head
	end  int  // token behind the value
}

// scriptRight looks at the value that starts at j.
func (s *Scanner) scriptRight(j int) scriptValue {
	v := scriptValue{body: -1, end: s.scriptExprEnd(j)}
	v.to = v.end - 1
	if s.is(j, "class") {
		if body := s.scriptClassBody(j + 1); body > 0 {
			v.kind, v.body, v.to = KindClass, body, body-1
		}
		return v
	}
	if body, to, ok := s.scriptFuncValue(j); ok {
		v.kind, v.body, v.to = KindFunction, body, to
		return v
	}
	if s.ch(j) == '{' {
		v.body, v.to = j, j-1
	} else if k := s.scriptWrapped(j); k > 0 {
		v.body, v.to = k, k-1
	}
	return v
}

// scriptFuncValue recognises function expressions and arrow functions at j.
func (s *Scanner) scriptFuncValue(j int) (body, to int, ok bool) {
	if s.is(j, "async") && !s.nl(j+1) {
		j++
	}
	k := j
	switch {
	case s.is(j, "function"):
		if k++; s.ch(k) == '*' {
			k++
		}
		if s.ident(k) {
			k++
		}
		body, to = s.scriptHead(k)
		return body, to, body > 0
	case s.ident(j):
		k++
	case s.ch(j) == '<':
		if k = s.pastAngle(j); s.ch(k) != '(' {
			return -1, 0, false
		}
		fallthrough
	case s.ch(j) == '(':
		if k = s.past(k); s.ch(k) == ':' {
			k = s.scriptType(k+1, true)
		}
	}
	if k == j || s.ch(k) != opFatArrow {
		return -1, 0, false
	}
	if s.ch(k+1) == '{' {
		return k + 1, k, true
	}
	return -1, k, true
}

// scriptWrapped is the brace of an object literal that is the first argument
// of a call, as in Object.freeze({…}), or -1.
func (s *Scanner) scriptWrapped(j int) int {
	for n := 0; n < 8 && s.ident(j) && s.ch(j+1) == '.'; n++ {
		j += 2
	}
	if s.ident(j) && s.ch(j+1) == '(' && s.ch(j+2) == '{' {
		return j + 2
	}
	return -1
}

// exprCache remembers where an expression ends, so that a chain a = b = c is
// not walked to its end from every link.
type exprCache struct{ scope, from, end int }

// scriptExprEnd is the token behind the expression that starts at j.
func (s *Scanner) scriptExprEnd(j int) int {
	open := s.scope().open
	if s.expr.scope == open && s.expr.from <= j && j < s.expr.end {
		return s.expr.end
	}
	end := j
	if !s.closer(j) {
		end = s.past(j)
	}
	for end < s.limit && end > j && s.spend() {
		if c := s.ch(end); c == ',' || c == ';' || s.closer(end) || s.nl(end) && !s.carries(end) {
			break
		}
		if k := s.pastArguments(end); k > end {
			end = k
			continue
		}
		end = s.past(end)
	}
	s.expr = exprCache{open, j, end}
	return end
}

// pastArguments is the token behind the type arguments of a call, new Map<K,
// V>(), that open at i; i where a comparison is meant.
func (s *Scanner) pastArguments(i int) int {
	if s.lang == JavaScript || s.ch(i) != '<' || !s.ident(i-1) {
		return i
	}
	if k := s.pastAngle(i); k > i && s.ch(k) == '(' {
		return k
	}
	return i
}

// scriptVars reads const, let and var. Values other than functions and classes
// count at module level alone. Names taken apart from an object do not count.
func (s *Scanner) scriptVars(i int) int {
	if s.is(i+1, "enum") && !s.nl(i+1) {
		return i + 1
	}
	from, exported := s.scriptFrom(i)
	h := head{doc: from, from: from, cont: s.scope().cont, exported: exported && s.scope().exported}
	kind, next := KindVariable, 0
	if s.is(i, "const") {
		kind = KindConstant
	}
	for j, n := i+1, 0; s.ident(j) || s.ch(j) == '{' || s.ch(j) == '['; n++ {
		h.name = j
		j = s.past(j)
		if s.ch(j) == '!' {
			j++
		}
		if s.ch(j) == ':' {
			j = s.scriptType(j+1, false)
		}
		if next == 0 {
			next = j
		}
		end := j
		if s.ch(j) == '=' {
			end = s.scriptVar(kind, h, j+1)
		} else if s.ident(h.name) && !s.oneOf(j, "of", "in") {
			s.scriptPlain(kind, h, j-1)
		}
		if s.ch(end) != ',' {
			break
		}
		j = end + 1
	}
	return max(next, i+1)
}

// scriptVar adds a name with a value and notes the value's body.
func (s *Scanner) scriptVar(kind Kind, h head, j int) (end int) {
	if !s.ident(h.name) {
		return s.scriptTaken(kind, h, s.scriptExprEnd(j))
	}
	v := s.scriptRight(j)
	h.to, h.end = v.to, s.lineOf(v.end-1)
	switch {
	case v.kind == KindFunction:
		h.kind = KindFunction
		s.add(h)
		s.scriptBody(v.body, h.name, scopeFunc, false)
	case v.kind == KindClass:
		h.kind = KindClass
		s.add(h)
		s.scriptBody(v.body, h.name, scopeClass, s.scope().exported)
	case s.moduleLevel():
		h.kind = kind
		s.add(h)
		s.scriptBody(v.body, h.name, scopeExports, s.scope().exported)
	}
	return v.end
}

// scriptTaken adds the names of export const { a, b: c } = value.
func (s *Scanner) scriptTaken(kind Kind, h head, end int) int {
	open := h.name
	if !h.exported || s.ch(open) != '{' {
		return end
	}
	h.kind, h.to, h.end = kind, end-1, s.lineOf(end-1)
	for j := open + 1; j < s.closing(open); j++ {
		if c := s.ch(j + 1); s.ident(j) && (c == ',' || c == '}' || c == '=') && s.ch(j-1) != opSpread {
			h.name = j
			s.add(h)
		}
	}
	return end
}

// scriptPlain adds a name without a value.
func (s *Scanner) scriptPlain(kind Kind, h head, to int) {
	if s.moduleLevel() {
		h.kind, h.to, h.end = kind, to, s.lineOf(to)
		s.add(h)
	}
}

// moduleLevel says that names here outlive any call.
func (s *Scanner) moduleLevel() bool {
	k := s.scope().kind
	return k == scopeTop || k == scopeModule
}

// scriptAssign looks at the assignment whose equals sign is at i.
func (s *Scanner) scriptAssign(i int) {
	first := i - 1
	for n := 0; n < 6 && s.ident(first) && s.ch(first-1) == '.'; n++ {
		first -= 2
	}
	if !s.ident(i-1) || !s.ident(first) || s.ch(first-1) == '.' {
		return
	}
	if !s.scriptNamesValue(first, i) {
		return
	}
	v := s.scriptRight(i + 1)
	h := head{kind: v.kind, name: i - 1, doc: first, from: first, to: v.to, end: s.lineOf(v.end - 1), cont: s.scope().cont, exported: s.scope().exported}
	switch {
	case s.is(first, "module") && s.is(i-1, "exports"):
		s.scriptExported(v, i+1)
	case s.is(first, "exports") && first == i-3, s.is(first, "module") && s.is(first+2, "exports") && first == i-5:
		s.scriptExportedName(h, v, i+1)
	case s.is(i-1, "prototype") && v.body > 0 && v.kind == "":
		s.body(v.body, scope{kind: scopeObject, cont: s.join(h.cont, ".", s.text(i-3)), exported: true})
	case v.kind == "" && s.is(i-3, "prototype") && s.ch(i-2) == '.':
		h.kind = KindMethod
		s.scriptStatic(h, v, first)
	case v.kind == "":
	case first == i-1:
		if s.moduleLevel() && s.scriptStatement(first) {
			s.scriptNamed(h, v)
		}
	case s.is(first, "this"):
		h.kind, h.cont = methodOr(v.kind), s.classCont()
		s.scriptNamed(h, v)
	default:
		s.scriptStatic(h, v, first)
	}
}

// scriptNamesValue says that the assignment at i, whose left side starts at
// first, can define something: an export, a prototype, a function or a class.
func (s *Scanner) scriptNamesValue(first, i int) bool {
	if s.is(first, "module") || s.is(first, "exports") || s.is(i-1, "prototype") || s.is(i-3, "prototype") || s.is(i+1, "class") {
		return true
	}
	_, _, ok := s.scriptFuncValue(i + 1)
	return ok
}

// scriptStatement says that a statement starts at token i.
func (s *Scanner) scriptStatement(i int) bool {
	c := s.ch(i - 1)
	return i == 0 || s.nl(i) && !s.carries(i) || c == ';' || c == '}' || c == '{' || c == '='
}

func methodOr(k Kind) Kind {
	if k == KindFunction {
		return KindMethod
	}
	return k
}

// scriptStatic reads X.y = function and X.prototype.y = function.
func (s *Scanner) scriptStatic(h head, v scriptValue, first int) {
	owner := h.name - 2
	if s.is(owner, "prototype") && owner > first {
		owner -= 2
		h.kind = methodOr(h.kind)
	}
	h.cont = s.join(h.cont, ".", s.text(owner))
	s.scriptNamed(h, v)
}

// scriptNamed adds a function or class that an assignment names.
func (s *Scanner) scriptNamed(h head, v scriptValue) {
	s.add(h)
	kind := scopeFunc
	if v.kind == KindClass {
		kind = scopeClass
	}
	if v.body > 0 {
		s.body(v.body, scope{kind: kind, cont: s.join(h.cont, ".", s.text(h.name)), name: h.name, exported: kind == scopeClass && h.exported})
	}
}

// classCont is the container that this.x = … adds to: the class around the
// method, or the function that serves as a constructor.
func (s *Scanner) classCont() span {
	for n := len(s.scopes) - 1; n > 0; n-- {
		if s.scopes[n].kind == scopeClass {
			return s.scopes[n].cont
		}
	}
	return s.scope().cont
}
