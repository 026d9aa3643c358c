package handoff

import (
	"strings"
)

// The headings of an artifact, in order. Notes is omitted if empty.
const (
	title       = "Research Handoff"
	question    = "Question"
	summary     = "Summary"
	keyFindings = "Key Findings"
	references  = "References"
	constraints = "Constraints / Budgets"
	notes       = "Notes"
)

// none marks an empty list, so that a reader sees that nothing is missing. An entry with the same
// text has a bullet, which distinguishes it.
const none = "None."

// Format returns the artifact's text. The document is cleaned first.
func Format(d Document) string {
	d = d.Clean()
	var b strings.Builder
	b.WriteString("# " + title + "\n")
	writeText(&b, question, d.Question)
	writeText(&b, summary, d.Summary)
	writeList(&b, keyFindings, d.KeyFindings)
	writeList(&b, references, d.References)
	writeList(&b, constraints, d.Constraints)
	if d.Notes != "" {
		writeText(&b, notes, d.Notes)
	}
	return b.String()
}

func writeText(b *strings.Builder, heading, text string) {
	b.WriteString("\n## " + heading + "\n")
	if text == "" {
		return
	}
	b.WriteByte('\n')
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(escapeHeading(line))
		b.WriteByte('\n')
	}
}

func writeList(b *strings.Builder, heading string, items []string) {
	b.WriteString("\n## " + heading + "\n\n")
	if len(items) == 0 {
		b.WriteString(none + "\n")
		return
	}
	for _, item := range items {
		lead := "- "
		for line := range strings.SplitSeq(item, "\n") {
			if line != "" {
				b.WriteString(lead + line)
			}
			b.WriteByte('\n')
			lead = "  "
		}
	}
}

// escapeHeading prevents a line of a user's text from being read as a heading by adding one backslash.
func escapeHeading(line string) string {
	if looksLikeHeading(line) {
		return `\` + line
	}
	return line
}

func unescapeHeading(line string) string {
	if strings.HasPrefix(line, `\`) && looksLikeHeading(line) {
		return line[1:]
	}
	return line
}

// looksLikeHeading matches backslashes, one to six #, and then a blank or nothing.
func looksLikeHeading(line string) bool {
	rest := strings.TrimLeft(line, `\`)
	text := strings.TrimLeft(rest, "#")
	level := len(rest) - len(text)
	return level > 0 && level <= 6 && (text == "" || text[0] == ' ' || text[0] == '\t')
}
