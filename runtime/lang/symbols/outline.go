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

	// Hostile input may define a name every three bytes, each with a long signature and container. These limit the output
	// of one file.
	maxDefs   = 100_000
	maxGrowth = 4       // bytes of text per byte of source
	minText   = 1 << 16 // bytes of text that every file may have

	// Deep nesting must not make names grow without limit.
	maxContainer = 4 * maxName
)

// span is a part of the outline's text.
type span struct{ off, n uint32 }

// rawDef is a definition whose strings are still in the outline's text.
type rawDef struct {
	name, cont, sig, doc span
	kind                 Kind
	line, end            int32
	pos                  uint32 // offset of the name in the source
	exported             bool
}

// outline collects definitions. All their strings share one buffer that becomes one Go string at the end: two
// allocations per file.
type outline struct {
	lang Lang
	src  []byte
	defs []rawDef
	buf  []byte
	room int // bytes that buf may hold

	longFrom, longTo uint32 // a range known to be on a long line
}

// reset discards the collected definitions, for a file of the given size.
func (o *outline) reset(size int) {
	o.defs, o.buf, o.room = o.defs[:0], o.buf[:0], maxGrowth*size+minText
}

// begin switches to another source, the first or another part of the same file.
func (o *outline) begin(lang Lang, src []byte) {
	o.lang, o.src = lang, src
	o.longFrom, o.longTo = 0, 0
}

// isFull reports whether the file has yielded all that it may.
func (o *outline) isFull() bool { return len(o.defs) >= maxDefs || len(o.buf) > o.room }

// put appends a text to the buffer.
func (o *outline) put(text []byte) span {
	sp := span{uint32(len(o.buf)), uint32(len(text))}
	o.buf = append(o.buf, text...)
	return sp
}

// textAt returns the text of a span.
func (o *outline) textAt(sp span) []byte { return o.buf[sp.off : sp.off+sp.n] }

// join appends container, separator and name as a new container.
func (o *outline) join(cont span, sep string, name []byte) span {
	if cont.n == 0 {
		return o.put(clip(name, maxName))
	}
	if cont.n > maxContainer || o.isFull() {
		return cont
	}
	sp := span{off: uint32(len(o.buf))}
	o.buf = append(o.buf, o.buf[cont.off:cont.off+cont.n]...)
	o.buf = append(o.buf, sep...)
	o.buf = append(o.buf, clip(name, maxName)...)
	sp.n = uint32(len(o.buf)) - sp.off
	return sp
}

// finish returns the collected definitions, sorted by line.
func (o *outline) finish() []Def {
	if len(o.defs) == 0 {
		return nil
	}
	order := func(a, b rawDef) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.pos, b.pos))
	}
	if !slices.IsSortedFunc(o.defs, order) {
		slices.SortStableFunc(o.defs, order)
	}
	joinLines(o.buf)
	text := string(o.buf)
	str := func(sp span) string { return text[sp.off : sp.off+sp.n] }
	if !utf8.ValidString(text) {
		str = func(sp span) string { return strings.ToValidUTF8(text[sp.off:sp.off+sp.n], "\uFFFD") }
	}
	out := make([]Def, len(o.defs))
	for i, d := range o.defs {
		out[i] = Def{
			Name: str(d.name), Kind: d.kind, Container: str(d.cont),
			Line: int(d.line), EndLine: int(max(d.end, d.line)),
			Signature: str(d.sig), Doc: str(d.doc), Exported: d.exported,
		}
	}
	return out
}

// joinLines replaces line breaks with blanks. A quoted name may contain them, and a line that ends with a line feed may
// contain carriage returns.
func joinLines(text []byte) {
	for _, c := range []byte{'\n', '\r'} {
		for at := 0; ; at++ {
			n := bytes.IndexByte(text[at:], c)
			if n < 0 {
				break
			}
			at += n
			text[at] = ' '
		}
	}
}
