package symbols

// How many tokens are searched for a name.
const (
	maxParamModifiers = 16 // annotations and the like before val in a parameter
	maxReceiverTokens = 64 // of the receiver type of a function
	maxPropertyTokens = 24 // of the receiver type of a property
)

// kotlinScan reads Kotlin.
type kotlinScan struct{ members }

func (s kotlinScan) scan() { s.walk(s.readItem) }

// anchors reports whether a word that starts a declaration is at i, in the first column.
func (s kotlinScan) anchors(i int) bool {
	return s.inFirstColumn(i) && s.isOneOf(i, "public", "import", "class", "interface", "fun")
}

// readItem reads one token of a file or class body; bodies of functions and initializers are skipped as a whole.
func (s kotlinScan) readItem(i int) int {
	sc := s.scope()
	if sc.kind == scopeEnum {
		return s.readEnumConstant(i)
	}
	if !s.isIdent(i) || s.punct(i-1) == opScope || s.punct(i-1) == '.' {
		return s.skip(i)
	}
	switch string(s.text(i)) {
	case "class", "interface", "object":
		return s.readClass(i)
	case "fun":
		if !s.is(i+1, "interface") {
			return s.readFun(i)
		}
	case "val", "var":
		return s.readProperty(i)
	case "typealias":
		if s.isIdent(i + 1) {
			end := s.findStatementEnd(i, s.limit)
			h := s.readModified(i, kotlinModifier)
			h.kind, h.name, h.to, h.end = KindType, i+1, end, s.lineOf(end)
			s.add(h)
			return end + 1
		}
	case "import", "package":
		return s.findStatementEnd(i, s.limit) + 1
	case "constructor", "init":
		return s.skip(s.skipHead(i+1, true))
	}
	return i + 1
}

// kotlinModifier reports whether a word modifies a declaration, and whether it hides it.
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

// readClass reads a class, interface or object.
func (s kotlinScan) readClass(i int) int {
	h := s.readModified(i, kotlinModifier)
	h.kind, h.name = KindClass, i+1
	kind := scopeClass
	switch {
	case s.is(i, "interface"):
		h.kind, kind = KindInterface, scopeContract
	case s.is(i-1, "enum"):
		h.kind, kind = KindEnum, scopeEnum
	}
	cont := h.cont
	if !s.isIdent(h.name) || s.startsLine(h.name) {
		if !s.is(i, "object") || !s.is(i-1, "companion") {
			return i + 1
		}
		h.name, h.as = i, []byte("Companion")
	} else {
		cont = s.join(cont, ".", s.text(h.name))
	}
	end := s.skipHead(max(h.name, i)+1, true)
	h.to, h.end = end-1, s.lineOf(end-1)
	inner := scope{kind: kind, cont: cont, name: h.name, exported: h.exported}
	if s.punct(end) == '{' {
		h.end = s.lineOf(s.partner(end))
	}
	s.add(h)
	s.readParams(inner, h.name+1, end)
	if s.punct(end) == '{' {
		return s.push(end, inner)
	}
	return end
}

// readParams reads the parameters of a primary constructor that are properties as well.
func (s kotlinScan) readParams(inner scope, j, end int) {
	open := s.findAngled(j, end, '(', ':')
	if s.punct(open) != '(' || open >= end {
		return
	}
	stop := min(s.partner(open), end)
	for from := open + 1; from < stop; {
		next := s.findAngled(from, stop, ',')
		for k := from; k < min(next, from+maxParamModifiers); k++ {
			if s.isOneOf(k, "val", "var") && s.isIdent(k+1) {
				h := s.readModified(k, kotlinModifier)
				h.kind, h.name, h.to, h.end, h.cont = KindField, k+1, next-1, s.lineOf(next-1), inner.cont
				s.add(h)
				break
			}
		}
		from = max(next, from) + 1
	}
}

// readFun reads fun <T> Receiver.name(params): R, with a block, a value or neither.
func (s kotlinScan) readFun(i int) int {
	j := i + 1
	if s.punct(j) == '<' {
		j = s.skipAngles(j)
	}
	open := s.findAngled(j, min(s.limit, j+maxReceiverTokens), '(', '{', '=', ';')
	if s.punct(open) == '(' && s.punct(s.skip(open)) == '.' { // a function type as receiver
		open = s.findAngled(s.skip(open), s.limit, '(', '{', '=', ';')
	}
	name := open - 1
	if s.punct(open) != '(' || !s.isIdent(name) || name < j {
		return i + 1
	}
	h := s.readModified(i, kotlinModifier)
	h.kind, h.name = KindFunction, name
	if h.cont.n > 0 {
		h.kind = KindMethod
	}
	s.readReceiver(&h, j)
	end := s.skipHead(s.skip(open), false)
	h.to, h.end = end-1, s.lineOf(end-1)
	next := end
	switch s.punct(end) {
	case '{':
		h.end, next = s.lineOf(s.partner(end)), s.skip(end)
	case '=':
		next = s.findStatementEnd(end, s.limit) + 1
		h.end = s.lineOf(next - 1)
	}
	s.add(h)
	return next
}

// readReceiver makes the receiver type of a function its container.
func (s kotlinScan) readReceiver(h *head, j int) {
	dot := h.name - 1
	if s.punct(dot) != '.' || dot <= j {
		return
	}
	owner := s.beforeAngles(dot)
	if s.punct(owner) == '?' {
		owner = s.beforeAngles(owner)
	}
	if s.isIdent(owner) && owner >= j {
		h.cont = s.join(h.cont, ".", s.text(owner))
	}
}

// readProperty reads val and var.
func (s kotlinScan) readProperty(i int) int {
	j := i + 1
	if s.punct(j) == '<' {
		j = s.skipAngles(j)
	}
	end := s.findStatementEnd(i, s.limit)
	stop := s.findAngled(j, end+1, ':', '=', '{')
	name := j
	for k := j; k < min(stop, j+maxPropertyTokens) && !(s.startsLine(k) && k > j) && !s.is(k, "by") && !(k > j && s.isOneOf(k, "get", "set") && s.punct(k+1) == '('); k++ {
		if s.isIdent(k) {
			name = k
		}
	}
	if !s.isIdent(name) {
		return end + 1
	}
	h := s.readModified(i, kotlinModifier)
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
	if s.punct(stop) == '{' {
		h.to = stop - 1
	}
	s.readReceiver(&h, j)
	s.add(h)
	return end + 1
}
