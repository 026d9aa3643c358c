package symbols

// How far a line of Ruby is searched.
const (
	maxBeforeDef    = 4   // tokens from the start of the line to def, as in "private def"
	maxOperatorName = 4   // bytes of the operator that a method defines
	maxOneLiner     = 200 // tokens of a class or method on one line
)

// rubyScan reads Ruby. Blocks end with a word, and so do many other constructs, so pairing the words is guesswork in
// code that does not run. Like human readers, this scanner goes by the column of "end".
type rubyScan struct {
	*file
	blocks []rubyBlock
}

// rubyBlock is a class, module or method whose body is being read.
type rubyBlock struct {
	indent int
	def    int  // index into the definitions, -1 for "class << self"
	body   bool // a method: names inside are local
	hidden bool // private methods follow
	cont   span
}

func (r *rubyScan) scan() {
	for i := 0; i < r.limit; {
		next := i + 1
		for next < r.limit && !r.startsLine(next) && r.punct(next) != ';' {
			next++
		}
		r.readLine(i, next)
		if r.punct(next) == ';' {
			next++
		}
		i = next
	}
	for _, b := range r.blocks {
		r.endBlock(b, r.lineOf(r.limit-1))
	}
}

// readLine reads the statement from token i to next.
func (r *rubyScan) readLine(i, next int) {
	if r.startsLine(i) {
		r.closeBlocks(i)
	}
	if r.is(i, "end") {
		return
	}
	for k := i; k < min(next, i+maxBeforeDef); k++ {
		if r.is(k, "def") && r.punct(k-1) != '.' && r.punct(k-1) != ':' && r.token(k+1).end > 0 {
			r.readMethod(i, k, next)
			return
		}
	}
	if n := len(r.blocks); n > 0 && r.blocks[n-1].body {
		return
	}
	switch string(r.text(i)) {
	case "class", "module":
		r.readClass(i, next)
	case "private", "protected", "public":
		r.readVisibility(i, next)
	case "attr_accessor", "attr_reader", "attr_writer", "cattr_accessor", "mattr_accessor", "class_attribute", "define_method", "alias_method":
		r.readSymbols(i, next)
	case "alias":
		r.addNamed(KindMethod, i, i+1, next-1)
	default:
		r.readConstant(i, next)
	}
}

// closeBlocks ends the blocks that do not contain a line that starts at token i.
func (r *rubyScan) closeBlocks(i int) {
	indent := indentOf(r.src, r.token(i).off)
	for n := len(r.blocks) - 1; n >= 0; n-- {
		b := r.blocks[n]
		if b.indent < indent || b.indent == indent && r.isOneOf(i, "rescue", "ensure", "else") {
			return
		}
		line := r.lineOf(i)
		if b.indent > indent || !r.is(i, "end") {
			line = r.lastLine(i - 1)
		}
		r.endBlock(b, line)
		r.blocks = r.blocks[:n]
		if b.indent == indent && r.is(i, "end") {
			return
		}
	}
}

// endBlock ends the definition of a block at a line.
func (r *rubyScan) endBlock(b rubyBlock, line int32) {
	if b.def >= 0 {
		d := &r.defs[b.def]
		d.end = max(d.end, line)
	}
}

// container returns the container of the current line.
func (r *rubyScan) container() span {
	if n := len(r.blocks); n > 0 {
		return r.blocks[n-1].cont
	}
	return span{}
}

// isHidden reports whether methods are private here.
func (r *rubyScan) isHidden() bool {
	n := len(r.blocks)
	return n > 0 && r.blocks[n-1].hidden
}

// addNamed adds a definition that ends on its line and returns its index, or -1 if it was dropped.
func (r *rubyScan) addNamed(kind Kind, from, name, to int) int {
	n := len(r.defs)
	h := head{kind: kind, name: name, doc: from, from: from, to: to, end: r.lastLine(to), cont: r.container(), exported: !r.isHidden()}
	if kind == KindMethod && h.cont.n == 0 {
		h.kind = KindFunction
	}
	switch kind {
	case KindMethod:
		h.as = r.methodName(name)
	case KindClass, KindModule:
		for r.punct(h.name+1) == opScope && r.isIdent(h.name+2) {
			h.name += 2
		}
		if h.name > name {
			h.cont = r.join(h.cont, "::", r.src[r.token(name).off:r.token(h.name-2).end])
		}
	}
	if r.add(h); len(r.defs) == n {
		return -1
	}
	return n
}

// methodName returns the source from token i up to a blank or a parenthesis: names may be operators and may end with an
// equals sign.
func (r *rubyScan) methodName(i int) []byte {
	src, start := r.src, int(r.token(i).off)
	end := int(r.token(i).end)
	if r.isIdent(i) {
		if end+1 < len(src) && src[end] == '=' && src[end+1] != '=' && src[end+1] != '~' {
			end++
		}
		return src[start:end]
	}
	for end < len(src) && end-start < maxOperatorName && src[end] > ' ' && src[end] != '(' && src[end] != ';' && !isWord(src[end]) {
		end++
	}
	return src[start:end]
}

