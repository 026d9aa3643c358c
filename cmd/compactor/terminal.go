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

// terminal is a terminal that obeys nothing of what is printed: what names,
// quoted lines, servers and configurations bring along is taken out, whichever
// command prints it. Lines are broken between words, and the colours are ours. A
// file or another program gets what is written.
type terminal struct {
	*screen.Wrapper
	to   io.Writer
	fd   int
	asks bool   // it is known to make links
	rest []byte // the beginning of a character whose end was not written yet
}

// newOutput is a standard stream as commands write to it.
func newOutput(f *os.File) io.Writer {
	fd := int(f.Fd())
	shown := term.IsTerminal(fd)
	colours := screen.Colours(os.Getenv, shown)
	switch {
	case shown:
		t := newTerminal(f, fd, columns(fd), colours && obeysColours(f))
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

// narrowest is the width below which a terminal is taken for one that does not
// know its own.
const narrowest, usual = 20, 80

// columns is the width of a terminal: its own, else what COLUMNS says.
func columns(fd int) int {
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
	text, t.rest = printable(append(t.rest, p...))
	if _, err := t.Wrapper.Write([]byte(text)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Paint writes a text in a style; the text steers nothing.
func (t *terminal) Paint(s screen.Style, text string) error {
	return t.Wrapper.Paint(s, sanitize.Strip(text))
}

// verbatim lets a writer break no lines: what is written is for a program, or to be
// copied.
func verbatim(w io.Writer) {
	if t, ok := w.(*terminal); ok {
		t.SetColumns(0)
	}
}

// flush writes what a terminal still holds.
func flush(w io.Writer) {
	if t, ok := w.(*terminal); ok {
		_ = t.Flush()
	}
}

// printable is the text of bytes without what steers a terminal, and what is
// left of a character that is not whole.
func printable(p []byte) (text string, rest []byte) {
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

// line is a foreign text on one line: a name makes no line of its own, and
// nothing in it is hidden.
func line(s string) string { return sanitize.Line(strings.Join(strings.Fields(s), " ")) }

// indented is a foreign text of several lines below one of ours.
func indented(s string) string {
	return strings.ReplaceAll(strings.TrimRight(sanitize.Strip(s), "\n"), "\n", "\n    ")
}
