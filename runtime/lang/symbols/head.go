package symbols

import (
	"bytes"
	"unicode/utf8"
)

// head describes a definition by its tokens.
type head struct {
	kind     Kind
	name     int    // token of the name
	as       []byte // the name, if it differs from the token's text
	doc      int    // first token, annotations included
	from, to int    // first and last token of the signature
	end      int32  // last line
	cont     span
	exported bool
}

// add adds a definition, unless it is on a minified line.
func (f *file) add(h head) {
	t := f.token(h.name)
	if t.end == 0 || f.isFull() || f.onLongLine(t.off) {
		return
	}
	name := h.as
	if name == nil {
		name = f.text(h.name)
	}
	if len(name) == 0 { // a property named ""
		return
	}
	d := rawDef{kind: h.kind, line: t.line, end: max(h.end, t.line), pos: t.off, exported: h.exported, cont: h.cont}
	d.name = f.put(clip(name, maxName))
	d.sig = f.writeSignature(h.from, h.to)
	d.doc = f.writeDocBefore(h.doc)
	if d.doc.n == 0 && hasTrailingDoc(h.kind) {
		d.doc = f.writeDocBehind(h.to)
	}
	f.defs = append(f.defs, d)
}

// writeSignature writes the source of tokens from..to on one line, without comments, cut to size.
func (f *file) writeSignature(from, to int) span {
	if from < 0 || to < from || from >= f.limit {
		return span{}
	}
	to = min(to, f.limit-1)
	start := uint32(len(f.buf))
	first, end := f.quotesAround(from, to)
	k := f.commentFrom(first)
	space := false
	for at := first; at < end && len(f.buf)-int(start) < maxSignature+utf8.UTFMax; {
		if k < len(f.comments) && f.comments[k].off <= at {
			at = max(at, f.comments[k].end)
			k++
			space = true
			continue
		}
		c := f.src[at]
		at++
		if c <= ' ' {
			space = true
			continue
		}
		if space && len(f.buf) > int(start) {
			f.buf = append(f.buf, ' ')
		}
		space = false
		f.buf = append(f.buf, c)
	}
	text := clip(f.buf[start:], maxSignature)
	text = bytes.TrimRight(text, " ")
	f.buf = f.buf[:int(start)+len(text)]
	return span{start, uint32(len(text))}
}

// quotesAround returns where the source of tokens from..to starts and ends, including the quotes of quoted names.
func (f *file) quotesAround(from, to int) (first, end uint32) {
	quoted := func(t token) bool {
		if t.kind != tokIdent || t.off == 0 || int(t.end) >= len(f.src) {
			return false
		}
		open, end := f.src[t.off-1], f.src[t.end]
		return open == end && (end == '"' || end == '`') || open == '[' && end == ']' && f.lang == SQL
	}
	first, end = f.toks[from].off, f.toks[to].end
	if quoted(f.toks[from]) {
		first--
	}
	if quoted(f.toks[to]) {
		end++
	}
	return first, end
}
