package symbols

// Ruby. Blocks end with a word, and so many other things do too that pairing
// the words is guesswork in code that does not run; the column of "end" is
// what people go by, and so does this scanner.

type rubyBlock struct {
	indent int
	def    int  // index into the definitions, -1 for "class << self"
	body   bool // a method: names inside are local
	hidden bool // private methods follow
	cont   span
}

type rubyScan struct {
	s      *Scanner
	blocks []rubyBlock
}

func (s *Scanner) scanRuby() {
	r := rubyScan{s: s}
	for i := 0; i < s.limit; {
		next := i + 1
		for next < s.limit && !s.nl(next) && s.ch(next) != ';' {
			next++
		}
		r.line(i, next)
		if s.ch(next) == ';' {
			next++
		}
		i = next
	}
	for _, b := range r.blocks {
		r.end(b, s.lineOf(s.limit-1))
	}
}

// line reads the statement from token i to next.
func (r *rubyScan) line(i, next int) {
	s := r.s
	if s.nl(i) {
		r.close(i)
	}
	if s.is(i, "end") {
		return
	}
	for k := i; k < min(next, i+4); k++ {
		if s.is(k, "def") && s.ch(k-1) != '.' && s.ch(k-1) != ':' && s.tok(k+1).end > 0 {
			r.method(i, k, next)
			return
		}
	}
	if n := len(r.blocks); n > 0 && r.blocks[n-1].body {
		return
	}
	switch string(s.text(i)) {
	case "class", "module":
		r.class(i, next)
	case "private", "protected", "public":
		r.visibility(i, next)
	case "attr_accessor", "attr_reader", "attr_writer", "cattr_accessor", "mattr_accessor", "class_attribute", "define_method", "alias_method":
		r.symbols(i, next)
	case "alias":
		r.name(KindMethod, i, i+1, next-1)
	default:
		r.constant(i, next)
	}
}

// close ends the blocks that a line at token i is not inside of.
func (r *rubyScan) close(i int) {
	s := r.s
	indent := indentOf(s.src, s.tok(i).off)
	for n := len(r.blocks) - 1; n >= 0; n-- {
		b := r.blocks[n]
		if b.indent < indent || b.indent == indent && s.oneOf(i, "rescue", "ensure", "else") {
			return
		}
		line := s.lineOf(i)
		if b.indent > indent || !s.is(i, "end") {
			line = s.lastLine(i - 1)
		}
		r.end(b, line)
		r.blocks = r.blocks[:n]
		if b.indent == indent && s.is(i, "end") {
			return
		}
	}
}

func (r *rubyScan) end(b rubyBlock, line int32) {
	if b.def >= 0 {
		d := &r.s.defs[b.def]
		d.end = max(d.end, line)
	}
}

func (r *rubyScan) cont() span {
	if n := len(r.blocks); n > 0 {
		return r.blocks[n-1].cont
	}
	return span{}
}

func (r *rubyScan) hidden() bool {
	n := len(r.blocks)
	return n > 0 && r.blocks[n-1].hidden
}

// name adds a definition that ends on its line and returns its index, -1 when
// it was dropped.
func (r *rubyScan) name(kind Kind, from, name, to int) int {
	s, n := r.s, len(r.s.defs)
	h := head{kind: kind, name: name, doc: from, from: from, to: to, end: s.lastLine(to), cont: r.cont(), exported: !r.hidden()}
	if kind == KindMethod && h.cont.n == 0 {
		h.kind = KindFunction
	}
	switch kind {
	case KindMethod:
		h.as = r.methodName(name)
	case KindClass, KindModule:
		for s.ch(h.name+1) == opScope && s.ident(h.name+2) {
			h.name += 2
		}
		if h.name > name {
			h.cont = s.join(h.cont, "::", s.src[s.tok(name).off:s.tok(h.name-2).end])
		}
	}
	if s.add(h); len(s.defs) == n {
		return -1
	}
	return n
}

// methodName is the source from token i up to a blank or a parenthesis: names
// may be operators and may end with an equals sign.
func (r *rubyScan) methodName(i int) []byte {
	src, start := r.s.src, int(r.s.tok(i).off)
	end := int(r.s.tok(i).end)
	if r.s.ident(i) {
		if end+1 < len(src) && src[end] == '=' && src[end+1] != '=' && src[end+1] != '~' {
			end++
		}
		return src[start:end]
	}
	for end < len(src) && end-start < 4 && src[end] > ' ' && src[end] != '(' && src[end] != ';' && !isWord(src[end]) {
		end++
	}
	return src[start:end]
}

