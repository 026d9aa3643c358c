package page

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Kinds of elements.
var (
	// unseen contain no text of the page.
	unseen = atomSet(atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Svg, atom.Math, atom.Canvas, atom.Select, atom.Textarea, atom.Audio, atom.Video, atom.Noembed, atom.Noframes, atom.Datalist)
	// around contain navigation and the like around the text of a page.
	around = atomSet(atom.Nav, atom.Footer, atom.Aside, atom.Form, atom.Button, atom.Menu, atom.Dialog)
	// blocks end a paragraph.
	blocks = atomSet(atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Header, atom.Footer, atom.Nav, atom.Aside, atom.Ul, atom.Ol, atom.Li, atom.Dl, atom.Dt, atom.Dd, atom.Table, atom.Tr, atom.Thead, atom.Tbody, atom.Caption,
		atom.Blockquote, atom.Figure, atom.Figcaption, atom.Hr, atom.Form, atom.Fieldset, atom.Details, atom.Summary, atom.Body, atom.Head, atom.Html, atom.Address)
	// void have no end tag.
	void = atomSet(atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Source, atom.Track, atom.Wbr)
	// heads are the heading elements by level.
	heads = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
)

func atomSet(list ...atom.Atom) map[atom.Atom]bool {
	out := map[atom.Atom]bool{}
	for _, a := range list {
		out[a] = true
	}
	return out
}

// least is the size in bytes from which a part of a page is accepted as its text.
const least = 200

// readHTML reads the part of a page that is marked as its main text, else everything except
// navigation and the like, else everything.
func readHTML(body []byte, mask func(string) string) Document {
	strict := scanPage(body, true, mask)
	if textSize(strict.Blocks) >= least {
		return strict
	}
	if loose := scanPage(body, false, mask); textSize(loose.Blocks) > 2*textSize(strict.Blocks) {
		return loose
	}
	return strict
}

func textSize(list []Block) (n int) {
	for _, b := range list {
		n += len(b.Text)
	}
	return n
}

// scanner processes the tokens of a page.
type scanner struct {
	builder
	z      *html.Tokenizer
	strict bool

	text   strings.Builder // of the open paragraph
	pre    int             // number of open elements whose line breaks are kept
	skip   atom.Atom       // element being skipped, with nested elements of its name
	depth  int
	raw    bool      // only its own end tag ends the skipped element
	head   atom.Atom // open heading
	id     string    // last anchor, for which no text has followed yet
	link   string    // address of the open link
	words  strings.Builder
	title  bool
	main   int // number of open elements that contain the main text
	inMain []Block
}

