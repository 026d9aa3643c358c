package notebook

import (
	"bytes"
	"encoding/json"
	"strings"
)

// What Lines writes in front of a line that is not code, behind the mark of a comment: the words of knitr's spin for
// text and of reprex for output.
const (
	TextMark   = "' "
	OutputMark = "> "
)

// BreakMark ends a line of a cell that ends no line of the file.
const BreakMark = '\r'

// headMark stands behind the mark of a comment on the first line, before the language.
const headMark = " notebook: "

// maxOutput bounds what is kept of one output, in bytes: the beginning of a table tells what it is, and a log of a
// million lines is of no use to a reader.
const maxOutput = 4 << 10

// Lines returns the cells of a notebook as a source file in its language whose lines have the numbers that they have in
// data: text, output and cells in other languages are comments, pictures and the rest of the JSON are left out. Lines of a cell that data has on
// one line are parted by BreakMark. ok is false for what is no notebook.
func Lines(data []byte) (text []byte, ok bool) {
	n, err := Parse(data)
	if err != nil || n.Cells != nil && n.Worksheets != nil {
		return nil, false
	}
	cells := n.All()
	if cells == nil {
		return nil, false
	}
	language := strings.ToLower(n.Language())
	if language == "" || len(language) > 32 || strings.ContainsFunc(language, func(r rune) bool { return r < ' ' }) {
		language = "python" // kernels of other languages name theirs
	}
	w := writer{comment: commentOf(language), language: language, due: true}
	w.out = append(make([]byte, 0, len(data)/2), w.comment+headMark+language+string(BreakMark)...) // no documentation of what follows
	w.walk(data, cells)
	return w.out, true
}

// Language returns the language that the first line of what Lines returned names, "" where it names none.
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

// commentOf returns what begins a comment in a language.
func commentOf(language string) string {
	switch language {
	case "python", "r", "julia", "ruby", "bash", "sh", "perl", "powershell", "elixir", "sage", "sagemath", "octave":
		return "#"
	case "haskell", "lua", "sql", "sqlite", "postgresql":
		return "--"
	}
	return "//"
}

// writer writes what the strings of a notebook say on the lines on which they stand.
type writer struct {
	comment  string
	language string
	out      []byte
	due      bool   // what comes next begins a line
	source   string // in front of the lines of this cell
	kept     int    // of its output, in bytes
}

// frame is an object or a list of JSON that is open.
type frame struct {
	list   bool
	hasKey bool
	key    string
}

// walk writes the cells in the order of the file.
func (w *writer) walk(data []byte, cells []Cell) {
	var open []frame
	cell, at := -1, 0
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err != nil {
			w.endLines(bytes.Count(data[at:], []byte("\n")))
			return // the end: the whole was parsed before
		}
		end := int(d.InputOffset())
		w.endLines(bytes.Count(data[at:end], []byte("\n")))
		at = end
		if top := len(open) - 1; top >= 0 && !open[top].list && !open[top].hasKey && token != json.Delim('}') {
			open[top].key, open[top].hasKey = token.(string), true
			continue
		}
		switch t := token.(type) {
		case json.Delim:
			switch t {
			case '{', '[':
				if open = append(open, frame{list: t == '['}); t == '{' && len(open) == cellDepth(open)+1 {
					if cell++; cell >= len(cells) {
						return // a list of cells that another one replaced
					}
					w.begin(&cells[cell])
				}
				continue
			}
			open = open[:len(open)-1]
		case string:
			if depth := cellDepth(open); depth > 0 && depth < len(open) && cell >= 0 {
				w.field(&cells[cell], open[depth:], t)
			}
		}
		if len(open) > 0 {
			open[len(open)-1].hasKey = false
		}
	}
}

// cellDepth returns how many frames stand around a cell: 2, 4 with worksheets, -1 where there are no cells.
func cellDepth(open []frame) int {
	switch {
	case len(open) > 2 && open[0].key == "cells" && open[1].list && !open[2].list:
		return 2
	case len(open) > 4 && open[0].key == "worksheets" && open[1].list && open[2].key == "cells" && open[3].list && !open[4].list:
		return 4
	}
	return -1
}

// begin chooses how the source of a cell is written.
func (w *writer) begin(c *Cell) {
	w.due, w.kept, w.source = true, 0, ""
	switch language := strings.ToLower(c.language()); {
	case c.Type != "code":
		w.source = w.comment + TextMark
	case language != "" && language != w.language, isForeign(string(c.Source)):
		w.source = w.comment + " "
	}
}

// isForeign reports a magic that hands the whole cell to another program.
func isForeign(source string) bool {
	magic, ok := strings.CutPrefix(source, "%%")
	return ok && !strings.HasPrefix(magic, "time") && !strings.HasPrefix(magic, "capture") && !strings.HasPrefix(magic, "prun")
}

// field writes a string of a cell, whose place in it the frames tell.
func (w *writer) field(c *Cell, open []frame, text string) {
	isText := func(open []frame) bool { return len(open) == 1 || len(open) == 2 && open[1].list }
	switch open[0].key {
	case "source", "input":
		if isText(open) {
			if c.Type == "heading" && w.due {
				text = strings.Repeat("#", min(max(c.Level, 1), 6)) + " " + text
			}
			w.write(w.source, text)
		}
	case "outputs":
		if len(open) < 3 || w.kept >= maxOutput {
			return
		}
		open = open[2:]
		if open[0].key == "data" && len(open) > 1 {
			open = open[1:]
		}
		switch open[0].key {
		case "text", "text/plain", "evalue":
			if isText(open) {
				text = strings.ToValidUTF8(text[:min(len(text), maxOutput-w.kept)], "")
				w.kept += len(text)
				w.write(w.comment+OutputMark, text)
			}
		}
	}
}

var plainText = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD")

// write writes a text, each line of it behind a mark.
func (w *writer) write(mark, text string) {
	for line := range strings.Lines(plainText.Replace(text)) {
		if w.due {
			if n := len(w.out); n > 0 && w.out[n-1] != '\n' {
				w.out = append(w.out, BreakMark)
			}
			w.out = append(w.out, mark...)
		}
		var ends bool
		line, ends = strings.CutSuffix(line, "\n")
		w.out, w.due = append(w.out, line...), ends
	}
}

// endLines ends so many lines.
func (w *writer) endLines(n int) {
	for range n {
		w.out, w.due = append(w.out, '\n'), true
	}
}
