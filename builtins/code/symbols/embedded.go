package symbols

import (
	"bytes"
	"encoding/json"
)

// Files that hold code of another language: notebooks and components.

// scanComponent scans the script parts of a Vue, Svelte or Astro file in place.
func (s *Scanner) scanComponent(src []byte) {
	s.scan(TypeScript, blankMarkup(src))
}

// fence begins and ends the script of an Astro file.
var fence = []byte("---\n")

// blankMarkup returns a copy of src in which everything outside of <script>
// elements and of the script before the markup is blank, so that offsets and
// lines stay what they are.
func blankMarkup(src []byte) []byte {
	out := bytes.Repeat([]byte{' '}, len(src))
	for i, c := range src {
		if c == '\n' {
			out[i] = c
		}
	}
	at := 0
	if bytes.HasPrefix(src, fence) {
		if n := bytes.Index(src, append([]byte{'\n'}, fence...)); n > 0 {
			at = n + 1
			copy(out[len(fence):at], src[len(fence):at])
		}
	}
	for {
		n := bytes.Index(src[at:], []byte("<script"))
		if n < 0 {
			return out
		}
		at += n
		open := bytes.IndexByte(src[at:], '>')
		if open < 0 {
			return out
		}
		at += open + 1
		end := len(src)
		if n := bytes.Index(src[at:], []byte("</script")); n >= 0 {
			end = at + n
		}
		copy(out[at:end], src[at:end])
		at = end
	}
}

// cellPart is one piece of a notebook cell's source: the bytes of a JSON
// string in the file, without its quotes, and the line it stands on.
type cellPart struct {
	off, end int
	line     int32
}

// cell is the source of one notebook cell.
type cell struct {
	code  bool
	parts []cellPart
}

// scanNotebook scans the code cells as one Python file and the text cells as
// one document, and puts the lines of the notebook file in place of theirs.
func (s *Scanner) scanNotebook(src []byte) {
	cells := readCells(src)
	for _, part := range []struct {
		lang Lang
		code bool
	}{{Markdown, false}, {Python, true}} {
		text, lines := joinCells(src, cells, part.code)
		n := len(s.file.defs)
		s.scan(part.lang, text)
		for i := n; i < len(s.file.defs); i++ {
			d := &s.file.defs[i]
			d.line, d.end = lines[d.line-1], lines[d.end-1]
		}
	}
}

// joinCells joins the cells of one sort; lines maps its lines to the file's.
func joinCells(src []byte, cells []cell, code bool) (text []byte, lines []int32) {
	for _, c := range cells {
		if c.code != code || code && isForeignCell(src, c) {
			continue
		}
		line := int32(1)
		for _, p := range c.parts {
			var str string
			if json.Unmarshal(src[p.off-1:p.end+1], &str) != nil {
				continue
			}
			text = append(text, str...)
			line = p.line
			for range bytes.Count([]byte(str), []byte{'\n'}) {
				lines = append(lines, p.line)
			}
		}
		text = append(text, '\n', '\n')
		lines = append(lines, line, line)
	}
	return text, append(lines, 1)
}

// isForeignCell says that a magic hands the whole cell to another program.
func isForeignCell(src []byte, c cell) bool {
	if len(c.parts) == 0 {
		return true
	}
	first := src[c.parts[0].off:c.parts[0].end]
	if !bytes.HasPrefix(first, []byte("%%")) {
		return false
	}
	return !bytes.HasPrefix(first, []byte("%%time")) && !bytes.HasPrefix(first, []byte("%%capture"))
}

// readCells finds the sources of a notebook's cells without decoding its
// outputs, which may be large.
func readCells(src []byte) []cell {
	n := notebook{src: src, line: 1}
	for n.i < len(src) {
		n.readByte()
	}
	if n.foreign {
		return nil
	}
	return n.cells
}

// notebook reads JSON one token at a time, keeping the depth and last key.
type notebook struct {
	src     []byte
	i       int
	line    int32
	depth   int
	key     string // last key at the depth of a cell's fields
	cells   []cell
	cur     cell
	foreign bool // the notebook's language is not Python
}

// cellDepth is the depth inside a cell: { "cells": [ { … } ] }.
const cellDepth = 3

// readByte looks at one byte outside strings.
func (n *notebook) readByte() {
	switch n.src[n.i] {
	case '\n':
		n.line++
	case '{', '[':
		if n.depth++; n.depth == cellDepth && n.src[n.i] == '{' {
			n.cur, n.key = cell{}, ""
		}
	case '}', ']':
		if n.depth == cellDepth && n.src[n.i] == '}' && len(n.cur.parts) > 0 {
			n.cells = append(n.cells, n.cur)
			n.cur = cell{}
		}
		n.depth--
	case '"':
		n.readString()
		return
	}
	n.i++
}

// readString reads a key or value and keeps what tells the cells.
func (n *notebook) readString() {
	from := n.i
	n.i = skipJSONString(n.src, from)
	if n.i-from < 2 || n.src[n.i-1] != '"' {
		return
	}
	text := n.src[from+1 : n.i-1]
	isKey := hasJSONColon(n.src, n.i)
	switch {
	case isKey && n.depth == cellDepth:
		n.key = ""
		if len(text) <= len("cell_type") {
			n.key = string(text)
		}
	case isKey:
		n.foreign = n.foreign || string(text) == "language" && !n.namesPython()
	case n.key == "cell_type" && n.depth == cellDepth:
		n.cur.code = string(text) == "code"
	case n.key == "source" && n.depth <= cellDepth+1:
		n.cur.parts = append(n.cur.parts, cellPart{from + 1, n.i - 1, n.line})
	}
}

// maxLanguageName bounds how far behind its key a language's name may end.
const maxLanguageName = 64

// namesPython says that the value of the key just read names Python.
func (n *notebook) namesPython() bool {
	rest := n.src[n.i:min(len(n.src), n.i+maxLanguageName)]
	return bytes.Contains(bytes.ToLower(rest), []byte("python"))
}
