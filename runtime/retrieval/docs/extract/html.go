package extract

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Kinds of elements.
var (
	// unseen elements hold no text of a document. The value names them in the notes about omitted
	// parts; empty ones are not mentioned.
	unseen = map[atom.Atom]string{atom.Script: "scripts", atom.Style: "", atom.Noscript: "", atom.Template: "", atom.Iframe: "frames", atom.Object: "objects", atom.Svg: "drawings",
		atom.Canvas: "drawings", atom.Select: "", atom.Textarea: "", atom.Audio: "sounds", atom.Video: "films", atom.Noembed: "", atom.Noframes: "", atom.Datalist: ""}
	// around elements hold the surroundings of the text.
	around = []atom.Atom{atom.Nav, atom.Footer, atom.Aside, atom.Form, atom.Button, atom.Menu, atom.Dialog}
	// paragraphs are the elements that end an open paragraph.
	paragraphs = []atom.Atom{atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Dl, atom.Dt, atom.Dd, atom.Blockquote, atom.Figure, atom.Figcaption, atom.Hr, atom.Fieldset,
		atom.Details, atom.Summary, atom.Body, atom.Head, atom.Html, atom.Address, atom.Caption, atom.Table, atom.Ul, atom.Ol, atom.Li, atom.Tr, atom.Pre}
	void  = []atom.Atom{atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Source, atom.Track, atom.Wbr}
	heads = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
)

// maxKeywords limits the keywords of a page, in bytes.
const maxKeywords = 2_000

// maxList is the depth up to which lists are distinguished.
const maxList = 16

// page reads a page token by token.
type page struct {
	w     writer
	z     *html.Tokenizer
	title strings.Builder
	tags  []string
	text  strings.Builder // of the open paragraph
	skip  atom.Atom       // the element that is being left out
	depth int             // number of open elements with its name
	head  atom.Atom       // the open heading
	in    atom.Atom       // title, while it is open
	pre   int
	lang  string
	lists []int // the open lists: the number of the next item, -1 without numbers
	item  bool  // whether the open text is an item
	row   []string
}

// readHTML returns the text of a page.
func readHTML(ctx context.Context, data []byte) (Text, error) {
	said, err := decodePage(data)
	if err != nil {
		return Text{}, err
	}
	p := &page{z: html.NewTokenizer(strings.NewReader(said))}
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return Text{}, ctx.Err()
		}
		switch p.z.Next() {
		case html.ErrorToken:
			p.flush()
			t := p.w.text(p.title.String())
			t.Tags = p.tags
			return t, nil
		case html.TextToken:
			p.addText(string(p.z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := p.z.TagName()
			p.openElement(atom.Lookup(name), more)
		case html.EndTagToken:
			name, _ := p.z.TagName()
			p.endElement(atom.Lookup(name))
		}
	}
}

// attributes are the attributes of a tag that are read.
type attributes struct {
	hidden, around bool
	class, alt     string
	name, content  string // of meta
}

func (p *page) readAttributes(more bool) (a attributes) {
	for more {
		var key, value []byte
		key, value, more = p.z.TagAttr()
		switch string(key) {
		case "hidden":
			a.hidden = true
		case "aria-hidden":
			a.hidden = a.hidden || string(value) == "true"
		case "role":
			a.around = string(value) == "navigation" || string(value) == "search" || string(value) == "banner"
		case "class":
			a.class = string(value)
		case "alt":
			a.alt = string(value)
		case "name":
			a.name = string(value)
		case "content":
			a.content = string(value)
		case "style":
			style := strings.ReplaceAll(strings.ToLower(string(value)), " ", "") + ";"
			for _, way := range []string{"display:none", "visibility:hidden", "font-size:0;", "opacity:0;"} {
				a.hidden = a.hidden || strings.Contains(style, way)
			}
		}
	}
	return a
}

// openElement handles a tag that opens an element.
func (p *page) openElement(tag atom.Atom, more bool) {
	a := p.readAttributes(more)
	if p.skip != 0 {
		switch {
		case tag == p.skip:
			p.depth++
		case slices.Contains(around, p.skip) && (tag == atom.Main || tag == atom.Article || tag == atom.H1): // it was not closed
			p.skip = 0
			p.openElement(tag, false)
		}
		return
	}
	if p.startSkip(tag, a) {
		return
	}
	if i := slices.Index(heads, tag); i >= 0 {
		p.flush()
		p.head = tag
		return
	}
	p.endPart(tag)
	p.beginElement(tag, a)
}

// startSkip starts to leave an element out if it is one to leave out, and reports whether it did.
func (p *page) startSkip(tag atom.Atom, a attributes) bool {
	what, out := unseen[tag]
	switch {
	case tag == 0 || slices.Contains(void, tag):
		return false
	case out:
	case a.hidden:
		what, out = "hidden parts", true
	case a.around || slices.Contains(around, tag):
		what, out = "navigation and forms", true
	}
	if !out {
		return false
	}
	p.flush()
	p.skip, p.depth = tag, 1
	if what != "" {
		p.w.countLeft(what)
	}
	return true
}

