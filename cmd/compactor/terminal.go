package main

import (
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

// terminal is a terminal that never obeys what is printed: control characters in names,
// quoted lines, output of servers and configurations are removed, whichever command prints
// them. Lines are broken between words, and all colours are ours. A file or another program
// gets what is written.
type terminal struct {
	*screen.Wrapper
	to   io.Writer
	fd   int
	asks bool   // it is known to support links
	rest []byte // first bytes of a character whose end was not written yet
}

// newOutput wraps a standard stream for the commands.
func newOutput(f *os.File) io.Writer {
	fd := int(f.Fd())
	shown := term.IsTerminal(fd)
	colours := screen.Colours(os.Getenv, shown)
	switch {
	case shown:
		t := newTerminal(f, fd, terminalWidth(fd), colours && obeysColours(f))
		t.asks = screen.Links(os.Getenv, shown) && obeysColours(f)
		return t
	case colours:
		return screen.Coloured{Writer: f}
	}
	return f
}

func newTerminal(to io.Writer, fd, width int, colours bool) *terminal {
	return &terminal{Wrapper: screen.NewWrapper(to, width, colours), to: to, fd: fd}
}

// narrowest is the least width that a terminal is believed to have, in columns; usual is
// assumed if no width is known.
const narrowest, usual = 20, 80

// terminalWidth returns the width of a terminal: its own, else the value of COLUMNS, else usual.
func terminalWidth(fd int) int {
	width, _, err := term.GetSize(fd)
	if err != nil || width < narrowest {
		width, _ = strconv.Atoi(os.Getenv("COLUMNS"))
	}
	if width < narrowest {
		return usual
	}
	return width
}

func (t *terminal) Write(p []byte) (int, error) {
	var text string
	text, t.rest = splitPrintable(append(t.rest, p...))
	if _, err := t.Wrapper.Write([]byte(text)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Paint writes a text in a style, without the control characters in it.
func (t *terminal) Paint(s screen.Style, text string) error {
	return t.Wrapper.Paint(s, sanitize.Strip(text))
}

// disableWrapping turns off line breaking, for output that is read by a program or copied.
func disableWrapping(w io.Writer) {
	if t, ok := w.(*terminal); ok {
		t.SetColumns(0)
	}
}

// flush writes what a terminal still buffers.
func flush(w io.Writer) {
	if t, ok := w.(*terminal); ok {
		_ = t.Flush()
	}
}

// splitPrintable returns the text in p without control characters, and the bytes of an incomplete
// character at the end of p.
func splitPrintable(p []byte) (text string, rest []byte) {
	end := len(p)
	for back := 1; back < utf8.UTFMax && back <= len(p); back++ {
		if c := p[len(p)-back]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(p[len(p)-back:]) {
				end = len(p) - back
			}
			break
		}
	}
	return sanitize.Strip(string(p[:end])), append([]byte(nil), p[end:]...)
}

// oneLine returns a foreign text on one line: a name cannot start a line of its own, and nothing
// in it is hidden.
func oneLine(s string) string { return sanitize.Line(strings.Join(strings.Fields(s), " ")) }

// indentLines returns a foreign text of several lines, indented below one of ours.
func indentLines(s string) string {
	return strings.ReplaceAll(strings.TrimRight(sanitize.Strip(s), "\n"), "\n", "\n    ")
}
