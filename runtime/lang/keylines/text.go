package keylines

import (
	"bytes"

	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Text is a file from which lines are selected.
type Text struct {
	lang   symbols.Lang
	src    []byte
	code   []byte // src with comments and strings blanked out
	said   []byte // src with only comments blanked out
	starts []int  // offset of each line
}

// Read prepares a file. It keeps src, which must not change.
func Read(lang symbols.Lang, src []byte) *Text {
	return ReadSplit(lang, src, func(fn func(symbols.SpanKind, int, int)) { symbols.Split(lang, src, fn) })
}

// ReadSplit prepares a file as Read does, if its comments and strings are already known: split calls fn with each.
func ReadSplit(lang symbols.Lang, src []byte, split func(fn func(kind symbols.SpanKind, from, to int))) *Text {
	t := &Text{lang: lang, src: src, code: bytes.Clone(src), said: bytes.Clone(src)}
	split(func(kind symbols.SpanKind, from, to int) {
		switch kind {
		case symbols.SpanComment:
			blankOut(t.code[from:to])
			blankOut(t.said[from:to])
		case symbols.SpanString:
			blankOut(t.code[from:to])
		}
	})
	t.starts = append(t.starts, 0)
	for i, c := range src {
		if c == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// blankOut overwrites a text with spaces, except for line breaks.
func blankOut(b []byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
}

// lineCount returns the number of lines.
func (t *Text) lineCount() int { return len(t.starts) }

// cutLine returns a line of src, code or said, without its line break.
func (t *Text) cutLine(of []byte, line int) []byte {
	if line < 1 || line > len(t.starts) {
		return nil
	}
	end := len(of)
	if line < len(t.starts) {
		end = t.starts[line] - 1
	}
	return bytes.TrimRight(of[t.starts[line-1]:end], "\r")
}

// indentOf returns the indentation of a line.
func indentOf(line []byte) int { return idents.Indent(line) }
