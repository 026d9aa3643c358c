package screen

import (
	"io"
	"strings"
)

// between is the number of columns left free between two cells, and least the number
// that the last cell of a row needs to be readable next to the others.
const (
	between = 2
	least   = 24
)

// Table writes rows below a head, which may be empty. If the last cell does not fit, it
// continues below itself; if even its beginning does not fit, each row is written as a
// list of its cells.
func Table(w io.Writer, head []string, rows [][]string) error {
	widths := columnWidths(head, rows)
	width := Columns(w)
	start := 0 // of the last column
	for _, n := range widths[:max(len(widths)-1, 0)] {
		start += n + between
	}
	last := 0
	if len(widths) > 0 {
		last = widths[len(widths)-1]
	}
	p := &tablePrinter{w: w, widths: widths, width: width, start: start}
	if width > 0 && start+min(last, least) > width {
		for _, row := range rows {
			p.writeList(head, row)
		}
		return p.err
	}
	if len(head) > 0 {
		p.writeRow(head, Heading)
	}
	for _, row := range rows {
		p.writeRow(row, "")
	}
	return p.err
}

func columnWidths(head []string, rows [][]string) []int {
	widths := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(cell))
		}
	}
	return widths
}

type tablePrinter struct {
	w            io.Writer
	widths       []int
	width, start int
	err          error
}

func (p *tablePrinter) write(s Style, text string) {
	if p.err == nil {
		p.err = Paint(p.w, s, text)
	}
}

func (p *tablePrinter) writeRow(cells []string, s Style) {
	for i, cell := range cells {
		if strings.Join(cells[i:], "") == "" {
			break
		}
		if i < len(cells)-1 {
			p.write(s, cell)
			p.write("", strings.Repeat(" ", p.widths[i]-Width(cell)+between))
			continue
		}
		for k, part := range Break(cell, p.width-p.start) {
			if k > 0 {
				p.write("", "\n"+strings.Repeat(" ", p.start))
			}
			p.write(s, part)
		}
	}
	p.write("", "\n")
}

// writeList writes a row as a list: its other cells below the first.
func (p *tablePrinter) writeList(head, cells []string) {
	for i, cell := range cells {
		switch {
		case i == 0:
			p.write(Heading, cell)
			p.write("", "\n")
		case cell != "" && i < len(head):
			p.write("", "  "+strings.ToLower(head[i])+": "+cell+"\n")
		case cell != "":
			p.write("", "  "+cell+"\n")
		}
	}
}

// Break splits a text between words into parts of at most width columns; a longer word
// stays whole, and a width that is not positive splits nothing.
func Break(text string, width int) []string {
	if width <= 0 || Width(text) <= width {
		return []string{text}
	}
	var parts []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case Width(line)+1+Width(word) <= width:
			line += " " + word
		default:
			parts, line = append(parts, line), word
		}
	}
	return append(parts, line)
}
