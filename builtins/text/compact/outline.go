package compact

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// outline gives for each line the line it stands below, and -1 where it stands below none: a heading, a declaration, the
// hunk and the file of a diff. What is kept of a text is shown below these, so that it is clear what it belongs to.
func outline(kind Kind, lines []string) []int32 {
	switch kind {
	case Markdown:
		return headings(lines)
	case Source:
		return declarations(lines)
	case Prose:
		return indented(lines)
	}
	return nil
}

// maxOver is how many headings or declarations above one another are kept track of, and overBytes how long one is that
// is shown only for what stands below it.
const (
	maxOver   = 12
	overBytes = 80
)

// levels is what is open at a line: the lines above it that hold it, the outermost first.
type levels struct {
	line, level [maxOver]int32
	n           int
}

// close ends what is open at a level and below it.
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

// top is the innermost line that is open, -1 for none.
func (o *levels) top() int32 {
	if o.n == 0 {
		return -1
	}
	return o.line[o.n-1]
}

// headings is the outline of Markdown. What looks like a heading in a fence is a comment of code.
func headings(lines []string) []int32 {
	over := make([]int32, len(lines))
	var o levels
	fenced := false
	for k, l := range lines {
		_, l = numbered(l)
		t := strings.TrimSpace(l)
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fenced = !fenced
		}
		level := int32(0)
		switch {
		case fenced || t == "":
		case strings.HasPrefix(t, "#") && heads1(t):
			level = int32(len(t) - len(strings.TrimLeft(t, "#")))
		case k+1 < len(lines) && !strings.Contains(t, "|") && !hasPrefix(t, "- ", "* ", "+ ", ">"):
			level = underlined(lines[k+1])
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

// underlined returns the level of the heading above a line of equals signs or of hyphens, 0 above any other.
func underlined(line string) int32 {
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

// declarations is the outline of code: a line stands below the nearest declaration above it that is indented less.
func declarations(lines []string) []int32 {
	over := make([]int32, len(lines))
	var o levels
	for k, l := range lines {
		_, l = numbered(l)
		t := strings.TrimLeft(l, " \t")
		if strings.TrimRight(t, "\r") == "" {
			over[k] = o.top()
			continue
		}
		level := int32(idents.Indent(l))
		if t[0] == ')' || t[0] == '{' { // goes on with a declaration of several lines
			level++
		}
		o.close(level)
		over[k] = o.top()
		if defines(l) {
			o.open(int32(k), level)
		}
	}
	return over
}

// indented is the outline of manuals, of help and of other text that is set in: a line stands below the nearest one above
// it that is indented less and has the next line indented more.
func indented(lines []string) []int32 {
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
