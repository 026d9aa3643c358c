package symbols

import "bytes"

// grammarScan reads a language by its grammar.
type grammarScan struct {
	*file
	*grammar
	blocks []grammarBlock
	doc    int // token of a string that documents the next definition, -1 for none
}

// grammarBlock is a definition whose body is being read.
type grammarBlock struct {
	def    int // index into the definitions, -1 for none
	close  int // the token that closes it, the end of the file for a unit, or 0 for an indented body
	indent int
	body   bool // names in it are local
	cont   span
}

// reading is the result of matching a form.
type reading struct {
	name, last int // tokens of the name
	owner      int // string token of the container, -1 for none
	next       int
}

func (g *grammarScan) scan() {
	g.doc = -1
	for i := 0; i < g.limit; {
		if g.startsStatement(i) {
			g.leaveBlocks(i)
			if next := g.readStatement(i); next > i {
				i = next
				continue
			}
		}
		i++
	}
	last := g.lastLine(g.limit - 1) // once: a string at the end may be long, and many blocks open
	for _, b := range g.blocks {
		g.endBlock(b, last)
	}
}

// startsStatement reports whether a definition may begin at token i.
func (g *grammarScan) startsStatement(i int) bool {
	if g.startsLine(i) {
		return true
	}
	switch g.punct(i - 1) {
	case ';', '{', '}':
		return true
	}
	return false
}

// inBody reports whether names are local here. Only functions and types count as definitions then.
func (g *grammarScan) inBody() bool {
	n := len(g.blocks)
	return n > 0 && g.blocks[n-1].body
}

// leaveBlocks ends the blocks that do not contain token i.
func (g *grammarScan) leaveBlocks(i int) {
	indent, last := -1, int32(0)
	for n := len(g.blocks) - 1; n >= 0; n-- {
		b := g.blocks[n]
		if b.close > 0 {
			if i <= b.close {
				return
			}
			g.blocks = g.blocks[:n]
			g.endBlock(b, g.lineOf(b.close))
			continue
		}
		if !g.startsLine(i) {
			return
		}
		if indent < 0 {
			indent, last = indentOf(g.src, g.token(i).off), g.lastLine(i-1)
		}
		if b.indent < indent || b.indent == indent && g.goesOn(i) {
			return
		}
		line := last
		ends := b.indent == indent && g.is(i, "end")
		if ends {
			line = g.lineOf(i)
		}
		g.blocks = g.blocks[:n]
		if g.endBlock(b, line); ends {
			return
		}
	}
}

// goesOn reports whether the line at token i continues the block above it with the same indentation.
func (g *grammarScan) goesOn(i int) bool {
	if n := len(g.blocks); g.clauses && g.blocks[n-1].def >= 0 && g.isIdent(i) {
		return string(g.text(i)) == string(g.textAt(g.defs[g.blocks[n-1].def].name))
	}
	return g.isCloser(i) || g.isOneOf(i, "else", "elseif", "rescue", "catch", "after", "do")
}

// endBlock ends the definition of a block at a line.
func (g *grammarScan) endBlock(b grammarBlock, line int32) {
	if b.def >= 0 {
		d := &g.defs[b.def]
		d.end = max(d.end, line)
	}
}

// readStatement adds the definition that begins at token i and returns the token to continue with, or i if none begins
// there.
func (g *grammarScan) readStatement(i int) int {
	if g.punct(i) == '@' && g.isAnyOf(i+1, g.docs) {
		return g.readDoc(i)
	}
	for k := range g.forms {
		if r, ok := g.matchForm(&g.forms[k], i); ok {
			next := g.addMatched(&g.forms[k], i, r)
			g.doc = -1
			return next
		}
	}
	return i
}

// readDoc reads @doc and the string after it. A module contains its own doc.
func (g *grammarScan) readDoc(i int) int {
	if !g.isString(i + 2) {
		return i + 2
	}
	n := len(g.blocks)
	if g.is(i+1, "moduledoc") && n > 0 && g.blocks[n-1].def >= 0 {
		d := &g.defs[g.blocks[n-1].def]
		d.doc = g.writeDocString(i + 2)
	} else {
		g.doc = i + 2
	}
	return i + 3
}

