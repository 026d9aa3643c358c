package notebook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
)

// Marks that Lines writes after the comment mark, in front of a line that is not code: text is marked as in knitr's
// spin, output as in reprex.
const (
	TextMark   = "' "
	outputMark = "> "
)

// BreakMark ends a line of a cell that does not end a line of the file.
const BreakMark = '\r'

// headMark follows the comment mark on the first line and precedes the language.
const headMark = " notebook: "

// maxOutput limits how much of a cell's output is kept, in bytes: the beginning of a table shows what it is, and a log
// of a million lines is useless to a reader.
const maxOutput = 4 << 10

// Lines returns the cells of a notebook as a source file in its language whose lines have the same numbers as in data:
// text, output and cells in other languages become comments, pictures and the rest of the JSON are left out. Lines of a
// cell that data has on one line are separated by BreakMark. ok is false if data is not a notebook.
//
// It reads data twice, and decodes only what it writes: most of a notebook is pictures.
func Lines(data []byte) (text []byte, ok bool) {
	if !json.Valid(data) {
		return nil, false
	}
	h := heads{data: data}
	walkValues(data, h.readHead)
	if h.lists != 1 {
		return nil, false
	}
	language := strings.ToLower(cmp.Or(h.info, h.kernel, h.cell, "python")) // kernels of other languages name theirs
	if len(language) > 32 || strings.ContainsFunc(language, func(r rune) bool { return r < ' ' }) {
		language = "python"
	}
	w := writer{data: data, comment: commentOf(language), language: language, cells: h.cells, due: true}
	w.out = append(make([]byte, 0, len(data)/2), w.comment+headMark+language+string(BreakMark)...) // not documentation of what follows
	end := walkValues(data, w.readValue)
	w.endLines(bytes.Count(data[end:], []byte("\n")))
	return w.out, true
}

// Language returns the language named in the first line of Lines' result, or "".
func Language(text []byte) string {
	head, _, _ := bytes.Cut(text[:min(len(text), 64)], []byte("\n"))
	head, _, _ = bytes.Cut(head, []byte{BreakMark})
	for _, comment := range []string{"#", "//", "--"} {
		if rest, ok := bytes.CutPrefix(head, []byte(comment+headMark)); ok {
			return string(rest)
		}
	}
	return ""
}

// commentOf returns the comment mark of a language.
func commentOf(language string) string {
	switch language {
	case "python", "r", "julia", "ruby", "bash", "sh", "perl", "powershell", "elixir", "sage", "sagemath", "octave":
		return "#"
	case "haskell", "lua", "sql", "sqlite", "postgresql":
		return "--"
	}
	return "//"
}

// frame is an open JSON object or list, with its last key.
type frame struct {
	list bool
	key  []byte
}

// walkValues calls read for each string value, with its quotes, and for the beginning of each object and list; open is what
// is open around it, and from the end of the preceding one. It returns where it ended. data is valid JSON.
func walkValues(data []byte, read func(open []frame, from, at, end int)) int {
	var open []frame
	from := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			read(open, from, i, i+1)
			open, from = append(open, frame{list: data[i] == '['}), i+1
		case '}', ']':
			open = open[:len(open)-1]
		case '"':
			end := endOfString(data, i)
			if top := len(open) - 1; top >= 0 && !open[top].list && isKey(data, end) {
				open[top].key = data[i+1 : end-1]
			} else {
				read(open, from, i, end)
				from = end
			}
			i = end - 1
		}
	}
	return from
}

// endOfString returns the offset after the string that opens at i.
func endOfString(data []byte, i int) int {
	for i++; i < len(data); i++ {
		n := bytes.IndexAny(data[i:], "\"\\")
		if n < 0 {
			break
		}
		if i += n; data[i] == '"' {
			return i + 1
		}
		i++
	}
	return len(data)
}

// isKey reports whether a colon follows.
func isKey(data []byte, i int) bool {
	for i < len(data) && (data[i] == ' ' || data[i] == '\t' || data[i] == '\n' || data[i] == '\r') {
		i++
	}
	return i < len(data) && data[i] == ':'
}

// decodeString returns the text of a JSON string.
func decodeString(literal []byte) string {
	var s string
	_ = json.Unmarshal(literal, &s) // it is valid
	return s
}

// cellDepth returns the number of frames around an open cell: 2, 4 with worksheets, -1 outside of a cell.
func cellDepth(open []frame) int {
	switch {
	case len(open) > 2 && isList(open, 0, "cells") && !open[2].list:
		return 2
	case len(open) > 4 && isList(open, 0, "worksheets") && isList(open, 2, "cells") && !open[4].list:
		return 4
	}
	return -1
}

// isList reports whether a frame is an object, and the next one the list under its given key.
func isList(open []frame, i int, key string) bool {
	return !open[i].list && string(open[i].key) == key && open[i+1].list
}

// beginsCell reports whether an object that begins is a cell.
func beginsCell(open []frame) bool {
	return len(open) == 2 && isList(open, 0, "cells") || len(open) == 4 && isList(open, 0, "worksheets") && isList(open, 2, "cells")
}

// cellHead is what must be known about a cell before it is written.
type cellHead struct {
	kind     string // cell_type
	language string // its own language, as written by VS Code and Polyglot Notebooks
	first    string // first line of its source
}

