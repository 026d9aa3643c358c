package symbols

// How many words or names are searched.
const (
	maxScriptModifiers = 5  // before a declaration's keyword
	maxImportSteps     = 64 // from import to the module's name
	maxCalleeNames     = 8  // of a call a.b.c({…})
)

// scriptSyntax parses parts of JavaScript and TypeScript: headers, types, values and modifiers, and the starts of
// statements. It adds nothing to the outline.
type scriptSyntax struct{ *file }

// kindOfBrace returns the kind of scope that the brace at i opens. The members of an object literal count if the object
// is returned, assigned or part of one that counts. In call arguments they are mere settings: a thousand handlers in a
// test.
func (s scriptSyntax) kindOfBrace(i int, outer scopeKind) scopeKind {
	switch s.punct(i - 1) {
	case '=', '?', opLogic, opUpdate:
		return scopeObject
	case ':':
		if outer == scopeObject || outer == scopeExports {
			return scopeObject
		}
		return scopeExpr
	case '(':
		if s.punct(i-2) == opFatArrow {
			return scopeObject
		}
		return scopeExpr
	case ',', '[', opSpread:
		return scopeExpr
	}
	if s.isOneOf(i-1, "return", "default", "yield", "await", "in", "of", "new") && !s.startsLine(i) {
		return scopeObject
	}
	return scopeBlock
}

// startsDeclaration reports whether a contextual keyword at i starts a declaration: a statement may start there, and a
// name follows on the same line.
func (s scriptSyntax) startsDeclaration(i int) bool {
	switch s.punct(i - 1) {
	case ';', '{', '}':
	default:
		if i > 0 && !s.startsLine(i) && !s.isOneOf(i-1, "export", "declare", "default", "const") {
			return false
		}
	}
	if s.startsLine(i + 1) {
		return false
	}
	return s.isIdent(i+1) || s.isString(i+1) || s.is(i, "global") && s.punct(i+1) == '{'
}

// modifiersBefore returns the first modifier before the keyword at i, or i, and whether export is among them.
func (s scriptSyntax) modifiersBefore(i int) (from int, exported bool) {
	for n := 0; n < maxScriptModifiers && s.isOneOf(i-1, "export", "default", "declare", "async", "abstract", "const") && s.punct(i-2) != '.' && !s.isConstAssertion(i-1); n++ {
		i--
		exported = exported || s.is(i, "export")
	}
	return i, exported
}

// isConstAssertion reports whether the word at i ends a value, as in `{ a: 1 } as const`.
func (s scriptSyntax) isConstAssertion(i int) bool {
	return s.is(i, "const") && (s.is(i-1, "as") && !s.startsLine(i) || s.punct(i-1) == '<' && s.punct(i+1) == '>')
}

// skipHead skips type parameters, parameters and the return type from j on. It returns the brace of the body, or -1
// without one, and the last token before it.
func (s scriptSyntax) skipHead(j int) (body, to int) {
	if s.punct(j) == '<' {
		j = s.skipAngles(j)
	}
	if s.punct(j) != '(' {
		return -1, j - 1
	}
	j = s.skip(j)
	if s.punct(j) == ':' {
		j = s.skipType(j+1, false)
	}
	if s.punct(j) == '{' {
		return j, j - 1
	}
	return -1, j - 1
}

// skipType returns the token after a type that starts at j. A fat arrow belongs to a function type, unless the type is
// the result of an arrow function.
func (s scriptSyntax) skipType(j int, result bool) int {
	for end, angle := min(s.limit, j+maxTypeTokens), 0; j < end && s.spend(); {
		switch s.punct(j) {
		case '{':
			if !s.isTypeBrace(j) {
				return j
			}
		case '<':
			angle++
		case '>':
			angle--
		case opFatArrow:
			if result && angle == 0 {
				return j
			}
		case ',', '=':
			if angle <= 0 {
				return j
			}
		case ';', ')', ']', '}':
			return j
		}
		j = s.skip(j)
		if angle <= 0 && s.startsLine(j) && !s.carriesOn(j) {
			return j
		}
	}
	return j
}

// isTypeBrace reports whether the brace at j is part of a type, because a token that types follow precedes it.
func (s scriptSyntax) isTypeBrace(j int) bool {
	switch s.punct(j - 1) {
	case ':', '|', '&', '<', ',', '?', '=', '(', '[', opFatArrow:
		return true
	}
	return s.isOneOf(j-1, "is", "extends", "keyof", "readonly", "infer", "asserts", "in")
}

// findClassBody returns the brace of the class whose header continues at j, or -1.
func (s scriptSyntax) findClassBody(j int) int {
	for end := min(s.limit, j+maxTypeTokens); j < end && s.spend(); {
		switch s.punct(j) {
		case '{':
			return j
		case '<':
			if k := s.skipAngles(j); k > j {
				j = k
				continue
			}
		case ';', ')', '}', ']', '=', opFatArrow:
			return -1
		}
		j = s.skip(j)
	}
	return -1
}

