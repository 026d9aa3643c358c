package symbols

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxSignature = 160 // bytes
	maxName      = 256
	maxDoc       = 200

	// Hostile input may define a name every three bytes, each with a long
	// signature and container. These bound what one file can yield.
	maxDefs   = 100_000
	maxGrowth = 4 // bytes of text per byte of source
)

// span is a stretch of the emitter's text.
type span struct{ off, n uint32 }

// rawDef is a definition whose strings still lie in the emitter's text.
type rawDef struct {
	name, cont, sig, doc span
	kind                 Kind
	line, end            int32
	pos                  uint32 // offset of the name in the source
	exported             bool
}

// emitter collects definitions. All their strings share one buffer that
// becomes one Go string at the end: two allocations a file.
type emitter struct {
	defs []rawDef
	buf  []byte
	room int // bytes that buf may hold
}

func (e *emitter) reset(size int) {
	e.defs, e.buf, e.room = e.defs[:0], e.buf[:0], maxGrowth*size+1<<16
}

// full says that the file has yielded all that it may.
func (e *emitter) full() bool { return len(e.defs) >= maxDefs || len(e.buf) > e.room }

func (e *emitter) put(text []byte) span {
	sp := span{uint32(len(e.buf)), uint32(len(text))}
	e.buf = append(e.buf, text...)
	return sp
}

func (e *emitter) at(sp span) []byte { return e.buf[sp.off : sp.off+sp.n] }

// join writes container, separator and name as a container of its own.
func (e *emitter) join(cont span, sep string, name []byte) span {
	if cont.n == 0 {
		return e.put(clipped(name, maxName))
	}
	if cont.n > 4*maxName || e.full() { // deep nesting must not grow names without end
		return cont
	}
	sp := span{off: uint32(len(e.buf))}
	e.buf = append(e.buf, e.buf[cont.off:cont.off+cont.n]...)
	e.buf = append(e.buf, sep...)
	e.buf = append(e.buf, clipped(name, maxName)...)
	sp.n = uint32(len(e.buf)) - sp.off
	return sp
}

// clipped cuts text to n bytes on a rune border.
func clipped(text []byte, n int) []byte {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// finish turns what was collected into the result, sorted by line.
func (e *emitter) finish() []Def {
	if len(e.defs) == 0 {
		return nil
	}
	order := func(a, b rawDef) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.pos, b.pos))
	}
	if !slices.IsSortedFunc(e.defs, order) {
		slices.SortStableFunc(e.defs, order)
	}
	text := string(e.buf)
	str := func(sp span) string { return text[sp.off : sp.off+sp.n] }
	if !utf8.ValidString(text) {
		str = func(sp span) string { return strings.ToValidUTF8(text[sp.off:sp.off+sp.n], "\uFFFD") }
	}
	out := make([]Def, len(e.defs))
	for i, d := range e.defs {
		out[i] = Def{
			Name: str(d.name), Kind: d.kind, Container: str(d.cont),
			Line: int(d.line), EndLine: int(max(d.end, d.line)),
			Signature: str(d.sig), Doc: str(d.doc), Exported: d.exported,
		}
	}
	return out
}

// head describes a definition by its tokens.
type head struct {
	kind     Kind
	name     int    // token of the name
	as       []byte // the name, where it is not the token's text
	doc      int    // first token, annotations included
	from, to int    // first and last token of the signature
	end      int32  // last line
	cont     span
	exported bool
}

// add emits a definition. What stands on a minified line is dropped.
func (s *Scanner) add(h head) {
	t := s.tok(h.name)
	if t.end == 0 || s.full() || s.longLine(t.off) {
		return
	}
	name := h.as
	if name == nil {
		name = s.text(h.name)
	}
	if len(name) == 0 { // a property named ""
		return
	}
	d := rawDef{kind: h.kind, line: t.line, end: max(h.end, t.line), pos: t.off, exported: h.exported, cont: h.cont}
	d.name = s.put(clipped(name, maxName))
	d.sig = s.signature(h.from, h.to)
	d.doc = s.docBefore(h.doc)
	if d.doc.n == 0 && trailingDoc(h.kind) {
		d.doc = s.docBehind(h.to)
	}
	s.defs = append(s.defs, d)
}

// longLine says that the line around offset off is over maxLine bytes and what
// stands there does not count. It looks no further than that to either side.
func (s *Scanner) longLine(off uint32) bool {
	if s.longFrom <= off && off < s.longTo {
		return true
	}
	lo, hi := max(0, int(off)-maxLine), min(len(s.src), int(off)+maxLine)
	before := bytes.LastIndexByte(s.src[lo:off], '\n')
	after := bytes.IndexByte(s.src[off:hi], '\n')
	if before < 0 && lo > 0 {
		s.longFrom, s.longTo = off, off+1
		if after < 0 {
			s.longTo = uint32(hi)
		}
		return true
	}
	start := lo + before + 1
	if lead := int(off) - start; lead < maxLead && !s.lang.minified() {
		return false
	}
	if after >= 0 {
		return int(off)+after-start > maxLine
	}
	if hi == len(s.src) && hi-start <= maxLine {
		return false
	}
	s.longFrom, s.longTo = off, uint32(hi)
	return true
}

// signature writes the source of tokens from..to on one line, without
// comments, cut to size.
func (s *Scanner) signature(from, to int) span {
	if from < 0 || to < from || from >= s.limit {
		return span{}
	}
	to = min(to, s.limit-1)
	start := uint32(len(s.buf))
	first, end := s.quotesAround(from, to)
	k := s.commentFrom(first)
	space := false
	for at := first; at < end && len(s.buf)-int(start) < maxSignature+4; {
		if k < len(s.comments) && s.comments[k].off <= at {
			at = max(at, s.comments[k].end)
			k++
			space = true
			continue
		}
		c := s.src[at]
		at++
		if c <= ' ' {
			space = true
			continue
		}
		if space && len(s.buf) > int(start) {
			s.buf = append(s.buf, ' ')
		}
		space = false
		s.buf = append(s.buf, c)
	}
	text := clipped(s.buf[start:], maxSignature)
	text = bytes.TrimRight(text, " ")
	s.buf = s.buf[:int(start)+len(text)]
	return span{start, uint32(len(text))}
}

// quotesAround is where the source of tokens from..to starts and ends, with the
// quotes of quoted names.
func (s *Scanner) quotesAround(from, to int) (first, end uint32) {
	quoted := func(t token) bool {
		return t.kind == tokIdent && t.off > 0 && int(t.end) < len(s.src) && s.src[t.off-1] == s.src[t.end] &&
			(s.src[t.end] == '"' || s.src[t.end] == '`')
	}
	first, end = s.toks[from].off, s.toks[to].end
	if quoted(s.toks[from]) {
		first--
	}
	if quoted(s.toks[to]) {
		end++
	}
	return first, end
}

// commentFrom is the index of the first comment at or behind an offset.
func (s *Scanner) commentFrom(off uint32) int {
	k, _ := slices.BinarySearchFunc(s.comments, off, func(c comment, off uint32) int {
		return cmp.Compare(c.off, off)
	})
	return k
}