// heads collects the heads of the cells and the languages that a notebook names.
type heads struct {
	data               []byte
	lists              int // lists of cells
	cells              []cellHead
	info, kernel, cell string // languages
}

func (h *heads) readHead(open []frame, _, at, end int) {
	depth := cellDepth(open)
	switch {
	case h.data[at] == '[' && len(open) == 1 && !open[0].list && (string(open[0].key) == "cells" || string(open[0].key) == "worksheets"):
		h.lists++
	case h.data[at] == '{' && beginsCell(open):
		h.cells = append(h.cells, cellHead{})
	case h.data[at] != '"':
	case depth > 0:
		h.readCell(&h.cells[len(h.cells)-1], open[depth:], h.data[at:end])
	default:
		switch pathOf(open) {
		case "metadata.language_info.name":
			h.info = decodeString(h.data[at:end])
		case "metadata.kernelspec.language":
			h.kernel = decodeString(h.data[at:end])
		}
	}
}

func (h *heads) readCell(c *cellHead, in []frame, literal []byte) {
	switch pathOf(in) {
	case "cell_type":
		c.kind = decodeString(literal)
	case "metadata.language", "metadata.vscode.languageId", "metadata.polyglot_notebook.kernelName":
		c.language = decodeString(literal)
		h.cell = cmp.Or(h.cell, c.language)
	case "language": // version 3
		h.cell = cmp.Or(h.cell, decodeString(literal))
	case "source", "source.":
		if c.first == "" {
			c.first = decodeString(literal)
		}
	}
}

// maxFrames limits the frames around a string that is read.
const maxFrames = 8

// pathOf joins the keys of the open frames, where a list has an empty key; "" means too deep.
func pathOf(open []frame) string {
	if len(open) > maxFrames {
		return ""
	}
	keys := make([]string, len(open))
	for i := range open {
		keys[i] = string(open[i].key)
	}
	return strings.Join(keys, ".")
}

// writer writes the strings of a notebook on their original lines.
type writer struct {
	data     []byte
	comment  string
	language string
	cells    []cellHead
	cell     int // counted from 1
	out      []byte
	due      bool   // the next text begins a line
	source   string // prefix of the lines of this cell
	kept     int    // output of this cell kept so far, in bytes
}

func (w *writer) readValue(open []frame, from, at, end int) {
	w.endLines(bytes.Count(w.data[from:at], []byte("\n")))
	if w.data[at] == '{' && beginsCell(open) {
		w.beginCell()
		return
	}
	depth := cellDepth(open)
	if depth < 0 || w.data[at] != '"' {
		return
	}
	switch pathOf(open[depth:]) {
	case "source", "source.", "input", "input.":
		text := decodeString(w.data[at:end])
		if w.cells[w.cell-1].kind == "heading" && w.due {
			text = "# " + text
		}
		w.writeLines(w.source, text)
	case "outputs..ename":
		w.writeLines(w.comment+outputMark, decodeString(w.data[at:end])+": ")
	case "outputs..text", "outputs..text.", "outputs..evalue", "outputs..data.text/plain", "outputs..data.text/plain.":
		if room := maxOutput - w.kept; room > 0 {
			text := decodeString(w.data[at:end])
			if w.kept += len(text); len(text) > room {
				text = strings.ToValidUTF8(text[:room], "") + "…"
			}
			w.writeLines(w.comment+outputMark, text)
		}
	}
}

// beginCell moves to the next cell and chooses the prefix of its source.
func (w *writer) beginCell() {
	c := &w.cells[w.cell]
	w.cell++
	w.due, w.kept, w.source = true, 0, ""
	switch language := strings.ToLower(c.language); {
	case c.kind != "code":
		w.source = w.comment + TextMark
	case language != "" && language != w.language, isForeign(c.first):
		w.source = w.comment + " "
	}
}

// foreign are the magics that pass a cell to another program, or treat it as text.
var foreign = map[string]bool{"bash": true, "sh": true, "script": true, "system": true, "cmd": true, "powershell": true, "html": true, "svg": true,
	"latex": true, "markdown": true, "javascript": true, "js": true, "writefile": true, "file": true, "sql": true, "bigquery": true, "R": true,
	"ruby": true, "perl": true, "julia": true, "cython": true, "scala": true}

// isForeign reports whether a source begins with one of them.
func isForeign(source string) bool {
	magic, ok := strings.CutPrefix(source, "%%")
	if end := strings.IndexAny(magic, " \t\r\n"); end >= 0 {
		magic = magic[:end]
	}
	return ok && foreign[magic]
}

var plainText = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD")

// writeLines writes a text, each line of it after a mark.
func (w *writer) writeLines(mark, text string) {
	for line := range strings.Lines(plainText.Replace(text)) {
		if w.due {
			if n := len(w.out); n > 0 && w.out[n-1] != '\n' {
				w.out = append(w.out, BreakMark)
			}
			w.out = append(w.out, mark...)
		}
		line, w.due = strings.CutSuffix(line, "\n")
		w.out = append(w.out, line...)
	}
}

// endLines ends n lines.
func (w *writer) endLines(n int) {
	for range n {
		w.out, w.due = append(w.out, '\n'), true
	}
}