// matchForm matches a form at token i.
func (g *grammarScan) matchForm(f *form, i int) (r reading, ok bool) {
	if f.first && !g.inFirstColumn(i) || f.member && len(g.blocks) == 0 || g.inBody() && (f.member || g.clauses || isValue(f.kind)) || !g.spend() {
		return r, false
	}
	r = reading{name: -1, owner: -1, next: i}
	for k := range f.steps {
		s := &f.steps[k]
		j := r.next
		if j > i && s.what != stepOption && g.startsLine(j) && !s.optional {
			return r, false
		}
		if s.what == stepRest {
			r.next = g.findOption(&f.steps[k+1], j)
		} else if !g.matchStep(s, &r) && !s.optional {
			return r, false
		}
	}
	if g.skip(r.next-1) != r.next { // a bracket at its end is read with the header
		r.next--
	}
	return r, r.name >= 0 || f.kind == ""
}

// matchStep matches one step and moves r past it.
func (g *grammarScan) matchStep(s *step, r *reading) bool {
	j := r.next
	switch s.what {
	case stepName:
		last := g.findNameEnd(j)
		if !g.isIdent(j) || last == j && g.isAnyOf(j, g.reserved) {
			return false
		}
		r.name, r.last, r.next = j, last, last+1
	case stepString:
		if !g.isString(j) {
			return false
		}
		r.owner = r.name
		r.name, r.last, r.next = j, j, j+1
	case stepBracket:
		if g.punct(j) != '[' {
			return false
		}
		r.next = g.skip(j)
	default:
		if !g.isAnyOf(j, s.options) {
			return false
		}
		r.next = j + 1
	}
	return true
}

// findOption returns the token from j on, on the same line, that matches a step, or the end of the line.
func (g *grammarScan) findOption(s *step, j int) int {
	for ; j < g.limit && !g.startsLine(j) && !g.isAnyOf(j, s.options) && g.spend(); j++ {
	}
	return j
}

// isAnyOf reports whether token i is one of the given words or operators.
func (g *grammarScan) isAnyOf(i int, list []string) bool {
	t := g.token(i)
	if t.end == 0 || t.kind != tokIdent && t.kind != tokPunct {
		return false
	}
	text := g.text(i)
	for _, o := range list {
		if string(text) == o || g.folded && len(text) == len(o) && bytes.EqualFold(text, []byte(o)) {
			return true
		}
	}
	return false
}

// maxGrammarName limits the tokens of a name.
const maxGrammarName = 32

// findNameEnd returns the last token of the name that starts at i.
func (g *grammarScan) findNameEnd(i int) int {
	for range maxGrammarName {
		j := i + 1
		t := g.token(j)
		if t.off != g.token(i).end || t.kind != tokPunct || t.end == 0 || len(bytes.Trim(g.text(j), g.joins)) > 0 {
			break
		}
		if next := g.token(j + 1); next.off != t.end || next.kind != tokIdent && next.kind != tokNumber {
			break
		}
		i = j + 1
	}
	return i
}

