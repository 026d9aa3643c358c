package eval

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// writer lays text out for a terminal or as Markdown.
type writer struct {
	b  strings.Builder
	md bool
}

func (w *writer) paragraph(s string) { w.b.WriteString("\n" + s + "\n") }

func (w *writer) item(s string) {
	if w.md {
		s = "- " + s
	}
	w.b.WriteString(s + "\n")
}

// table aligns columns: the first to the left, numbers to the right.
func (w *writer) table(rows [][]string) {
	w.b.WriteString("\n")
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	for n, row := range rows {
		if w.md {
			w.b.WriteString("| " + strings.Join(row, " | ") + " |\n")
			if n == 0 {
				w.b.WriteString("|---" + strings.Repeat("|---:", len(row)-1) + "|\n")
			}
			continue
		}
		var line strings.Builder
		for i, c := range row {
			if i == 0 {
				fmt.Fprintf(&line, "%-*s", width[0], c)
			} else {
				fmt.Fprintf(&line, "  %*s", width[i], c)
			}
		}
		w.b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
