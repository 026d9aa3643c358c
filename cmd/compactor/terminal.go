package main

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/compactor-mcp/compactor/runtime/quote"
)

// terminal is a terminal that obeys nothing of what is printed: what names,
// quoted lines, servers and configurations bring along is taken out, whichever
// command prints it. A file or another program gets what is written.
type terminal struct {
	to   io.Writer
	fd   int
	rest []byte // the beginning of a character whose end was not written yet
}

// newOutput is a standard stream as commands write to it.
func newOutput(f *os.File) io.Writer {
	if fd := int(f.Fd()); term.IsTerminal(fd) {
		return &terminal{to: f, fd: fd}
	}
	return f
}

func (t *terminal) Write(p []byte) (int, error) {
	var text string
	text, t.rest = printable(append(t.rest, p...))
	if _, err := io.WriteString(t.to, text); err != nil {
		return 0, err
	}
	return len(p), nil
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
	return quote.Strip(string(p[:end])), append([]byte(nil), p[end:]...)
}

// line is a foreign text on one line: a name makes no line of its own, and
// nothing in it is hidden.
func line(s string) string { return quote.Line(strings.Join(strings.Fields(s), " ")) }

// indented is a foreign text of several lines below one of ours.
func indented(s string) string {
	return strings.ReplaceAll(strings.TrimRight(quote.Strip(s), "\n"), "\n", "\n    ")
}
