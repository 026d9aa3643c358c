package handoff

import (
	"strings"
)

// FormatError reports that a text is not a research handoff.
type FormatError struct{ Name string }

func (e *FormatError) Error() string {
	what := "the text"
	if e.Name != "" {
		what = "handoff " + e.Name
	}
	return what + ": not a research handoff; it needs the heading \"# " + title + "\" or a section such as \"## " + question + "\""
}

// Code returns HANDOFF_FORMAT.
func (e *FormatError) Code() string { return "HANDOFF_FORMAT" }

// Parse reads an artifact back: Parse(Format(d)) is d.Clean(). People edit artifacts, so sections
// may come in any order and case, bullets may be of any kind, sections may be missing, and the text
// under an unknown heading is dropped.
func Parse(text string) (Document, error) {
	var d Document
	found := false
	for _, s := range splitSections(text) {
		found = d.takeSection(s) || found
	}
	if !found {
		return Document{}, &FormatError{}
	}
	return d.Clean(), nil
}

// takeSection reads one section and reports whether it belongs to a handoff.
func (d *Document) takeSection(s section) bool {
	switch s.name {
	case "research handoff":
	case "question":
		d.Question = s.joinText(d.Question)
	case "summary":
		d.Summary = s.joinText(d.Summary)
	case "key findings", "findings":
		d.KeyFindings = append(d.KeyFindings, s.readItems()...)
	case "references":
		d.References = append(d.References, s.readItems()...)
	case "constraints / budgets", "constraints", "budgets":
		d.Constraints = append(d.Constraints, s.readItems()...)
	case "notes":
		d.Notes = s.joinText(d.Notes)
	default:
		return false
	}
	return true
}

// A section is a heading, in lower case, and the lines below it.
type section struct {
	name  string
	lines []string
}

// splitSections cuts at headings of the first two levels; deeper ones are text. Text before the first
// heading is dropped.
func splitSections(text string) []section {
	var out []section
	for line := range strings.SplitSeq(newlines.Replace(strings.TrimPrefix(text, "\ufeff")), "\n") {
		if name, ok := readHeading(line); ok {
			out = append(out, section{name: name})
		} else if len(out) > 0 {
			last := &out[len(out)-1]
			last.lines = append(last.lines, line)
		}
	}
	return out
}

func readHeading(line string) (string, bool) {
	text := strings.TrimPrefix(strings.TrimPrefix(line, "#"), "#")
	if text == line || text != "" && text[0] != ' ' && text[0] != '\t' {
		return "", false
	}
	return strings.ToLower(strings.Join(strings.Fields(text), " ")), true
}

// joinText appends a text section to the text of earlier sections of the same name.
func (s section) joinText(before string) string {
	lines := make([]string, len(s.lines))
	for i, l := range s.lines {
		lines[i] = unescapeHeading(l)
	}
	return strings.TrimSpace(before + "\n\n" + strings.TrimSpace(strings.Join(lines, "\n")))
}

// readItems reads a list. Indented lines continue an entry, and so do lines without a bullet after the
// first bullet; without any bullet each line is an entry.
func (s section) readItems() []string {
	var out, entry []string // entry holds the lines of the last entry, joined when it ends
	for _, line := range s.lines {
		item, isItem := readBullet(line)
		switch {
		case isItem && entry != nil:
			out = append(out, strings.Join(entry, "\n"))
			entry = []string{item}
		case isItem:
			entry = []string{item}
		case entry != nil:
			entry = append(entry, strings.TrimPrefix(line, "  "))
		case strings.TrimSpace(line) != "" && strings.TrimSpace(line) != none:
			out = append(out, line)
		}
	}
	if entry != nil {
		out = append(out, strings.Join(entry, "\n"))
	}
	return out
}

// readBullet reads "- x", "* x", "+ x" and "3. x" at the start of a line.
func readBullet(line string) (string, bool) {
	mark, text, ok := strings.Cut(line, " ")
	if !ok {
		return "", false
	}
	if mark == "-" || mark == "*" || mark == "+" {
		return text, true
	}
	number := strings.TrimRight(mark, ".)")
	if len(mark)-len(number) == 1 && number != "" && strings.Trim(number, "0123456789") == "" {
		return text, true
	}
	return "", false
}
