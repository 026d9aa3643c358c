package symbols

// kotlinItem looks at one token of a file or class body; bodies of functions
// and initialisers are passed over whole.
func (s *Scanner) kotlinItem(i int) int {
	sc := s.scope()
	if sc.kind == scopeEnum {
		return s.javaEnumConstant(i)
	}
	if !s.ident(i) || s.ch(i-1) == opScope || s.ch(i-1) == '.' {
		return s.past(i)
	}
	switch string(s.text(i)) {
	case "class", "interface", "object":
		return s.kotlinClass(i)
	case "fun":
		if !s.is(i+1, "interface") {
			return s.kotlinFun(i)
		}
	case "val", "var":
		return s.kotlinProperty(i)
	case "typealias":
		if s.ident(i + 1) {
			end := s.lineEnd(i, s.limit)
			h := s.modified(i, kotlinModifier)
			h.kind, h.name, h.to, h.end = KindType, i+1, end, s.lineOf(end)
			s.add(h)
			return end + 1
		}
	case "import", "package":
		return s.lineEnd(i, s.limit) + 1
	case "constructor", "init":
		return s.past(s.kotlinTail(i+1, true))
	}
	return i + 1
}

// modified goes back over modifiers and annotations before the keyword at i.
func (s *Scanner) modified(i int, modifier func(word string) (ok, hides bool)) head {
	from, hidden := i, false
	for n := 0; n < 10 && s.ident(from-1); n++ {
		ok, hides := modifier(string(s.text(from - 1)))
		if !ok {
			break
		}
		from--
		hidden = hidden || hides
	}
	doc := s.decorators(from)
	for n := 0; n < 8 && doc < from && s.ident(doc-1); n++ { // modifiers before annotations
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

func kotlinModifier(word string) (ok, hides bool) {
	switch word {
	case "private", "internal", "protected":
		return true, word != "protected"
	case "public", "open", "abstract", "sealed", "final", "data", "inner", "enum", "annotation", "value", "inline",
		"override", "lateinit", "const", "suspend", "operator", "infix", "tailrec", "external", "expect", "actual",
		"companion", "fun":
		return true, false
	}
	return false, false
}

// kotlinTail is the token behind a head that goes on at j: a brace, an equals
// sign, or the start of the next statement. In a class head there is no value.
func (s *Scanner) kotlinTail(j int, class bool) int {
	for j < s.limit && s.spend() {
		switch c := s.ch(j); {
		case c == '{' || c == ';' || s.closer(j) || c == '=' && !class:
			return j
		case c == '<':
			j = max(s.pastAngle(j), j+1)
		case s.nl(j) && !s.carries(j) && !s.headGoesOn(j):
			return j
		default:
			j = s.past(j)
		}
	}
	return j
}

// headGoesOn says that the word at j, first on its line, belongs to the head
// above it.
func (s *Scanner) headGoesOn(j int) bool {
	return s.oneOf(j, "where", "by", "constructor", "throws", "rethrows", "async") || s.is(j+1, "constructor") ||
		s.oneOf(j-1, "where", "by", "constructor")
}

func (s *Scanner) kotlinClass(i int) int {
	h := s.modified(i, kotlinModifier)
	h.kind, h.name = KindClass, i+1
	kind := scopeClass
	switch {
	case s.is(i, "interface"):
		h.kind, kind = KindInterface, scopeContract
	case s.is(i-1, "enum"):
		h.kind, kind = KindEnum, scopeEnum
	}
	cont := h.cont
	if !s.ident(h.name) || s.nl(h.name) {
		if !s.is(i, "object") || !s.is(i-1, "companion") {
			return i + 1
		}
		h.name, h.as = i, []byte("Companion")
	} else {
		cont = s.join(cont, ".", s.text(h.name))
	}
	end := s.kotlinTail(max(h.name, i)+1, true)
	h.to, h.end = end-1, s.lineOf(end-1)
	inner := scope{kind: kind, cont: cont, name: h.name, exported: h.exported}
	if s.ch(end) == '{' {
		h.end = s.lineOf(s.closing(end))
	}
	s.add(h)
	s.kotlinParams(inner, h.name+1, end)
	if s.ch(end) == '{' {
		return s.push(end, inner)
	}
	return end
}

// kotlinParams reads the parameters of a primary constructor that are
// properties as well.
func (s *Scanner) kotlinParams(inner scope, j, end int) {
	open := s.findAngled(j, end, '(', ':')
	if s.ch(open) != '(' || open >= end {
		return
	}
	stop := min(s.closing(open), end)
	for from := open + 1; from < stop; {
		next := s.findAngled(from, stop, ',')
		for k := from; k < min(next, from+16); k++ {
			if s.oneOf(k, "val", "var") && s.ident(k+1) {
				h := s.modified(k, kotlinModifier)
				h.kind, h.name, h.to, h.end, h.cont = KindField, k+1, next-1, s.lineOf(next-1), inner.cont
				s.add(h)
				break
			}
		}
		from = max(next, from) + 1
	}
}

// kotlinFun reads fun <T> Receiver.name(params): R, with a block, a value or
// neither.
func (s *Scanner) kotlinFun(i int) int {
	j := i + 1
	if s.ch(j) == '<' {
		j = s.pastAngle(j)
	}
	open := s.findAngled(j, min(s.limit, j+64), '(', '{', '=', ';')
	if s.ch(open) == '(' && s.ch(s.past(open)) == '.' { // a function type as receiver
		open = s.findAngled(s.past(open), s.limit, '(', '{', '=', ';')
	}
	name := open - 1
	if s.ch(open) != '(' || !s.ident(name) || name < j {
		return i + 1
	}
	h := s.modified(i, kotlinModifier)
	h.kind, h.name = KindFunction, name
	if h.cont.n > 0 {
		h.kind = KindMethod
	}
	s.kotlinReceiver(&h, j)
	end := s.kotlinTail(s.past(open), false)
	h.to, h.end = end-1, s.lineOf(end-1)
	next := end
	switch s.ch(end) {
	case '{':
		h.end, next = s.lineOf(s.closing(end)), s.past(end)
	case '=':
		next = s.lineEnd(end, s.limit) + 1
		h.end = s.lineOf(next - 1)
	}
	s.add(h)
	return next
}

// kotlinReceiver makes the type that a function extends its container.
func (s *Scanner) kotlinReceiver(h *head, j int) {
	dot := h.name - 1
	if s.ch(dot) != '.' || dot <= j {
		return
	}
	owner := s.beforeAngle(dot)
	if s.ch(owner) == '?' {
		owner = s.beforeAngle(owner)
	}
	if s.ident(owner) && owner >= j {
		h.cont = s.join(h.cont, ".", s.text(owner))
	}
}

func (s *Scanner) kotlinProperty(i int) int {
	j := i + 1
	if s.ch(j) == '<' {
		j = s.pastAngle(j)
	}
	end := s.lineEnd(i, s.limit)
	stop := s.findAngled(j, end+1, ':', '=', '{')
	name := j
	for k := j; k < min(stop, j+24) && !(s.nl(k) && k > j) && !s.is(k, "by") && !(k > j && s.oneOf(k, "get", "set") && s.ch(k+1) == '('); k++ {
		if s.ident(k) {
			name = k
		}
	}
	if !s.ident(name) {
		return end + 1
	}
	h := s.modified(i, kotlinModifier)
	h.kind, h.name, h.to, h.end = KindVariable, name, end, s.lineOf(end)
	switch {
	case s.scope().kind == scopeClass || s.scope().kind == scopeContract:
		h.kind = KindField
	case s.is(i, "val"):
		h.kind = KindConstant
	}
	if s.is(i-1, "const") {
		h.kind = KindConstant
	}
	if s.ch(stop) == '{' {
		h.to = stop - 1
	}
	s.kotlinReceiver(&h, j)
	s.add(h)
	return end + 1
}