// method reads def name(…), whose keyword is at def on the line from i.
func (r *rubyScan) method(i, def, next int) {
	s := r.s
	name := def + 1
	if s.ident(name) && s.ch(name+1) == '.' && s.tok(name+1).off == s.tok(name).end {
		name += 2
	}
	to := name
	for k := name + 1; k < next; k++ {
		if k == name+1 && s.ch(k) == '(' {
			to = min(s.closing(k), s.limit-1)
			break
		}
		to = k
	}
	was := r.hidden()
	if n := len(r.blocks); n > 0 && def > i {
		r.blocks[n-1].hidden = was || s.oneOf(i, "private", "protected")
	}
	at := r.name(KindMethod, i, name, to)
	if n := len(r.blocks); n > 0 {
		r.blocks[n-1].hidden = was
	}
	if r.endless(name, to) || s.is(next-1, "end") && next-1 > name || r.oneLine(to) {
		return
	}
	r.blocks = append(r.blocks, rubyBlock{indent: r.column(i), def: at, body: true, cont: s.join(r.cont(), "::", r.methodName(name))})
}

// endless says that a method is written def name(args) = value.
func (r *rubyScan) endless(name, to int) bool {
	s := r.s
	for _, k := range []int{name + 1, to + 1} {
		if s.ch(k) == '=' && s.tok(k).off > s.tok(k-1).end && !s.nl(k) {
			return true
		}
	}
	return false
}

// oneLine says that "end" stands on the line of token i, further on.
func (r *rubyScan) oneLine(i int) bool {
	for k := i + 1; k < r.s.limit && !r.s.nl(k) && k < i+200; k++ {
		if r.s.is(k, "end") && r.s.ch(k-1) == ';' || r.s.is(k, "end") && r.s.nl(k+1) {
			return true
		}
	}
	return false
}

func (r *rubyScan) column(i int) int {
	for n := 0; i > 0 && !r.s.nl(i) && n < 64; n++ {
		i--
	}
	return indentOf(r.s.src, r.s.tok(i).off)
}

// class reads class A::B < C, class << self and module M.
func (r *rubyScan) class(i, next int) {
	s := r.s
	b := rubyBlock{indent: r.column(i), def: -1, cont: r.cont()}
	if s.ch(i+1) == opScope {
		i++
	}
	if s.ident(i + 1) {
		kind := KindModule
		if s.is(i, "class") || s.is(i-1, "class") {
			kind = KindClass
		}
		last := i + 1
		for s.ch(last+1) == opScope && s.ident(last+2) {
			last += 2
		}
		b.def = r.name(kind, i, i+1, next-1)
		b.cont = s.join(r.cont(), "::", s.src[s.tok(i+1).off:s.tok(last).end])
	} else if s.ch(i+1) != '<' {
		return
	}
	if !r.oneLine(next - 1) {
		r.blocks = append(r.blocks, b)
	}
}

// visibility reads a bare private, protected or public.
func (r *rubyScan) visibility(i, next int) {
	n := len(r.blocks)
	if next == i+1 && n > 0 {
		r.blocks[n-1].hidden = !r.s.is(i, "public")
	} else if next > i+1 && r.s.ident(i+1) {
		r.line(i+1, next)
	}
}

// symbols reads the names that attr_accessor and the like define.
func (r *rubyScan) symbols(i, next int) {
	s := r.s
	kind := KindField
	if s.oneOf(i, "define_method", "alias_method") {
		kind = KindMethod
	}
	for k := i + 1; k < next; k++ {
		if s.ch(k) == ':' && s.ident(k+1) && s.tok(k).end == s.tok(k+1).off {
			r.name(kind, i, k+1, next-1)
			if kind == KindMethod {
				return
			}
		}
	}
}

// constant reads NAME = value; Struct.new and Class.new make classes.
func (r *rubyScan) constant(i, next int) {
	s := r.s
	if !s.ident(i) || !isUpper(s.text(i)[0]) || s.ch(i+1) != '=' {
		return
	}
	kind := KindConstant
	if s.oneOf(i+2, "Struct", "Class", "Data", "Module") && s.ch(i+3) == '.' && s.oneOf(i+4, "new", "define") {
		kind = KindClass
	}
	at := r.name(kind, i, i, next-1)
	if end := s.past(i + 2); end > next && at >= 0 {
		s.defs[at].end = s.lineOf(end - 1)
	}
	if kind == KindClass && s.is(next-1, "do") {
		r.blocks = append(r.blocks, rubyBlock{indent: r.column(i), def: at, cont: s.join(r.cont(), "::", s.text(i))})
	}
}
