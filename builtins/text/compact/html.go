package compact

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mostHref is the length from which the address of a link is data and left out.
const mostHref = 160

// textOfHTML is what a page says: blocks as lines, headings marked, links with their addresses, without scripts and
// styles. It reads tokens and builds no tree, so that no nesting is too deep.
func textOfHTML(page string) string {
	w := &pageWriter{}
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return w.b.String()
		case html.TextToken:
			if w.hidden == 0 {
				w.text(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := atom.Lookup(name)
			w.open(tag)
			for more {
				var key, val []byte
				key, val, more = z.TagAttr()
				w.attribute(tag, string(key), string(val))
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			w.close(atom.Lookup(name))
		}
	}
}

// pageWriter writes the text of a page.
type pageWriter struct {
	b      strings.Builder
	hidden int    // elements open whose text is for no reader
	href   string // of the link that is open
	fresh  bool   // at the beginning of a line
	gap    bool   // a space is due
}

func (w *pageWriter) text(t string) {
	for i, f := range strings.Fields(t) {
		if !w.fresh && w.b.Len() > 0 && (i > 0 || w.gap || strings.TrimLeft(t, " \t\r\n") != t) {
			w.b.WriteByte(' ')
		}
		w.b.WriteString(f)
		w.fresh, w.gap = false, false
	}
	w.gap = w.gap || strings.TrimRight(t, " \t\r\n") != t
}

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
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.line()
		w.b.WriteString("# ")
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

func (w *pageWriter) close(tag atom.Atom) {
	switch tag {
	case atom.Script, atom.Style, atom.Svg, atom.Noscript, atom.Template:
		w.hidden = max(0, w.hidden-1)
	case atom.A:
		if w.href != "" {
			w.text(" (" + w.href + ") ")
		}
		w.href = ""
	default:
		if isBlock(tag) {
			w.line()
		}
	}
}

func (w *pageWriter) attribute(tag atom.Atom, key, val string) {
	switch {
	case tag == atom.A && key == "href" && len(val) < mostHref && !strings.HasPrefix(val, "#") && !strings.HasPrefix(val, "javascript:"):
		w.href = val
	case tag == atom.Img && key == "alt" && w.hidden == 0:
		w.text(val)
	case tag == atom.Input && (key == "name" || key == "value") && w.hidden == 0:
		w.text(" " + key + "=" + val + " ")
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
