package symbols

import "bytes"

// pyScan reads Python by logical lines: the first token of a line outside of brackets starts one, and its column tells
// which blocks have ended.
type pyScan struct {
	*file
	blocks []pyBlock
	deco   int   // first decorator above the next definition, -1 if none
	last   int32 // last line with code
}

// pyBlock is a def or class whose body is being read.
type pyBlock struct {
	indent   int
	def      int // index into the definitions, -1 if the definition was dropped
	class    bool
	exported bool
	cont     span // container of the definitions inside
}

func (p *pyScan) scan() {
	for i := 0; i < p.limit; {
		next := p.findLogicalEnd(i)
		p.readLine(i, next)
		i = next
	}
	p.closeBlocks(0)
}

// anchors reports whether def or class is at i, which is a statement wherever it occurs.
func (p *pyScan) anchors(i int) bool {
	return p.is(i, "def") || p.is(i, "class") || p.is(i, "async") && p.is(i+1, "def")
}

// findLogicalEnd returns the token after the logical line that starts at i.
func (p *pyScan) findLogicalEnd(i int) int {
	j := p.skip(i)
	for j < p.limit && !p.startsLine(j) && p.punct(j) != ';' {
		j = p.skip(j)
	}
	if p.punct(j) == ';' {
		j++
	}
	return j
}

// closeBlocks ends the blocks indented at least as deep as a line with the given indentation.
func (p *pyScan) closeBlocks(indent int) {
	for n := len(p.blocks) - 1; n >= 0 && p.blocks[n].indent >= indent; n-- {
		if d := p.blocks[n].def; d >= 0 {
			p.defs[d].end = max(p.defs[d].end, p.last)
		}
		p.blocks = p.blocks[:n]
	}
}

// readLine reads the logical line from token i to next.
func (p *pyScan) readLine(i, next int) {
	if p.startsLine(i) {
		p.closeBlocks(indentOf(p.src, p.token(i).off))
	}
	p.last = max(p.last, p.lastLine(next-1))
	switch {
	case p.punct(i) == '@' && p.isIdent(i+1):
		if p.deco < 0 {
			p.deco = i
		}
		return
	case p.is(i, "def") && p.isIdent(i+1):
		p.readDef(i, i+1, next)
	case p.is(i, "async") && p.is(i+1, "def") && p.isIdent(i+2):
		p.readDef(i, i+2, next)
	case p.is(i, "class") && p.isIdent(i+1):
		p.readClass(i, next)
	case p.is(i, "type") && p.isIdent(i+1) && (p.punct(i+2) == '=' || p.punct(i+2) == '['):
		p.addNamed(KindType, i, i+1, next-1)
	default:
		p.readAssignment(i, next)
	}
	p.deco = -1
}

// readDef adds a function and opens its block; a body on the same line also closes it.
func (p *pyScan) readDef(from, name, next int) {
	kind := KindFunction
	if n := len(p.blocks); n > 0 && p.blocks[n-1].class {
		kind = KindMethod
	}
	colon := p.findColon(name+1, next)
	p.openBlock(kind, from, name, colon, next)
}

// readClass adds a class and opens its block.
func (p *pyScan) readClass(from, next int) {
	p.openBlock(KindClass, from, from+1, p.findColon(from+2, next), next)
}

// findColon returns the token that ends the header of a block.
func (p *pyScan) findColon(i, next int) int {
	for i < next && p.punct(i) != ':' {
		i = p.skip(i)
	}
	return min(i, next)
}

// openBlock adds a definition and opens its block.
func (p *pyScan) openBlock(kind Kind, from, name, colon, next int) {
	n := len(p.defs)
	p.addNamed(kind, from, name, colon-1)
	b := pyBlock{indent: indentOf(p.src, p.token(p.findLineStart(from)).off), def: -1, class: kind == KindClass}
	if len(p.defs) > n {
		b.def, b.exported = n, p.defs[n].exported
		if doc := p.readDocString(colon, next); doc.n > 0 {
			p.defs[n].doc = doc
		}
	}
	b.cont = p.join(p.container(), ".", p.text(name))
	p.blocks = append(p.blocks, b)
}

// findLineStart returns the first token on the line of token i.
func (p *pyScan) findLineStart(i int) int {
	for i > 0 && !p.startsLine(i) {
		i--
	}
	return i
}

// readDocString writes the string that begins the body after the colon.
func (p *pyScan) readDocString(colon, next int) span {
	at := colon + 1
	if p.isString(at) && (at+1 >= p.limit || p.startsLine(at+1) || p.punct(at+1) == ';') {
		return p.writeDocString(at)
	}
	return span{}
}

// container returns the container of the current line.
func (p *pyScan) container() span {
	if n := len(p.blocks); n > 0 {
		return p.blocks[n-1].cont
	}
	return span{}
}

// addNamed adds a definition, including its decorators.
func (p *pyScan) addNamed(kind Kind, from, name, to int) {
	h := head{kind: kind, name: name, doc: from, from: from, to: to, end: p.lastLine(to), cont: p.container()}
	if p.deco >= 0 {
		h.doc = p.deco
	}
	h.exported = p.isPublic(p.text(name))
	p.add(h)
}

// isPublic reports whether neither the name nor its container is private by convention; __dunder__ names are public.
func (p *pyScan) isPublic(name []byte) bool {
	if n := len(p.blocks); n > 0 && (!p.blocks[n-1].exported || !p.blocks[n-1].class) {
		return false
	}
	return !bytes.HasPrefix(name, []byte("_")) || bytes.HasPrefix(name, []byte("__")) && bytes.HasSuffix(name, []byte("__"))
}

// readAssignment reads "a = b = 1", "a: T = 1" and "a, b = …" at module level
// and in classes. Inside functions names are local.
func (p *pyScan) readAssignment(i, next int) {
	n := len(p.blocks)
	class := n > 0 && p.blocks[n-1].class
	if n > 0 && !class {
		return
	}
	for j := i; p.isIdent(j) && j < next; j += 2 {
		switch p.punct(j + 1) {
		case '=':
			p.addVariable(class, i, j, next)
		case ':':
			if opensPyBlock(p.text(j)) {
				return
			}
			p.addVariable(class, i, j, next)
			return
		case ',':
			if !p.startsTuple(j, next) {
				return
			}
			p.addVariable(class, i, j, next)
		default:
			return
		}
	}
}

// maxTupleNames limits the names that one assignment unpacks.
const maxTupleNames = 32

// startsTuple reports whether names and commas up to an equals sign start at j.
func (p *pyScan) startsTuple(j, next int) bool {
	for n := 0; j < next && p.isIdent(j) && n < maxTupleNames; n++ {
		if p.punct(j+1) == '=' {
			return true
		}
		if p.punct(j+1) != ',' {
			return false
		}
		j += 2
	}
	return false
}

// addVariable adds a name that is assigned.
func (p *pyScan) addVariable(class bool, i, j, next int) {
	kind, name := KindVariable, p.text(j)
	switch {
	case isConstantCase(name):
		kind = KindConstant
	case class:
		kind = KindField
	}
	p.addNamed(kind, i, j, next-1)
}

// opensPyBlock reports whether a word before a colon opens a block.
func opensPyBlock(word []byte) bool {
	switch string(word) {
	case "else", "try", "finally", "except", "lambda", "case", "match", "default":
		return true
	}
	return false
}
