package compact

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxHref is the length from which the address of a link counts as data and is left out.
const maxHref = 160

// textOfHTML returns the text of a page: blocks as lines, headings marked, links with their addresses, no scripts or
// styles. It reads tokens and builds no tree, so any depth of nesting is fine.
func textOfHTML(page string) string {
	w := &pageWriter{}
	w.b.Grow(len(page))
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return w.b.String()
		case html.TextToken:
			if w.hidden == 0 {
				w.text(textOf(z))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := tagOf(z.Raw())
			w.open(tag)
			if tag == atom.A || tag == atom.Img || tag == atom.Input {
				w.attributes(tag, z)
			}
		case html.EndTagToken:
			w.close(tagOf(z.Raw()))
		}
	}
}

// textOf returns the text of a token. Text of the tokenizer makes a copy even if there is nothing to unescape.
func textOf(z *html.Tokenizer) []byte {
	raw := z.Raw()
	for _, c := range raw {
		if c == '&' || c == '\r' || c == 0 {
			return z.Text()
		}
	}
	return raw
}

// tagOf returns the element of a raw tag, or 0 if it is unknown. TagName of the tokenizer copies each name.
func tagOf(raw []byte) atom.Atom {
	name := raw[1:]
	if name[0] == '/' {
		name = name[1:]
	}
	var lower [16]byte
	for i, c := range name {
		switch c {
		case ' ', '\n', '\r', '\t', '\f', '/', '>':
			return atom.Lookup(lower[:i])
		}
		if i == len(lower) {
			break
		}
		if isUpper(c) {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return 0
}

// pageWriter writes the text of a page.
type pageWriter struct {
	b      strings.Builder
	hidden int    // open elements whose text is not for readers
	link   []byte // the address of the open link, as it is written
	fresh  bool   // at the beginning of a line
	gap    bool   // a space is due
}

// text writes words with a single space between them.
func (w *pageWriter) text(t []byte) {
	if len(t) == 0 {
		return
	}
	gap, blankEnd := w.gap || isBlank(t[0]), isBlank(t[len(t)-1])
	for t = t[spacesLen(t):]; len(t) > 0; t = t[spacesLen(t):] {
		if gap && !w.fresh && w.b.Len() > 0 {
			w.b.WriteByte(' ')
		}
		n := wordsLen(t)
		w.b.Write(t[:n])
		w.fresh, w.gap, gap = false, false, true
		t = t[n:]
	}
	w.gap = w.gap || blankEnd
}

// wordsLen returns the number of bytes before the first space that cannot be written as it is: only a single space
// between ASCII words can.
func wordsLen(t []byte) int {
	for i, c := range t {
		switch {
		case c > ' ' && c < utf8.RuneSelf:
		case c == ' ' && i > 0 && i+1 < len(t) && t[i+1] > ' ' && t[i+1] < utf8.RuneSelf:
		case spaceAt(t[i:]) > 0:
			return i
		}
	}
	return len(t)
}

// spacesLen returns the number of bytes of leading space.
func spacesLen(t []byte) int {
	i := 0
	for i < len(t) {
		n := spaceAt(t[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// spaceAt returns the length of the space character that a text begins with, 0 if there is none.
func spaceAt(t []byte) int {
	if c := t[0]; c < utf8.RuneSelf {
		if isSpace(c) {
			return 1
		}
		return 0
	}
	if r, n := utf8.DecodeRune(t); unicode.IsSpace(r) {
		return n
	}
	return 0
}

// isBlank reports whether a byte is white space that separates words of a page.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (w *pageWriter) line() {
	if w.b.Len() > 0 && !w.fresh {
		w.b.WriteByte('\n')
	}
	w.fresh, w.gap = true, false
}

func (w *pageWriter) open(tag atom.Atom) {
	switch tag {
	case atom.Script, atom.Style, atom.Svg, atom.Noscript, atom.Template:
		w.hidden++
	case atom.Title, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt:
		w.line()
		w.b.WriteString(headingOf(tag))
	case atom.Td, atom.Th:
		if !w.fresh && w.b.Len() > 0 {
			w.b.WriteString(" | ")
			w.gap = false
		}
	default:
		if isBlock(tag) {
			w.line()
		}
	}
}

// headingOf returns the Markdown prefix of a heading; a term is above its description like a heading.
func headingOf(tag atom.Atom) string {
	switch tag {
	case atom.Title, atom.H1:
		return "# "
	case atom.H2:
		return "## "
	case atom.H3:
		return "### "
	case atom.H4:
		return "#### "
	case atom.H5:
		return "##### "
	}
	return "###### "
}

func (w *pageWriter) close(tag atom.Atom) {
	switch tag {
	case atom.Script, atom.Style, atom.Svg, atom.Noscript, atom.Template:
		w.hidden = max(0, w.hidden-1)
	case atom.A:
		w.text(w.link)
		w.link = w.link[:0]
	default:
		if isBlock(tag) {
			w.line()
		}
	}
}

// attributes writes the attributes of a tag that a reader sees.
func (w *pageWriter) attributes(tag atom.Atom, z *html.Tokenizer) {
	for more := true; more; {
		var key, val []byte
		key, val, more = z.TagAttr()
		switch {
		case tag == atom.A && string(key) == "href" && len(val) < maxHref && !bytes.HasPrefix(val, []byte("#")) && !bytes.HasPrefix(val, []byte("javascript:")):
			w.link = w.link[:0]
			if len(val) > 0 {
				w.link = append(append(append(w.link, " ("...), val...), ") "...)
			}
		case tag == atom.Img && string(key) == "alt" && w.hidden == 0:
			w.text(val)
		case tag == atom.Input && (string(key) == "name" || string(key) == "value") && w.hidden == 0:
			w.text([]byte(" " + string(key) + "=" + string(val) + " "))
		}
	}
}

func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Div, atom.Li, atom.Tr, atom.Dt, atom.Dd, atom.Section, atom.Ul, atom.Ol, atom.Table, atom.Br, atom.Pre, atom.Article, atom.Header,
		atom.Footer, atom.Nav, atom.Main, atom.Aside, atom.Form, atom.Blockquote, atom.Figure, atom.Figcaption, atom.Title, atom.Hr, atom.Option,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}