// skipImport skips an import statement.
func (s scriptSyntax) skipImport(i int) int {
	if s.punct(i+1) == '(' || s.punct(i+1) == '.' {
		return i + 1
	}
	j := i + 1
	for n := 0; n < maxImportSteps && j < s.limit && !s.isString(j) && s.punct(j) != ';' && s.punct(j) != '='; n++ {
		j = s.skip(j)
	}
	return j + 1
}

// skipModifiers skips the words that modify the member after them. Each word may also be the member's own name; then no
// other name follows it.
func (s scriptSyntax) skipModifiers(j int) (name int, private bool) {
	for {
		switch string(s.text(j)) {
		case "private", "protected":
			private = s.hasNameAt(j+1) || private
		case "public", "static", "readonly", "abstract", "override", "async", "get", "set", "declare", "accessor":
		case "*":
			j++
			continue
		default:
			return j, private
		}
		if !s.hasNameAt(j + 1) {
			return j, private
		}
		j++
	}
}

// hasNameAt reports whether a member's name, or another modifier, is at j.
func (s scriptSyntax) hasNameAt(j int) bool {
	switch s.punct(j) {
	case '[', '*':
		return true
	case '{':
		return s.is(j-1, "static")
	}
	return s.isIdent(j) || s.isString(j) || s.token(j).kind == tokNumber
}

// skipParams lets the walk continue in the parameters, whose defaults may contain functions, and then in the body.
func (s scriptSyntax) skipParams(j, body int) int {
	if s.punct(j) == '<' {
		j = s.skipAngles(j)
	}
	if s.partner(j)+1 < body { // a return type, in which braces are not blocks
		return body
	}
	return j
}

// readFuncValue recognizes function expressions and arrow functions at j.
func (s scriptSyntax) readFuncValue(j int) (body, to int, ok bool) {
	if s.is(j, "async") && !s.startsLine(j+1) {
		j++
	}
	k := j
	switch {
	case s.is(j, "function"):
		if k++; s.punct(k) == '*' {
			k++
		}
		if s.isIdent(k) {
			k++
		}
		body, to = s.skipHead(k)
		return body, to, body > 0
	case s.isIdent(j):
		k++
	case s.punct(j) == '<':
		if k = s.skipAngles(j); s.punct(k) != '(' {
			return -1, 0, false
		}
		fallthrough
	case s.punct(j) == '(':
		if k = s.skip(k); s.punct(k) == ':' {
			k = s.skipType(k+1, true)
		}
	}
	if k == j || s.punct(k) != opFatArrow {
		return -1, 0, false
	}
	if s.punct(k+1) == '{' {
		return k + 1, k, true
	}
	return -1, k, true
}

// findWrapped returns the brace of an object literal that is the first argument of a call, as in Object.freeze({…}), or
// -1.
func (s scriptSyntax) findWrapped(j int) int {
	for n := 0; n < maxCalleeNames && s.isIdent(j) && s.punct(j+1) == '.'; n++ {
		j += 2
	}
	if s.isIdent(j) && s.punct(j+1) == '(' && s.punct(j+2) == '{' {
		return j + 2
	}
	return -1
}

// skipTypeArguments returns the token after the type arguments of a call, new Map<K, V>(), that open at i, or i for a
// comparison.
func (s scriptSyntax) skipTypeArguments(i int) int {
	if s.lang == JavaScript || s.punct(i) != '<' || !s.isIdent(i-1) {
		return i
	}
	if k := s.skipAngles(i); k > i && s.punct(k) == '(' {
		return k
	}
	return i
}

// atModuleLevel reports whether names here outlive any call.
func (s scriptSyntax) atModuleLevel() bool {
	k := s.scope().kind
	return k == scopeTop || k == scopeModule
}

// namesValue reports whether the assignment at i, whose left side starts at first, may define something: an export, a
// prototype, a function or a class.
func (s scriptSyntax) namesValue(first, i int) bool {
	if s.is(first, "module") || s.is(first, "exports") || s.is(i-1, "prototype") || s.is(i-3, "prototype") || s.is(i+1, "class") {
		return true
	}
	_, _, ok := s.readFuncValue(i + 1)
	return ok
}

// startsStatement reports whether a statement starts at token i.
func (s scriptSyntax) startsStatement(i int) bool {
	c := s.punct(i - 1)
	return i == 0 || s.startsLine(i) && !s.carriesOn(i) || c == ';' || c == '}' || c == '{' || c == '='
}

// classContainer returns the container for this.x = …: the class around the method, or the function that serves as a
// constructor.
func (s scriptSyntax) classContainer() span {
	for n := len(s.scopes) - 1; n > 0; n-- {
		if s.scopes[n].kind == scopeClass {
			return s.scopes[n].cont
		}
	}
	return s.scope().cont
}
