package diag

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Source gives the text of a file that a Range names; nil when it is not to
// be had. Diagnostics are then printed without an excerpt.
type Source func(file string) []byte

// shown is how many allowed values the text form lists before it counts the
// rest. JSON has them all.
const shown = 12

// Text prints each diagnostic with the line it is about, carets under the
// exact range, and what is allowed there.
func Text(w io.Writer, l List, src Source) error {
	out := bufio.NewWriter(w)
	lines := &lineCache{src: src, files: map[string][]string{}}
	for i, d := range l {
		if i > 0 {
			fmt.Fprintln(out)
		}
		printOne(out, d, lines)
	}
	return out.Flush()
}

func printOne(out *bufio.Writer, d Diagnostic, lines *lineCache) {
	fmt.Fprintln(out, d.Text())
	hint := ""
	if d.Suggestion != "" {
		hint = "did you mean " + strconv.Quote(d.Suggestion) + "?"
	}
	gutter := strings.Repeat(" ", len(strconv.Itoa(d.Range.Line)))
	if line, ok := lines.get(d.Range.File, d.Range.Line); ok {
		printExcerpt(out, d.Range, line, gutter, hint)
	} else if hint != "" {
		note(out, gutter, hint)
	}
	if len(d.Allowed) > 0 {
		note(out, gutter, "allowed: "+allowed(d.Allowed))
	}
	for _, r := range d.Related {
		note(out, gutter, r.Range.String()+": "+r.Message)
	}
	if d.Help != "" {
		note(out, gutter, "help: "+d.Help)
	}
}

func note(out *bufio.Writer, gutter, text string) {
	fmt.Fprintf(out, " %s = %s\n", gutter, clean(text))
}

func allowed(values []string) string {
	if len(values) <= shown {
		return strings.Join(values, ", ")
	}
	return strings.Join(values[:shown], ", ") + fmt.Sprintf(" and %d more", len(values)-shown)
}

func printExcerpt(out *bufio.Writer, r Range, line, gutter, hint string) {
	text, pad, carets := excerpt(line, r)
	fmt.Fprintf(out, " %s |\n", gutter)
	fmt.Fprintf(out, " %d | %s\n", r.Line, text)
	under := strings.TrimRight(pad+strings.Repeat("^", carets)+" "+hint, " \t")
	fmt.Fprintf(out, " %s | %s\n", gutter, under)
}

// lineCache splits each file once, however many diagnostics it has.
type lineCache struct {
	src   Source
	files map[string][]string
}

func (c *lineCache) get(file string, n int) (string, bool) {
	if c.src == nil || n < 1 {
		return "", false
	}
	lines, ok := c.files[file]
	if !ok {
		if text := c.src(file); text != nil {
			lines = strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n")
		}
		c.files[file] = lines
	}
	if n > len(lines) {
		return "", false
	}
	return strings.TrimSuffix(lines[n-1], "\r"), true
}
