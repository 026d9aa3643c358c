package extract

import (
	"fmt"
	"slices"
	"strings"
)

// writer builds Markdown: paragraphs, headings, items, rows and code.
type writer struct {
	b    strings.Builder
	last block
	size int // of everything written, also beyond the limit
	left map[string]int
}

type block int

const (
	none block = iota
	paragraph
	listItem
	tableRow
)

// write adds a block; text beyond the limit is only counted.
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
	if text = oneLine(text); text != "" {
		w.write(paragraph, strings.Repeat("#", min(max(level, 1), 6))+" "+text)
		w.last = none
	}
}

func (w *writer) paragraph(text string) { w.write(paragraph, squeezeLines(text)) }

// item adds an item of a list, number 0 for one without.
func (w *writer) item(depth, number int, text string) {
	if text = oneLine(text); text == "" {
		return
	}
	mark := "- "
	if number > 0 {
		mark = fmt.Sprintf("%d. ", number)
	}
	w.write(listItem, strings.Repeat("  ", min(max(depth, 0), 16))+mark+text)
}

// code adds lines unchanged, between fences that do not occur in them.
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

// row adds a row of a table; the first is followed by the rule.
func (w *writer) row(cells []string) {
	for i := range cells {
		cells[i] = strings.ReplaceAll(oneLine(cells[i]), "|", `\|`)
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

// endTable ends the open table, so that the next has columns of its own.
func (w *writer) endTable() { w.last = none }

// countLeft counts something that is left out.
func (w *writer) countLeft(what string) {
	if w.left == nil {
		w.left = map[string]int{}
	}
	w.left[what]++
}

// text returns the text written, with notes on the parts that were left out.
func (w *writer) text(title string) Text {
	t := Text{Title: title, Text: w.b.String(), Form: Markdown}
	for what, n := range w.left {
		t.Notes = append(t.Notes, fmt.Sprintf("%s: %d", what, n))
	}
	slices.Sort(t.Notes)
	if w.size > MaxText {
		t.Notes = append(t.Notes, beyondNote(w.size))
	}
	return t
}

// oneLine returns a text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// squeezeLines returns the lines of a text with single spaces, without empty ones.
func squeezeLines(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if line = oneLine(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
