package screen

import (
	"io"
	"strings"
)

// tab is the distance between tab stops; further is the indent, relative to its line, at which a column continues that
// leaves no room below itself.
const tab, further = 8, 4

// Wrapper breaks lines between words before a terminal breaks them within words. A broken line continues below its
// beginning, that of its list entry or that of its last column. A word that is wider than the terminal is left whole,
// so that a path can be copied. A word is held back until its end is written; Flush writes it out.
type Wrapper struct {
	to     io.Writer
	width  int // 0 breaks nothing
	colour bool

	out   strings.Builder // output of the current Write
	word  strings.Builder
	cells int // of the word
	gap   string
	at    int // column after the written part of this line
	hang  int // column where a broken line continues
	begun bool
	entry bool // the line begins with a list mark
	link  func(place string) string
}

// NewWrapper returns a Wrapper for a terminal of the given width.
func NewWrapper(to io.Writer, width int, colour bool) *Wrapper {
	return &Wrapper{to: to, width: width, colour: colour}
}

// Columns returns the width.
func (w *Wrapper) Columns() int { return w.width }

// SetColumns changes the width; 0 breaks nothing.
func (w *Wrapper) SetColumns(n int) { w.width = n }

// SetLinks turns places into links, to the target that the function returns for each; "" means no link.
func (w *Wrapper) SetLinks(target func(place string) string) { w.link = target }

// Write breaks a text.
func (w *Wrapper) Write(p []byte) (int, error) {
	if err := w.addText(string(p), ""); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Paint breaks a text in a style.
func (w *Wrapper) Paint(s Style, text string) error {
	if !w.colour && (s != Place || w.link == nil) {
		s = ""
	}
	return w.addText(text, s)
}

// Flush writes a word whose end has not been written.
func (w *Wrapper) Flush() error {
	w.placeWord()
	return w.writeOut()
}

func (w *Wrapper) addText(text string, s Style) error {
	painted, linked := false, false
	end := func() {
		if painted && w.colour {
			w.word.WriteString(reset)
		}
		if linked {
			w.word.WriteString(linkTo(""))
		}
		painted, linked = false, false
	}
	for i, c := range text {
		switch c {
		case '\n':
			end()
			w.placeWord()
			w.out.WriteByte('\n')
			w.gap, w.at, w.hang, w.begun, w.entry = "", 0, 0, false, false
		case ' ', '\t':
			end()
			w.placeWord()
			w.gap += string(c)
		default:
			if s != "" && !painted {
				if target := w.linkTarget(s, text[i:]); target != "" {
					w.word.WriteString(linkTo(target))
					linked = true
				}
				if w.colour {
					w.word.WriteString(beginStyle(s))
				}
				painted = true
			}
			w.word.WriteRune(c)
			w.cells += Cells(c)
		}
	}
	end()
	if w.word.Len() == 0 && w.begun { // a prompt ends with a space, and waits
		w.writeSpace()
	}
	return w.writeOut()
}

func (w *Wrapper) writeOut() error {
	_, err := io.WriteString(w.to, w.out.String())
	w.out.Reset()
	return err
}

// placeWord writes the word, on a new line if it no longer fits.
func (w *Wrapper) placeWord() {
	if w.word.Len() == 0 {
		return
	}
	stop := w.columnAfterGap()
	switch {
	case !w.begun:
		w.hang = w.hangingColumn(stop, 0)
		w.entry = w.cells == 1 && strings.ContainsAny(w.word.String(), "-=*·")
	case w.entry:
		w.hang = w.hangingColumn(stop, w.hang)
		w.entry = false
	case stop-w.at > 1:
		w.hang = w.hangingColumn(stop, w.hangingColumn(w.hang+further, w.hang))
	}
	if w.width > 0 && w.begun && w.at > w.hang && stop+w.cells > w.width {
		w.out.WriteString("\n" + strings.Repeat(" ", w.hang))
		w.at, w.gap = w.hang, ""
	} else {
		w.writeSpace()
	}
	w.out.WriteString(w.word.String())
	w.at += w.cells
	w.begun, w.cells = true, 0
	w.word.Reset()
}

// writeSpace writes the space between two words.
func (w *Wrapper) writeSpace() {
	w.out.WriteString(w.gap)
	w.at, w.gap = w.columnAfterGap(), ""
}

// columnAfterGap returns the column after the gap.
func (w *Wrapper) columnAfterGap() int {
	at := w.at
	for _, c := range w.gap {
		if at++; c == '\t' {
			at = (at + tab - 1) / tab * tab
		}
	}
	return at
}

// hangingColumn returns column as the place to continue at, or otherwise if that would leave less than half of the screen.
func (w *Wrapper) hangingColumn(column, otherwise int) int {
	if 2*column > w.width {
		return otherwise
	}
	return column
}
