package compact

import (
	"slices"
	"strings"
)

// A text of tables is what commands print: one table, with lines before and after it, or several separated by blank
// lines.

const (
	maxBehind  = 2   // lines that sum up a table
	maxBefore  = 8   // lines before a table in its block
	plainBlock = 600 // bytes of lines that are not a table
)

// readTables reads a text as tables and the lines around them, or returns nil if most of it is something else.
func readTables(text string) []section {
	text = strings.Trim(text, "\n\r")
	parted := partHeads(text)
	if parted != text {
		if out := readBlocks(parted); out != nil {
			return out
		}
	}
	if cells := readCells(text); cells != nil {
		return []section{tableSection(cells, text)}
	}
	return readBlocks(text)
}

// readBlocks reads blocks of lines separated by blank lines, or returns nil if most are not tables.
func readBlocks(text string) []section {
	r := blockReader{lines: strings.Count(text, "\n") + 1}
	for block := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if block = strings.Trim(block, "\n"); block != "" && !r.read(block) {
			return nil
		}
	}
	r.flush()
	if r.rows <= minRows || r.rows*10 < (r.rows+r.others)*7 {
		return nil
	}
	return r.out
}

// partHeads inserts a blank line before a header in capitals that follows a table: the output of another command.
func partHeads(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	isHeadLine := func(line string) bool {
		f := strings.Fields(line)
		return len(f) > 3 && line == strings.ToUpper(line) && isHead(f) && !beginAlike(line, head)
	}
	if f := strings.Fields(head); len(f) < 3 || !isHead(f) {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if b.Len() > 0 && strings.TrimRight(line, "\r\n") != head && isHeadLine(strings.TrimRight(line, "\r\n")) {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

// beginAlike reports whether the fields of two lines begin at the same places: a row of capitals is not a header.
func beginAlike(a, b string) bool {
	return slices.EqualFunc(fieldSpans(a), fieldSpans(b), func(x, y span) bool { return x.from == y.from })
}

// blockReader reads blocks of lines, some of which are tables.
type blockReader struct {
	lines        int // of the text
	rows, others int // lines of tables and other lines so far
	out          []section
	plain        []string // consecutive blocks of other lines
}

// read reads a block. It returns false if too many lines do not belong to tables.
func (r *blockReader) read(block string) bool {
	n := strings.Count(block, "\n") + 1
	t, before, behind, ok := tableOfBlock(block)
	if !ok {
		r.others += n
		r.plain = append(r.plain, block)
		return r.others*10 <= r.lines*3
	}
	r.rows += n
	if before != "" {
		r.plain = append(r.plain, before)
	}
	r.flush()
	r.out = append(r.out, t)
	if behind != "" {
		r.plain = append(r.plain, behind)
	}
	return true
}

// flush adds the plain lines as a section.
func (r *blockReader) flush() {
	if len(r.plain) > 0 {
		text := strings.Join(r.plain, "\n")
		r.out = append(r.out, section{plain: text, size: float64(min(len(text), plainBlock))})
		r.plain = nil
	}
}

// tableOfBlock reads a block as a table, with some lines before it and after it.
func tableOfBlock(block string) (t section, before, behind string, ok bool) {
	for range maxBehind {
		i := strings.LastIndexByte(block, '\n')
		if last := block[i+1:]; i < 0 || last[:min(1, len(last))] != "(" && !sumsUp(last) && !hasPrefix(last, "PASS", "ok  \t") { // (200 rows)
			break
		}
		block, behind = block[:i], strings.TrimSuffix(block[i+1:]+"\n"+behind, "\n")
	}
	rest := block
	for range maxBefore {
		read := readHeaded // rows without a header of their own begin with the block
		if len(rest) == len(block) {
			read = readCells
		}
		if cells := read(rest); cells != nil && (len(rest) < len(block) || !hasTitle(cells, rest)) {
			return tableSection(cells, rest), strings.TrimSuffix(block[:len(block)-len(rest)], "\n"), behind, true
		}
		_, after, more := strings.Cut(rest, "\n")
		if !more {
			break
		}
		rest = after
	}
	return section{}, "", "", false
}

// hasTitle reports whether the first line is the title of a table with more columns.
func hasTitle(cells [][]string, text string) bool {
	_, after, _ := strings.Cut(text, "\n")
	below := readCells(after)
	return below != nil && len(below[0]) > len(cells[0])
}

func tableSection(cells [][]string, text string) section {
	return section{table: tableOfCells(cells), size: float64(len(text))}
}

// shortenTables writes tables and the lines around them.
func (s *shortener) shortenTables(text string, bytes int) Summary {
	if c := readOneline(text); len(c) > minRows && readBlame(text) == nil {
		return s.shortenCommits(s.linesOf(text), c, bytes)
	}
	parts := readTables(text)
	if parts == nil {
		return Summary{}
	}
	units := 0
	for _, p := range parts {
		if p.table != nil {
			units += len(p.table.cells)
		}
	}
	out, kept := s.shareBytes(parts, bytes)
	var texts []string
	for _, t := range out {
		if t != "" {
			texts = append(texts, t)
		}
	}
	return Summary{Text: strings.Join(texts, "\n"), Units: units, Kept: kept}
}
