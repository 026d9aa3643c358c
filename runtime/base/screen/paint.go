package screen

import "io"

// Style is how a piece of text stands out, by the parameters of ANSI's "select
// graphic rendition".
type Style string

// The styles. Text says all that they say as well.
const (
	Heading Style = "1"
	Bad     Style = "1;31"
	Doubt   Style = "33"
	Good    Style = "32"
	Place   Style = "36"
)

// Painter is a writer that shows colours.
type Painter interface {
	io.Writer
	// Paint writes a text in a style.
	Paint(s Style, text string) error
}

// Sized is a writer of so many columns, 0 for any number.
type Sized interface{ Columns() int }

// Paint writes a text in a style where the writer has styles.
func Paint(w io.Writer, s Style, text string) error {
	if p, ok := w.(Painter); ok && s != "" {
		return p.Paint(s, text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// Columns is the width of a writer, 0 where it has none.
func Columns(w io.Writer) int {
	if s, ok := w.(Sized); ok {
		return s.Columns()
	}
	return 0
}

// Colours reports whether colours are wanted, from what the environment says
// (NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM) and whether a terminal is written to.
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

// Coloured is a writer without a width that shows colours all the same, where
// they are forced.
type Coloured struct{ io.Writer }

// Paint writes a text in a style.
func (c Coloured) Paint(s Style, text string) error {
	_, err := io.WriteString(c.Writer, begin(s)+text+reset)
	return err
}

const reset = "\x1b[0m"

func begin(s Style) string { return "\x1b[" + string(s) + "m" }