func scanPage(body []byte, strict bool, mask func(string) string) Document {
	s := &scanner{builder: builder{mask: mask}, z: html.NewTokenizer(bytes.NewReader(body)), strict: strict}
	for {
		switch s.z.Next() {
		case html.ErrorToken:
			s.flush()
			if strict && textSize(s.inMain) >= least {
				s.doc.Blocks = s.inMain
			}
			return s.doc
		case html.TextToken:
			s.addText(string(s.z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := s.z.TagName()
			s.open(atom.Lookup(name), s.readAttributes(more))
		case html.EndTagToken:
			name, _ := s.z.TagName()
			s.close(atom.Lookup(name))
		}
	}
}

// attributes are the attributes of a tag that matter.
type attributes struct {
	id, name, href, role string
	hidden               bool
}

func (s *scanner) readAttributes(more bool) (a attributes) {
	for more {
		var key, value []byte
		key, value, more = s.z.TagAttr()
		switch string(key) {
		case "id":
			a.id = string(value)
		case "name":
			a.name = string(value)
		case "href":
			a.href = string(value)
		case "role":
			a.role = string(value)
		case "hidden":
			a.hidden = true
		case "aria-hidden":
			a.hidden = a.hidden || string(value) == "true"
		case "style":
			style := strings.ReplaceAll(strings.ToLower(string(value)), " ", "")
			for _, way := range []string{"display:none", "visibility:hidden", "font-size:0", "opacity:0;"} {
				a.hidden = a.hidden || strings.Contains(style+";", way)
			}
		}
	}
	return a
}

func (s *scanner) open(tag atom.Atom, a attributes) {
	switch {
	case s.skip != 0 && tag == s.skip:
		s.depth++
		return
	case s.skip != 0 && !s.raw && (tag == atom.Main || tag == atom.Article || tag == atom.H1): // ends the surroundings, closed or not
		s.skip = 0
	case s.skip != 0:
		if tag == atom.A && !s.raw {
			s.startLink(a.href)
		}
		return
	}
	if tag != 0 && !void[tag] && (unseen[tag] || a.hidden || s.strict && (around[tag] || a.role == "navigation")) {
		s.flush()
		s.skip, s.depth, s.raw = tag, 1, unseen[tag] || a.hidden
		return
	}
	if blocks[tag] {
		s.flush()
	}
	if tag == atom.A && a.id == "" {
		a.id = a.name
	}
	if a.id = strings.TrimSpace(a.id); a.id != "" && len(a.id) <= maxText {
		s.id = a.id
	}
	switch {
	case tag == atom.Main || a.role == "main" || tag == atom.Article:
		s.main++
	case slices.Contains(heads, tag):
		s.flush()
		s.head = tag
	case tag == atom.Pre:
		s.flush()
		s.pre++
	case tag == atom.Br:
		s.text.WriteByte('\n')
	case tag == atom.Td || tag == atom.Th:
		if s.text.Len() > 0 {
			s.text.WriteString(" | ")
		}
	case tag == atom.Title:
		s.title = s.doc.Title == "" || s.head == 0
	case tag == atom.A:
		s.startLink(a.href)
	}
}

func (s *scanner) close(tag atom.Atom) {
	if tag == atom.A {
		s.endLink()
	}
	if s.skip != 0 {
		if tag == s.skip {
			if s.depth--; s.depth <= 0 {
				s.skip = 0
			}
		}
		return
	}
	switch {
	case tag == s.head && tag != 0:
		s.flush()
	case tag == atom.Pre && s.pre > 0:
		s.flush()
		s.pre--
	case tag == atom.Title:
		s.title = false
	case blocks[tag]:
		s.flush()
	}
	if (tag == atom.Main || tag == atom.Article) && s.main > 0 {
		s.main--
	}
}

// addText adds text that a reader sees.
func (s *scanner) addText(text string) {
	if s.link != "" && s.words.Len() < maxText {
		s.words.WriteString(text)
	}
	switch {
	case s.skip != 0:
	case s.title:
		s.doc.Title = clipText(s.mask(flatLine(text)))
	default:
		s.text.WriteString(text)
	}
}

// flush ends the open heading or paragraph.
func (s *scanner) flush() {
	text := s.text.String()
	s.text.Reset()
	if s.head != 0 {
		if strings.TrimSpace(text) != "" {
			title := s.doc.Title
			s.openHeading(slices.Index(heads, s.head)+1, text, s.id)
			if title != "" {
				s.doc.Title = title
			}
			s.id = ""
		}
		s.head = 0
		return
	}
	if strings.TrimSpace(text) == "" {
		return
	}
	s.id = ""
	before := len(s.doc.Blocks)
	s.add(text, s.pre > 0)
	if s.main > 0 {
		s.inMain = append(s.inMain, s.doc.Blocks[before:]...)
	}
}

func (s *scanner) startLink(href string) {
	s.endLink()
	s.link = href
}

func (s *scanner) endLink() {
	if s.link != "" && len(s.doc.Links) < maxLinks {
		s.doc.Links = append(s.doc.Links, Link{Href: s.link, Text: clipText(flatLine(s.words.String()))})
	}
	s.link = ""
	s.words.Reset()
}