// readMethod reads def name(…), whose keyword is at def on the line that starts at i.
func (r *rubyScan) readMethod(i, def, next int) {
	name := def + 1
	if r.isIdent(name) && r.punct(name+1) == '.' && r.token(name+1).off == r.token(name).end {
		name += 2
	}
	to := name
	for k := name + 1; k < next; k++ {
		if k == name+1 && r.punct(k) == '(' {
			to = min(r.partner(k), r.limit-1)
			break
		}
		to = k
	}
	was := r.isHidden()
	if n := len(r.blocks); n > 0 && def > i {
		r.blocks[n-1].hidden = was || r.isOneOf(i, "private", "protected")
	}
	at := r.addNamed(KindMethod, i, name, to)
	if n := len(r.blocks); n > 0 {
		r.blocks[n-1].hidden = was
	}
	if r.isEndless(name, to) || r.is(next-1, "end") && next-1 > name || r.endsOnLine(to) {
		return
	}
	r.blocks = append(r.blocks, rubyBlock{indent: r.columnOf(i), def: at, body: true, cont: r.join(r.container(), "::", r.methodName(name))})
}

// isEndless reports whether a method has the form def name(args) = value.
func (r *rubyScan) isEndless(name, to int) bool {
	for _, k := range []int{name + 1, to + 1} {
		if r.punct(k) == '=' && r.token(k).off > r.token(k-1).end && !r.startsLine(k) {
			return true
		}
	}
	return false
}

// endsOnLine reports whether "end" follows token i on its line.
func (r *rubyScan) endsOnLine(i int) bool {
	for k := i + 1; k < r.limit && !r.startsLine(k) && k < i+maxOneLiner; k++ {
		if r.is(k, "end") && r.punct(k-1) == ';' || r.is(k, "end") && r.startsLine(k+1) {
			return true
		}
	}
	return false
}

// readClass reads class A::B < C, class << self and module M.
func (r *rubyScan) readClass(i, next int) {
	b := rubyBlock{indent: r.columnOf(i), def: -1, cont: r.container()}
	if r.punct(i+1) == opScope {
		i++
	}
	if r.isIdent(i + 1) {
		kind := KindModule
		if r.is(i, "class") || r.is(i-1, "class") {
			kind = KindClass
		}
		last := i + 1
		for r.punct(last+1) == opScope && r.isIdent(last+2) {
			last += 2
		}
		b.def = r.addNamed(kind, i, i+1, next-1)
		b.cont = r.join(r.container(), "::", r.src[r.token(i+1).off:r.token(last).end])
	} else if r.punct(i+1) != '<' {
		return
	}
	if !r.endsOnLine(next - 1) {
		r.blocks = append(r.blocks, b)
	}
}

// readVisibility reads a bare private, protected or public.
func (r *rubyScan) readVisibility(i, next int) {
	n := len(r.blocks)
	if next == i+1 && n > 0 {
		r.blocks[n-1].hidden = !r.is(i, "public")
	} else if next > i+1 && r.isIdent(i+1) {
		r.readLine(i+1, next)
	}
}

// readSymbols reads the names that attr_accessor and similar calls define.
func (r *rubyScan) readSymbols(i, next int) {
	kind := KindField
	if r.isOneOf(i, "define_method", "alias_method") {
		kind = KindMethod
	}
	for k := i + 1; k < next; k++ {
		if r.punct(k) == ':' && r.isIdent(k+1) && r.token(k).end == r.token(k+1).off {
			r.addNamed(kind, i, k+1, next-1)
			if kind == KindMethod {
				return
			}
		}
	}
}

// readConstant reads NAME = value; Struct.new and Class.new create classes.
func (r *rubyScan) readConstant(i, next int) {
	if !r.isIdent(i) || !isUpper(r.text(i)[0]) || r.punct(i+1) != '=' {
		return
	}
	kind := KindConstant
	if r.isOneOf(i+2, "Struct", "Class", "Data", "Module") && r.punct(i+3) == '.' && r.isOneOf(i+4, "new", "define") {
		kind = KindClass
	}
	at := r.addNamed(kind, i, i, next-1)
	if end := r.skip(i + 2); end > next && at >= 0 {
		r.defs[at].end = r.lineOf(end - 1)
	}
	if kind == KindClass && r.is(next-1, "do") {
		r.blocks = append(r.blocks, rubyBlock{indent: r.columnOf(i), def: at, cont: r.join(r.container(), "::", r.text(i))})
	}
}

// columnOf returns the indentation of the line of token i.
func (r *rubyScan) columnOf(i int) int {
	return indentOf(r.src, r.token(r.lineStart(i)).off)
}
