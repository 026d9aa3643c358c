package symbols

// C and C++. A declaration is read up to the brace, semicolon or equals sign that decides what it is; function bodies
// are skipped as a whole.

// How far a declaration is searched for the deciding token. Real declarations are shorter; a macro without an end or a
// hostile file must not cause a long search at every token.
const (
	maxPointerTokens    = 12  // from a parenthesis to the pointer's name in it
	maxConventionTokens = 3   // from a parenthesis to its star, after CALLBACK or T::
	maxDeclaratorTokens = 16  // in the parentheses around a declared name
	maxOperatorTokens   = 12  // from the word operator to its parameters
	maxOldStyleSteps    = 128 // over parameters declared after the parentheses
	maxTypedefHead      = 3   // lines from a typedef's keyword to its name that one signature covers
)

// cScan reads C and C++.
type cScan struct{ *file }

func (s cScan) scan() {
	s.findMakers()
	s.walk(s.readDecl)
	s.readMacros()
}

// readDecl reads at token i, outside of function bodies.
func (s cScan) readDecl(i int) int {
	switch sc := s.scope(); {
	case sc.kind == scopeExpr: // what follows the body of a type
		return s.skip(i)
	case s.token(i).kind == tokDirective || s.punct(i) == ';':
		return i + 1
	case sc.kind == scopeEnum:
		return s.readEnumerator(i)
	case s.punct(i) == '{':
		return s.skip(i)
	case sc.kind == scopeClass && s.readAccess(i) > 0:
		return s.readAccess(i)
	}
	h := cDeclaration{cScan: s, doc: i, agg: -1, name: -1, paren: -1, pointer: -1}
	j := s.skipPrefix(i)
	h.from = j
	switch string(s.text(j)) {
	case "namespace":
		return s.readNamespace(j, j+1)
	case "inline":
		if s.is(j+1, "namespace") {
			return s.readNamespace(j, j+2)
		}
	case "extern":
		if s.isString(j + 1) {
			if s.punct(j+2) == '{' {
				return s.push(j+2, scope{kind: scopeModule, cont: s.scope().cont, exported: s.scope().exported})
			}
			h.from = j + 2
		}
	case "using":
		return h.readUsing()
	case "typedef":
		return h.readTypedef()
	case "static_assert", "_Static_assert", "asm", "__extension__":
		return j + 1
	}
	return h.read(h.from)
}

// skipPrefix skips template headers, attributes and the like.
func (s cScan) skipPrefix(i int) int {
	for i < s.limit {
		switch {
		case s.is(i, "template") && s.punct(i+1) == '<':
			i = max(s.skipAngles(i+1), i+2)
		case s.punct(i) == '[' && s.punct(i+1) == '[':
			i = s.skip(i)
		case s.isOneOf(i, "template", "friend", "export"):
			i++
		case s.token(i).kind == tokDirective:
			i++
		default:
			return i
		}
	}
	return i
}

// readAccess reads "public:" and the like at i and returns the token after it, or 0 if there is none.
func (s cScan) readAccess(i int) int {
	hidden := s.isOneOf(i, "private", "protected")
	if !hidden && !s.isOneOf(i, "public", "signals", "Q_SIGNALS") {
		return 0
	}
	j := i + 1
	if s.isOneOf(j, "slots", "Q_SLOTS") {
		j++
	}
	if s.punct(j) != ':' {
		return 0
	}
	s.scope().hidden = hidden
	return j + 1
}

// readNamespace enters the namespace whose name starts at i.
func (s cScan) readNamespace(keyword, i int) int {
	first := i
	for s.punct(i) == '[' {
		i = s.skip(i)
	}
	for s.isIdent(i) && (s.punct(i+1) == opScope || s.isIdent(i+1)) {
		i++
		if s.punct(i) == opScope {
			i++
		}
	}
	body := i
	if s.isIdent(i) {
		body++
	}
	if s.punct(body) != '{' {
		return s.find(i, s.limit, ';', '{') + 1
	}
	sc := scope{kind: scopeModule, cont: s.scope().cont, exported: s.scope().exported && s.isIdent(i)}
	if s.isIdent(i) {
		outer := sc.cont
		if i > first && s.punct(i-1) == opScope {
			outer = s.join(outer, "::", s.src[s.token(first).off:s.token(i-2).end])
		}
		sc.cont = s.join(outer, "::", s.text(i))
		s.add(head{kind: KindModule, name: i, doc: keyword, from: keyword, to: i, end: s.lineOf(s.partner(body)), cont: outer, exported: sc.exported})
	}
	return s.push(body, sc)
}

// readEnumerator reads one member of an enum.
func (s cScan) readEnumerator(i int) int {
	sc := s.scope()
	if !s.isIdent(i) {
		return s.skip(i)
	}
	end := s.find(i, sc.close, ',')
	s.add(head{kind: KindMember, name: i, doc: i, from: i, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported && !sc.hidden})
	return end
}