// addMatched adds the definition that a form has matched and returns the token to continue with.
func (g *grammarScan) addMatched(f *form, i int, r reading) int {
	g.leaveUnit(f, i)
	h := head{kind: f.kind, name: r.name, doc: i, from: i}
	if n := len(g.blocks); n > 0 {
		h.cont = g.blocks[n-1].cont
	}
	if f.in != "" {
		h.cont = g.put([]byte(f.in))
	}
	b := grammarBlock{def: -1, indent: indentOf(g.src, g.token(g.lineStart(i)).off), body: !f.opens, cont: h.cont}
	if f.kind == "" {
		return g.enterContainer(b, r)
	}
	h.as = g.readName(&h, r)
	h.exported = g.isExported(i, h.as)
	if h.kind == KindFunction && h.cont.n > 0 && !f.member {
		h.kind = KindMethod
	}
	value := isValue(h.kind)
	end := g.findHeadEnd(r.next, value)
	h.to, h.end = end-1, g.lastLine(end-1)
	if g.punct(h.to) == ',' { // def a, do: b
		h.to--
	}
	if f.opens {
		b.cont = g.join(h.cont, g.lang.Separator(), h.as)
	}
	b.def = g.addHead(h)
	switch {
	case value && !g.braces: // the values of a table may be functions
		return r.next
	case value:
		return end
	case g.punct(end) == '{' && g.braces:
		b.close = g.partner(end)
		end++
	case g.units && f.opens:
		b.close = g.limit
	case g.braces: // declared, or without braces
		return end
	}
	g.blocks = append(g.blocks, b)
	return end
}

// isExported reports whether a name, whose form begins at token i, may be used elsewhere.
func (g *grammarScan) isExported(i int, name []byte) bool {
	return len(name) > 0 && name[0] != '_' && !g.isAnyOf(i, g.hides) && (g.public == "" || g.is(i, g.public))
}

// isValue reports whether definitions of a kind have no body that contains others.
func isValue(k Kind) bool {
	switch k {
	case KindConstant, KindVariable, KindField, KindType, KindPrototype:
		return true
	}
	return false
}

// leaveUnit ends the current unit if the form begins another one.
func (g *grammarScan) leaveUnit(f *form, i int) {
	if n := len(g.blocks) - 1; g.units && f.opens && n >= 0 && g.blocks[n].close == g.limit {
		g.endBlock(g.blocks[n], g.lastLine(i-1))
		g.blocks = g.blocks[:n]
	}
}

// enterContainer enters a body that is a container but not a definition.
func (g *grammarScan) enterContainer(b grammarBlock, r reading) int {
	if r.name >= 0 {
		b.cont = g.join(b.cont, g.lang.Separator(), g.src[g.token(r.name).off:g.token(r.last).end])
	}
	if g.punct(r.next) == '{' {
		b.close = g.partner(r.next)
		r.next++
	}
	g.blocks = append(g.blocks, b)
	return r.next
}

// addHead adds a definition, with the doc that precedes it, and returns its index, or -1 if it was dropped.
func (g *grammarScan) addHead(h head) int {
	n := len(g.defs)
	if g.add(h); len(g.defs) == n {
		return -1
	}
	if d := &g.defs[n]; g.doc >= 0 && d.doc.n == 0 {
		d.doc = g.writeDocString(g.doc)
	}
	return n
}

// readName returns the name that a form has matched, and adds its qualifier to the container of h.
func (g *grammarScan) readName(h *head, r reading) []byte {
	if g.isString(r.name) {
		if r.owner >= 0 {
			h.cont = g.join(h.cont, g.lang.Separator(), g.unquoted(r.owner))
		}
		return g.unquoted(r.name)
	}
	if g.splits && r.last > r.name {
		h.name = r.last
		if isValue(h.kind) || h.kind == KindFunction { // its container is given in full
			h.cont = span{}
		}
		h.cont = g.join(h.cont, g.lang.Separator(), g.src[g.token(r.name).off:g.token(r.last-2).end])
		return g.text(r.last)
	}
	name := g.src[g.token(r.name).off:g.token(r.last).end]
	return bytes.TrimLeft(name[bytes.LastIndexByte(name, ':')+1:], "$") // after a scope
}

// findHeadEnd returns the token after a header that continues at j, or after a value.
func (g *grammarScan) findHeadEnd(j int, value bool) int {
	for ; j < g.limit && g.spend(); j = g.skip(j) {
		switch c := g.punct(j); {
		case c == ';' || g.isCloser(j):
			return j
		case c == '{' && !value && g.braces && !g.is(j-1, "error"):
			return j
		case g.startsLine(j):
			return j
		case !value && !g.braces && g.is(j, "do"):
			return j
		}
	}
	return min(j, g.limit)
}
