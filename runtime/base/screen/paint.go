package screen

import "io"

// Style is the emphasis of a piece of text: the parameters of ANSI's "select graphic
// rendition".
type Style string

// The styles. They carry no information that the text does not.
const (
	Heading Style = "1"
	Bad     Style = "1;31"
	Doubt   Style = "33"
	Good    Style = "32"
	Place   Style = "36"
)

// Painter is a writer that shows colors.
type Painter interface {
	io.Writer
	// Paint writes a text in a style.
	Paint(s Style, text string) error
}

// Sized is a writer with a width in columns, 0 for unlimited.
type Sized interface{ Columns() int }

// Paint writes a text in a style, or plain if the writer has no styles.
func Paint(w io.Writer, s Style, text string) error {
	if p, ok := w.(Painter); ok && s != "" {
		return p.Paint(s, text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// Columns returns the width of a writer, 0 if it has none.
func Columns(w io.Writer) int {
	if s, ok := w.(Sized); ok {
		return s.Columns()
	}
	return 0
}

// Colours reports whether colors are wanted, according to the environment (NO_COLOR,
// CLICOLOR, CLICOLOR_FORCE, TERM) and whether the output is a terminal.
func Colours(getenv func(string) string, terminal bool) bool {
	force := getenv("CLICOLOR_FORCE")
	switch {
	case getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return terminal && getenv("CLICOLOR") != "0" && getenv("TERM") != "dumb"
}

// Coloured is a writer without a width that shows colors nevertheless, for when they
// are forced.
type Coloured struct{ io.Writer }

// Paint writes a text in a style.
func (c Coloured) Paint(s Style, text string) error {
	_, err := io.WriteString(c.Writer, beginStyle(s)+text+reset)
	return err
}

const reset = "\x1b[0m"

func beginStyle(s Style) string { return "\x1b[" + string(s) + "m" }
