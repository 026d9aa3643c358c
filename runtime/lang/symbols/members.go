package symbols

// How many words may modify a declaration before its keyword, and before the annotations that precede those; and how
// many tokens the type before the word operator may have.
const (
	maxModifiers      = 10
	maxFirstModifiers = 8
	maxOperatorType   = 8
)

// members reads what several languages with classes have in common: modifiers before a keyword, lists of fields, enum
// constants.
type members struct{ *file }

// modifiers is the meaning of the words and annotations before a declaration.
type modifiers struct {
	from, next int  // first modifier after the annotations; first other token
	private    bool // private, or package-private if that is the default
	constant   bool // static final
}

// readModified reads the modifiers and annotations before the keyword at i into a head.
func (s members) readModified(i int, modifier func(word string) (ok, hides bool)) head {
	from, hidden := i, false
	for n := 0; n < maxModifiers && s.isIdent(from-1); n++ {
		ok, hides := modifier(string(s.text(from - 1)))
		if !ok {
			break
		}
		from--
		hidden = hidden || hides
	}
	doc := s.decoratorsBefore(from)
	for n := 0; n < maxFirstModifiers && doc < from && s.isIdent(doc-1); n++ { // modifiers before annotations
		if ok, hides := modifier(string(s.text(doc - 1))); !ok {
			break
		} else if hides {
			hidden = true
		}
		doc--
	}
	sc := s.scope()
	return head{doc: doc, from: from, cont: sc.cont, exported: sc.exported && !hidden}
}

// skipHead returns the token after a header that continues at j: a brace, an equals sign, or the start of the next
// statement. A class header has no value.
func (s members) skipHead(j int, class bool) int {
	for j < s.limit && s.spend() {
		switch c := s.punct(j); {
		case c == '{' || c == ';' || s.isCloser(j) || c == '=' && !class:
			return j
		case c == '<':
			j = max(s.skipAngles(j), j+1)
		case s.startsLine(j) && !s.carriesOn(j) && !s.headGoesOn(j):
			return j
		default:
			j = s.skip(j)
		}
	}
	return j
}

// headGoesOn reports whether the word at j, first on its line, belongs to the header above it.
func (s members) headGoesOn(j int) bool {
	return s.isOneOf(j, "where", "by", "constructor", "throws", "rethrows", "async") || s.is(j+1, "constructor") ||
		s.isOneOf(j-1, "where", "by", "constructor")
}

// readFields reads "T a = 1, b[], c;".
func (s members) readFields(h head, j, end int, m modifiers) int {
	h.kind = KindField
	if m.constant {
		h.kind = KindConstant
	}
	stop := s.find(end, s.limit, ';')
	for {
		h.name = end - 1
		for s.punct(h.name) == ']' {
			h.name = s.partner(h.name) - 1
		}
		next := s.findAngled(end, stop, ',')
		if s.punct(end) == ',' {
			next = end
		}
		if s.isIdent(h.name) && h.name > j && s.scope().kind != scopeTop {
			h.to, h.end = next-1, s.lastLine(next-1)
			s.add(h)
		}
		if next >= stop {
			break
		}
		end = s.findAngled(next+1, stop, ',', '=')
	}
	return stop + 1
}

// readRecordFields reads the components of a record, whose list opens after the optional type parameters at j.
func (s members) readRecordFields(inner scope, j int) {
	if s.punct(j) == '<' {
		j = s.skipAngles(j)
	}
	if s.punct(j) != '(' {
		return
	}
	end := s.partner(j)
	for from := j + 1; from < end; {
		next := s.findAngled(from, end, ',')
		if name := next - 1; s.isIdent(name) && name > from {
			s.add(head{kind: KindField, name: name, doc: from, from: from, to: name, end: s.lineOf(name), cont: inner.cont, exported: inner.exported})
		}
		from = next + 1
	}
}

// readEnumConstant reads NAME(args) { … }. The semicolon ends the constants; after it come the other members of the
// enum.
func (s members) readEnumConstant(i int) int {
	sc := s.scope()
	if s.punct(i) == ';' {
		sc.kind = scopeClass
		return i + 1
	}
	j := s.skipDecorators(i)
	if !s.isIdent(j) {
		return s.skip(j)
	}
	end := j + 1
	if s.punct(end) == '(' {
		end = s.skip(end)
	}
	h := head{kind: KindMember, name: j, doc: i, from: j, to: end - 1, end: s.lineOf(end - 1), cont: sc.cont, exported: sc.exported}
	if s.punct(end) == '{' {
		h.end = s.lineOf(s.partner(end))
	}
	s.add(h)
	if s.punct(end) == '{' {
		return s.push(end, scope{kind: scopeClass, cont: s.join(sc.cont, ".", s.text(j)), name: j, exported: sc.exported})
	}
	return end
}

// findOperator returns the token of the word operator among the first tokens of a member, or 0.
func (s members) findOperator(j int) int {
	for k := j; k < j+maxOperatorType && (s.isIdent(k) || s.punct(k) == '.' || s.punct(k) == '<' || s.punct(k) == '>' || s.punct(k) == '?' || s.punct(k) == '['); k++ {
		if s.is(k, "operator") {
			return k
		}
	}
	return 0
}
