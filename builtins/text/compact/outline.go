package compact

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// outlineOf returns the parent of each line, or -1: a heading or a declaration, or a less indented line of prose. Shown
// lines come after their parents, which makes clear what they belong to.
func outlineOf(kind Kind, lines []string) []int32 {
	switch kind {
	case Markdown:
		return outlineMarkdown(lines)
	case Source:
		return outlineCode(lines)
	case Prose:
		return outlineIndented(lines)
	}
	return nil
}

// maxOver is the maximum depth of nested headings or declarations, and overBytes the maximum length of one that is
// only shown for the lines below it.
const (
	maxOver   = 12
	overBytes = 80
)

// levels is a stack of the open lines, those that the current line is nested in, the outermost first.
type levels struct {
	line, level [maxOver]int32
	n           int
}

// close closes all levels from the given one down.
func (o *levels) close(level int32) {
	for o.n > 0 && o.level[o.n-1] >= level {
		o.n--
	}
}

func (o *levels) open(line, level int32) {
	if o.n < maxOver {
		o.line[o.n], o.level[o.n] = line, level
		o.n++
	}
}

// top returns the innermost open line, or -1.
func (o *levels) top() int32 {
	if o.n == 0 {
		return -1
	}
	return o.line[o.n-1]
}

// outlineMarkdown returns the outline of Markdown. What looks like a heading inside a fence is a comment in code.
func outlineMarkdown(lines []string) []int32 {
	over := make([]int32, len(lines))
	var o levels
	fenced := false
	for k, l := range lines {
		_, l = cutLineNumber(l)
		t := strings.TrimSpace(l)
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fenced = !fenced
		}
		level := int32(0)
		switch {
		case fenced || t == "":
		case strings.HasPrefix(t, "#") && isATXHeading(t):
			level = int32(len(t) - len(strings.TrimLeft(t, "#")))
		case k+1 < len(lines) && !strings.Contains(t, "|") && !hasPrefix(t, "- ", "* ", "+ ", ">"):
			level = underlineLevel(lines[k+1])
		}
		if level > 0 {
			o.close(level)
			over[k] = o.top()
			o.open(int32(k), level)
			continue
		}
		over[k] = o.top()
	}
	return over
}

// underlineLevel returns the level of a heading underlined with equals signs or hyphens; 0 for any other line.
func underlineLevel(line string) int32 {
	t := strings.TrimSpace(line)
	switch {
	case len(t) < 3:
		return 0
	case strings.Trim(t, "=") == "":
		return 1
	case strings.Trim(t, "-") == "":
		return 2
	}
	return 0
}

// outlineCode returns the outline of code: the parent of a line is the nearest less indented declaration above it.
func outlineCode(lines []string) []int32 {
	over := make([]int32, len(lines))
	var o levels
	for k, l := range lines {
		_, l = cutLineNumber(l)
		t := strings.TrimLeft(l, " \t")
		if strings.TrimRight(t, "\r") == "" {
			over[k] = o.top()
			continue
		}
		level := int32(idents.Indent(l))
		if t[0] == ')' || t[0] == '{' { // continues a declaration of several lines
			level++
		}
		o.close(level)
		over[k] = o.top()
		if beginsDefinition(l) {
			o.open(int32(k), level)
		}
	}
	return over
}

// outlineIndented returns the outline of indented text such as manuals and help: the parent of a line is the nearest line
// above with less indentation whose next line is indented more.
func outlineIndented(lines []string) []int32 {
	deep := 0
	for _, l := range lines {
		if strings.HasPrefix(l, "  ") || strings.HasPrefix(l, "\t") {
			deep++
		}
	}
	if deep*10 < len(lines) {
		return nil
	}
	over := make([]int32, len(lines))
	var o levels
	for k, l := range lines {
		if strings.TrimSpace(l) == "" {
			over[k] = o.top()
			continue
		}
		level := int32(idents.Indent(l))
		o.close(level)
		over[k] = o.top()
		next := k + 1
		for next < len(lines) && next < k+3 && strings.TrimSpace(lines[next]) == "" {
			next++
		}
		if next < len(lines) && int32(idents.Indent(lines[next])) > level+1 {
			o.open(int32(k), level)
		}
	}
	return over
}
