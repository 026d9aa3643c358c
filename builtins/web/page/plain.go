package page

import "strings"

// readPlain reads a text whose paragraphs are separated by blank lines; in Markdown, headings begin
// with # and code is between fences.
func readPlain(text string, markdown bool, mask func(string) string) Document {
	b := builder{mask: mask}
	var lines []string
	fence := ""
	end := func(code bool) {
		b.add(strings.Join(lines, "\n"), code)
		lines = lines[:0]
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "" && strings.HasPrefix(trimmed, fence):
			end(true)
			fence = ""
		case fence != "":
			lines = append(lines, line)
		case markdown && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
			end(false)
			fence = trimmed[:3]
		case trimmed == "":
			end(false)
		case markdown && headingLevel(trimmed) > 0:
			end(false)
			n := headingLevel(trimmed)
			b.openHeading(n, strings.Trim(trimmed[n:], "# "), "")
		default:
			if isListItem(trimmed) {
				end(false)
			}
			lines = append(lines, line)
		}
	}
	end(fence != "")
	return b.doc
}

// headingLevel returns the level of a Markdown heading, 0 for other lines.
func headingLevel(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n == 0 || n > levels || n == len(line) || line[n] != ' ' {
		return 0
	}
	return n
}

// isListItem reports whether a line begins a list item.
func isListItem(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}
