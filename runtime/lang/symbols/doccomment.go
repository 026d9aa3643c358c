package symbols

import (
	"bytes"
	"cmp"
	"slices"
)

// maxDocLines limits the line comments above a definition that are read.
const maxDocLines = 200

// writeDocBefore writes the first sentence of the comment directly above token i, with no blank line and no other token
// in between.
func (f *file) writeDocBefore(i int) span {
	if i < 0 || i >= f.limit {
		return span{}
	}
	k := f.commentFrom(f.toks[i].off) - 1
	if k < 0 {
		return span{}
	}
	var floor uint32 // end of the previous token
	if i > 0 {
		floor = f.toks[i-1].end
	}
	last := f.comments[k]
	if last.off < floor || f.toks[i].line-last.endLine > 1 || !last.own || f.isForeign(last) {
		return span{}
	}
	first := k
	if f.isLineComment(last) {
		for first > 0 && k-first < maxDocLines {
			c := f.comments[first-1]
			if !c.own || c.off < floor || c.endLine != f.comments[first].line-1 || !f.isLineComment(c) || f.isForeign(c) {
				break
			}
			first--
		}
	}
	return f.writeDoc(f.comments[first : k+1])
}

// isForeign reports whether a comment belongs to the whole file: Rust's //! and the "#!" line of a script.
func (f *file) isForeign(c comment) bool {
	text := f.src[c.off:c.end]
	return bytes.HasPrefix(text, []byte("//!")) || (c.off <= 3 && bytes.HasPrefix(text, []byte("#!")))
}

// writeDocBehind writes the comment that follows token i on its line, where fields and constants are often explained.
func (f *file) writeDocBehind(i int) span {
	if i < 0 || i >= f.limit {
		return span{}
	}
	k := f.commentFrom(f.toks[i].end)
	if k >= len(f.comments) {
		return span{}
	}
	c := f.comments[k]
	if c.line != f.toks[i].line || c.endLine != c.line || f.hasCodeBetween(i, c.off) {
		return span{}
	}
	return f.writeDoc(f.comments[k : k+1])
}

// maxValueTokens is the number of tokens, a value and a separator, allowed between a name and the comment that explains
// it on the same line.
const maxValueTokens = 4

// hasCodeBetween reports whether more than a value and a separator separates token i from the comment at off: another
// name on the line then owns the comment.
func (f *file) hasCodeBetween(i int, off uint32) bool {
	return i+maxValueTokens < f.limit && f.toks[i+maxValueTokens].end < off
}

// isLineComment reports whether a comment ends with its line.
func (f *file) isLineComment(c comment) bool {
	return !bytes.HasPrefix(f.src[c.off:c.end], []byte("/*")) && c.line == c.endLine
}

// hasTrailingDoc reports whether a comment on the same line may explain a definition of kind k.
func hasTrailingDoc(k Kind) bool {
	switch k {
	case KindField, KindMember, KindConstant, KindVariable, KindMacro:
		return true
	}
	return false
}

// writeDoc writes the first sentence of the given comments.
func (f *file) writeDoc(comments []comment) span {
	w := sentence{buf: f.buf, start: len(f.buf)}
	for _, c := range comments {
		body, more := f.src[c.off:c.end], true
		for len(body) > 0 && more && !w.done {
			var line []byte
			line, body, more = cutLine(body)
			w.addLine(line)
		}
	}
	f.buf = w.finish()
	return span{uint32(w.start), uint32(len(f.buf) - w.start)}
}

// writeDocString writes the first sentence of a string literal, whose token includes the quotes.
func (f *file) writeDocString(i int) span {
	body := f.text(i)
	body = bytes.TrimLeft(body, "rRuUbBfF")
	body = bytes.Trim(body, `"'`)
	w := sentence{buf: f.buf, start: len(f.buf), plain: true}
	for more := true; more && !w.done; {
		var line []byte
		line, body, more = cutLine(body)
		w.addLine(line)
	}
	f.buf = w.finish()
	return span{uint32(w.start), uint32(len(f.buf) - w.start)}
}

// nearComments is how far from the last result commentFrom searches before it searches all comments: definitions come
// in the order of the file.
const nearComments = 8

// commentFrom returns the index of the first comment at or after an offset.
func (f *file) commentFrom(off uint32) int {
	k := f.nextComment
	for range nearComments {
		switch {
		case k < len(f.comments) && f.comments[k].off < off:
			k++
		case k > 0 && f.comments[k-1].off >= off:
			k--
		default:
			f.nextComment = k
			return k
		}
	}
	f.nextComment, _ = slices.BinarySearchFunc(f.comments, off, func(c comment, off uint32) int {
		return cmp.Compare(c.off, off)
	})
	return f.nextComment
}
