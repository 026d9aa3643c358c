package diag

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

// Source returns the text of a file that a Range names; nil if it is not available.
// Diagnostics are then printed without an excerpt.
type Source func(file string) []byte

// shown is how many allowed values the text form lists before it counts the rest. JSON
// has them all.
const shown = 12

// Text prints each diagnostic with its source line, carets under the exact range, and
// what is allowed there. On a terminal, only the part of a long line that fits is
// shown.
func Text(w io.Writer, l List, src Source) error {
	out := &printer{w: w, columns: screen.Columns(w)}
	lines := &lineCache{src: src, files: map[string][]string{}}
	for i, d := range l {
		if i > 0 {
			out.print("\n")
		}
		out.printDiagnostic(d, lines)
	}
	return out.err
}

// printer writes until the first error.
type printer struct {
	w       io.Writer
	columns int // 0 means unlimited
	err     error
}

func (out *printer) print(format string, args ...any) { out.paint("", fmt.Sprintf(format, args...)) }

func (out *printer) paint(s screen.Style, text string) {
	if out.err == nil {
		out.err = screen.Paint(out.w, s, text)
	}
}

var styles = map[Severity]screen.Style{Error: screen.Bad, Warning: screen.Doubt}

func (out *printer) printDiagnostic(d Diagnostic, lines *lineCache) {
	if !d.Range.IsZero() {
		out.paint(screen.Place, d.Range.String())
		out.print(": ")
	}
	out.paint(styles[d.Severity], string(d.Severity)+" "+d.Code)
	out.print(": %s\n", d.subject())
	hint := ""
	if d.Suggestion != "" {
		hint = "did you mean " + strconv.Quote(d.Suggestion) + "?"
	}
	gutter := strings.Repeat(" ", len(strconv.Itoa(d.Range.Line)))
	if line, ok := lines.get(d.Range.File, d.Range.Line); ok {
		out.printExcerpt(d, line, gutter, hint)
	} else if hint != "" {
		out.printNote(gutter, hint)
	}
	if len(d.Allowed) > 0 {
		out.printNote(gutter, "allowed: "+joinAllowed(d.Allowed))
	}
	for _, r := range d.Related {
		out.printNote(gutter, r.Range.String()+": "+r.Message)
	}
	if d.Help != "" {
		out.printNote(gutter, "help: "+d.Help)
	}
}

func (out *printer) printNote(gutter, text string) { out.print(" %s = %s\n", gutter, cleanText(text)) }

func joinAllowed(values []string) string {
	if len(values) <= shown {
		return strings.Join(values, ", ")
	}
	return strings.Join(values[:shown], ", ") + fmt.Sprintf(" and %d more", len(values)-shown)
}

func (out *printer) printExcerpt(d Diagnostic, line, gutter, hint string) {
	room := widest
	if out.columns > 0 {
		room = min(widest, max(out.columns-len(gutter)-4, narrowest))
	}
	text, pad, carets := excerptLine(line, d.Range, room)
	out.print(" %s |\n", gutter)
	out.print(" %d | %s\n", d.Range.Line, text)
	out.print(" %s | %s", gutter, pad)
	out.paint(styles[d.Severity], strings.Repeat("^", carets))
	if hint != "" && out.columns > 0 && screen.Width(pad)+carets+1+screen.Width(hint) > room {
		out.print("\n")
		out.printNote(gutter, hint)
		return
	}
	if hint != "" {
		out.print(" %s", hint)
	}
	out.print("\n")
}

// lineCache splits each file only once, however many diagnostics it has.
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