// beginElement handles the beginning of an element that is read.
func (p *page) beginElement(tag atom.Atom, a attributes) {
	switch tag {
	case atom.Title:
		p.in = atom.Title
	case atom.Meta:
		if strings.EqualFold(a.name, "keywords") && len(p.tags) == 0 {
			p.tags = strings.Split(a.content[:min(len(a.content), maxKeywords)], ",")
		}
	case atom.Ul:
		p.openList(-1)
	case atom.Ol:
		p.openList(1)
	case atom.Li:
		p.item = true
	case atom.Pre:
		p.pre++
		p.lang = codeLanguage(a.class)
	case atom.Code:
		if p.pre > 0 {
			if l := codeLanguage(a.class); l != "" {
				p.lang = l
			}
		} else {
			p.text.WriteByte('`')
		}
	case atom.Table:
		p.flush()
		p.w.endTable()
	case atom.Tr:
		p.endRow()
	case atom.Td, atom.Th:
		p.nextCell()
	case atom.Br:
		p.text.WriteByte('\n')
	case atom.Img:
		p.w.countLeft("pictures")
		p.text.WriteString(a.alt)
	case atom.Dd:
		p.item = true
	}
}

// openList opens a list.
func (p *page) openList(number int) {
	if len(p.lists) < maxList {
		p.lists = append(p.lists, number)
	}
}

// endElement handles a tag that ends an element.
func (p *page) endElement(tag atom.Atom) {
	if p.skip != 0 {
		if tag == p.skip {
			if p.depth--; p.depth == 0 {
				p.skip = 0
			}
		}
		return
	}
	switch {
	case tag == atom.Title:
		p.in = 0
	case tag == atom.Code && p.pre == 0:
		p.text.WriteByte('`')
	case tag == atom.Pre && p.pre > 0:
		p.flush()
		p.pre--
	case tag == atom.Tr:
		p.endRow()
	case tag == atom.Table:
		p.endRow()
		p.w.endTable()
	case (tag == atom.Ul || tag == atom.Ol) && len(p.lists) > 0:
		p.flush()
		p.lists = p.lists[:len(p.lists)-1]
	case slices.Contains(heads, tag):
		p.flush()
	default:
		p.endPart(tag)
	}
}

// endPart ends a paragraph at an element that separates paragraphs. In a row it ends a word.
func (p *page) endPart(tag atom.Atom) {
	switch {
	case !slices.Contains(paragraphs, tag) || tag == atom.Tr || tag == atom.Table:
	case p.row != nil:
		p.text.WriteByte(' ')
	default:
		p.flush()
	}
}

// addText adds text that a reader sees.
func (p *page) addText(text string) {
	switch {
	case p.skip != 0:
	case p.in == atom.Title:
		if p.title.Len() < 1000 {
			p.title.WriteString(text)
		}
	default:
		p.text.WriteString(text)
	}
}

// maxCells limits the cells of a row.
const maxCells = 256

// nextCell ends the open cell and opens the next.
func (p *page) nextCell() {
	if p.row == nil {
		p.flush()
		p.row = []string{}
		return
	}
	if len(p.row) < maxCells {
		p.row = append(p.row, p.text.String())
	}
	p.text.Reset()
}

// endRow ends the open row.
func (p *page) endRow() {
	if p.row == nil {
		p.flush()
		return
	}
	p.nextCell()
	p.w.row(p.row)
	p.row = nil
}

// flush ends the open paragraph, heading, item, code or row.
func (p *page) flush() {
	if p.row != nil {
		p.endRow()
		return
	}
	text := p.text.String()
	p.text.Reset()
	switch {
	case p.head != 0:
		p.w.heading(slices.Index(heads, p.head)+1, strings.TrimRight(text, " ¶#§🔗\n\t"))
		p.head = 0
		return
	case p.pre > 0:
		p.w.code(p.lang, text)
	case strings.TrimSpace(text) == "":
		return
	case p.item:
		n := 0
		if i := len(p.lists) - 1; i >= 0 && p.lists[i] > 0 {
			n = p.lists[i]
			p.lists[i]++
		}
		p.w.item(len(p.lists)-1, n, text)
		p.item = false
	default:
		p.w.paragraph(text)
	}
}

// codeLanguage returns the language of code from its class, as pages name it.
func codeLanguage(class string) string {
	for c := range strings.FieldsSeq(class) {
		for _, prefix := range []string{"language-", "lang-", "highlight-", "source-"} {
			if l, ok := strings.CutPrefix(c, prefix); ok && len(l) < 20 && !strings.Contains(l, "`") {
				return l
			}
		}
	}
	return ""
}
