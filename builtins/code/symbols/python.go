package symbols

import "bytes"

// pyBlock is a def or class whose body is being read.
type pyBlock struct {
	indent   int
	def      int // index into s.defs, -1 when the definition was dropped
	class    bool
	exported bool
	cont     span // container for what stands inside
}

// scanPython reads logical lines: the first token of a line outside brackets
// starts one, and its column says which blocks have ended.
func (s *Scanner) scanPython() {
	p := pyScan{s: s, deco: -1}
	for i := 0; i < s.limit; {
		next := p.logicalEnd(i)
		p.line(i, next)
		i = next
	}
	p.close(0)
}

type pyScan struct {
	s      *Scanner
	blocks []pyBlock
	deco   int   // first decorator above the coming definition, -1 without
	last   int32 // last line with code
}

// logicalEnd is the token behind the logical line that starts at i.
func (p *pyScan) logicalEnd(i int) int {
	j := p.s.past(i)
	for j < p.s.limit && !p.s.nl(j) && p.s.ch(j) != ';' {
		j = p.s.past(j)
	}
	if p.s.ch(j) == ';' {
		j++
	}
	return j
}

// close ends the blocks indented at least as deep as a line at indent.
func (p *pyScan) close(indent int) {
	for n := len(p.blocks) - 1; n >= 0 && p.blocks[n].indent >= indent; n-- {
		if d := p.blocks[n].def; d >= 0 {
			p.s.defs[d].end = max(p.s.defs[d].end, p.last)
		}
		p.blocks = p.blocks[:n]
	}
}

func (p *pyScan) line(i, next int) {
	s := p.s
	if s.nl(i) {
		p.close(indentOf(s.src, s.tok(i).off))
	}
	p.last = max(p.last, s.lastLine(next-1))
	switch {
	case s.ch(i) == '@' && s.ident(i+1):
		if p.deco < 0 {
			p.deco = i
		}
		return
	case s.is(i, "def") && s.ident(i+1):
		p.def(i, i+1, next)
	case s.is(i, "async") && s.is(i+1, "def") && s.ident(i+2):
		p.def(i, i+2, next)
	case s.is(i, "class") && s.ident(i+1):
		p.class(i, next)
	case s.is(i, "type") && s.ident(i+1) && (s.ch(i+2) == '=' || s.ch(i+2) == '['):
		p.add(KindType, i, i+1, next-1)
	default:
		p.assign(i, next)
	}
	p.deco = -1
}

// def adds a function and opens its block; a body on the same line ends it.
func (p *pyScan) def(from, name, next int) {
	kind := KindFunction
	if n := len(p.blocks); n > 0 && p.blocks[n-1].class {
		kind = KindMethod
	}
	colon := p.colon(name+1, next)
	p.open(kind, from, name, colon, next)
}

func (p *pyScan) class(from, next int) {
	p.open(KindClass, from, from+1, p.colon(from+2, next), next)
}

// colon is the token that ends the head of a block.
func (p *pyScan) colon(i, next int) int {
	for i < next && p.s.ch(i) != ':' {
		i = p.s.past(i)
	}
	return min(i, next)
}

func (p *pyScan) open(kind Kind, from, name, colon, next int) {
	s := p.s
	n := len(s.defs)
	p.add(kind, from, name, colon-1)
	b := pyBlock{indent: indentOf(s.src, s.tok(p.lineStart(from)).off), def: -1, class: kind == KindClass}
	if len(s.defs) > n {
		b.def, b.exported = n, s.defs[n].exported
		if doc := p.docString(colon, next); doc.n > 0 {
			s.defs[n].doc = doc
		}
	}
	b.cont = s.join(p.cont(), ".", s.text(name))
	p.blocks = append(p.blocks, b)
}

// lineStart is the first token on the line of token i.
func (p *pyScan) lineStart(i int) int {
	for i > 0 && !p.s.nl(i) {
		i--
	}
	return i
}

// docString is the string that stands first in the body behind the colon.
func (p *pyScan) docString(colon, next int) span {
	s := p.s
	at := colon + 1
	if s.isString(at) && (at+1 >= s.limit || s.nl(at+1) || s.ch(at+1) == ';') {
		return s.docString(at)
	}
	return span{}
}

func (p *pyScan) cont() span {
	if n := len(p.blocks); n > 0 {
		return p.blocks[n-1].cont
	}
	return span{}
}

func (p *pyScan) add(kind Kind, from, name, to int) {
	h := head{kind: kind, name: name, doc: from, from: from, to: to, end: p.s.lastLine(to), cont: p.cont()}
	if p.deco >= 0 {
		h.doc = p.deco
	}
	h.exported = p.public(p.s.text(name))
	p.s.add(h)
}

// public says that neither the name nor what it stands in is private by
// convention; __dunder__ names are public.
func (p *pyScan) public(name []byte) bool {
	if n := len(p.blocks); n > 0 && (!p.blocks[n-1].exported || !p.blocks[n-1].class) {
		return false
	}
	return !bytes.HasPrefix(name, []byte("_")) || bytes.HasPrefix(name, []byte("__")) && bytes.HasSuffix(name, []byte("__"))
}

// assign reads "a = b = 1", "a: T = 1" and "a, b = …" at module level and in
// classes. Inside functions names are local.
func (p *pyScan) assign(i, next int) {
	s := p.s
	n := len(p.blocks)
	class := n > 0 && p.blocks[n-1].class
	if n > 0 && !class {
		return
	}
	for j := i; s.ident(j) && j < next; j += 2 {
		switch s.ch(j + 1) {
		case '=':
			p.name(class, i, j, next)
		case ':':
			if pyCompound(s.text(j)) {
				return
			}
			p.name(class, i, j, next)
			return
		case ',':
			if !p.tuple(j, next) {
				return
			}
			p.name(class, i, j, next)
		default:
			return
		}
	}
}

// tuple says that names and commas up to an equals sign start at j.
func (p *pyScan) tuple(j, next int) bool {
	for n := 0; j < next && p.s.ident(j) && n < 32; n++ {
		if p.s.ch(j+1) == '=' {
			return true
		}
		if p.s.ch(j+1) != ',' {
			return false
		}
		j += 2
	}
	return false
}

func (p *pyScan) name(class bool, i, j, next int) {
	kind, name := KindVariable, p.s.text(j)
	switch {
	case constantCase(name):
		kind = KindConstant
	case class:
		kind = KindField
	}
	p.add(kind, i, j, next-1)
}

// constantCase says that a name has upper-case letters and no lower-case ones.
func constantCase(name []byte) bool {
	upper := false
	for _, c := range name {
		if 'a' <= c && c <= 'z' || c >= 0x80 {
			return false
		}
		upper = upper || isUpper(c)
	}
	return upper
}

// pyCompound says that a word before a colon opens a block.
func pyCompound(word []byte) bool {
	switch string(word) {
	case "else", "try", "finally", "except", "lambda", "case", "match", "default":
		return true
	}
	return false
}
