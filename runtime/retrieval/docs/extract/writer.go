package extract

import (
	"fmt"
	"slices"
	"strings"
)

// writer puts Markdown together: paragraphs, headings, items, rows and code.
type writer struct {
	b    strings.Builder
	last block
	size int // of all that was written and of what was not
	left map[string]int
}

type block int

const (
	none block = iota
	paragraph
	listItem
	tableRow
)

// write adds a block; what goes beyond the bound is counted.
func (w *writer) write(kind block, text string) {
	if text == "" {
		return
	}
	gap := "\n\n"
	if kind == w.last && (kind == listItem || kind == tableRow) {
		gap = "\n"
	}
	if w.b.Len() == 0 {
		gap = ""
	}
	w.size += len(gap) + len(text)
	if w.size <= MaxText {
		w.b.WriteString(gap)
		w.b.WriteString(text)
		w.last = kind
	}
}

func (w *writer) heading(level int, text string) {
	if text = flat(text); text != "" {
		w.write(paragraph, strings.Repeat("#", min(max(level, 1), 6))+" "+text)
		w.last = none
	}
}

func (w *writer) paragraph(text string) { w.write(paragraph, lines(text)) }

// item adds an item of a list, number 0 for one without.
func (w *writer) item(depth, number int, text string) {
	if text = flat(text); text == "" {
		return
	}
	mark := "- "
	if number > 0 {
		mark = fmt.Sprintf("%d. ", number)
	}
	w.write(listItem, strings.Repeat("  ", min(max(depth, 0), 16))+mark+text)
}

// code adds lines as they are, between fences that they do not hold.
func (w *writer) code(language, text string) {
	text = strings.Trim(text, "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	w.write(paragraph, fence+language+"\n"+text+"\n"+fence)
	w.last = none
}

// row adds a row of a table; behind the first comes the rule.
func (w *writer) row(cells []string) {
	for i := range cells {
		cells[i] = strings.ReplaceAll(flat(cells[i]), "|", `\|`)
	}
	if !slices.ContainsFunc(cells, func(c string) bool { return c != "" }) {
		return
	}
	opens := w.last != tableRow
	w.write(tableRow, "| "+strings.Join(cells, " | ")+" |")
	if opens {
		w.write(tableRow, "|"+strings.Repeat(" --- |", len(cells)))
	}
}

// endTable ends the table that is open, so that the next has columns of its own.
func (w *writer) endTable() { w.last = none }

// leave counts something that is left out.
func (w *writer) leave(what string) {
	if w.left == nil {
		w.left = map[string]int{}
	}
	w.left[what]++
}

// text returns what was written, and says what was left out.
func (w *writer) text(title string) Text {
	t := Text{Title: title, Text: w.b.String(), Form: Markdown}
	for what, n := range w.left {
		t.Notes = append(t.Notes, fmt.Sprintf("%s: %d", what, n))
	}
	slices.Sort(t.Notes)
	if w.size > MaxText {
		t.Notes = append(t.Notes, beyond(w.size))
	}
	return t
}

// flat is a text on one line.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// lines is a text whose lines have single spaces; empty ones are left out.
func lines(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = flat(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
