package render

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/screen"
)

// Page is the output of a view: plain text or Markdown.
type Page struct {
	pieces []piece
	md     bool
}

// Markdown reports whether the page is Markdown.
func (p *Page) Markdown() bool { return p.md }

// Line writes a text unchanged.
func (p *Page) Line(s string) { p.paint("", s) }

func (p *Page) paint(style screen.Style, s string) { p.pieces = append(p.pieces, piece{style, s}) }

// Title writes the heading of a Markdown page.
func (p *Page) Title(text string) {
	if p.md {
		p.Line("# " + text + "\n\n")
	}
}

// Paragraph writes a text, in Markdown below its heading; nothing if it is empty.
func (p *Page) Paragraph(name, text string) {
	if text == "" {
		return
	}
	p.sectionHeading(name)
	p.writeCited(p.escapeText(text) + "\n")
	p.blankLine()
}

// citation matches the place of what is named before it: "`Pool.admit` (a.go:12)".
var citation = lazyregexp.New("` \\(([^()\\s`]+)\\)")

// writeCited writes a text and highlights the places in its citations.
func (p *Page) writeCited(text string) {
	if p.md {
		p.Line(text)
		return
	}
	from := 0
	for _, m := range citation.FindAllStringSubmatchIndex(text, -1) {
		p.Line(text[from:m[2]])
		p.paint(screen.Place, text[m[2]:m[3]])
		from = m[3]
	}
	p.Line(text[from:])
}

// List writes entries below a heading; nothing if there are none.
func (p *Page) List(name string, items []string) {
	if len(items) == 0 {
		return
	}
	p.writeHeading(name)
	for _, s := range items {
		if p.md {
			p.Line("- " + indentRest(p.escapeText(s), "  ") + "\n")
		} else {
			p.Line("  - " + indentRest(s, "    ") + "\n")
		}
	}
	p.blankLine()
}

// Value writes any JSON below a heading.
func (p *Page) Value(name string, raw json.RawMessage) {
	text := plain(raw)
	if len(raw) > 0 && raw[0] == '{' {
		text = generic(raw)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if p.md {
		p.List(name, lines)
		return
	}
	p.writeHeading(name)
	for _, l := range lines {
		p.Line("  " + l + "\n")
	}
}

// sectionHeading writes the heading of a paragraph, which plain text omits.
func (p *Page) sectionHeading(name string) {
	if p.md {
		p.Line("## " + name + "\n\n")
	}
}

func (p *Page) writeHeading(name string) {
	if p.sectionHeading(name); !p.md {
		p.paint(screen.Heading, "\n"+name+"\n")
	}
}

func (p *Page) blankLine() {
	if p.md {
		p.Line("\n")
	}
}

// escapeText escapes a text for the page's format: in Markdown, foreign text has no links to
// follow and no images to fetch.
func (p *Page) escapeText(s string) string {
	if p.md {
		return sanitize.Markdown(s)
	}
	return s
}

// indentRest indents the further lines of an entry, so that none of them looks like an entry
// or a heading of its own.
func indentRest(s, indent string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+indent)
}

// References writes places, each alone on its line, so that a terminal or an editor can
// turn them into links.
func (p *Page) References(refs []string) {
	if p.md {
		quoted := make([]string, len(refs))
		for i, r := range refs {
			quoted[i] = sanitize.Code(sanitize.Line(r))
		}
		p.List("References", quoted)
		return
	}
	if len(refs) == 0 {
		return
	}
	p.writeHeading("References")
	for _, r := range refs {
		p.paint(screen.Place, "  "+sanitize.Line(r)+"\n")
	}
}

// Place is a reference and a line about what is there, which may be empty.
type Place struct{ Ref, About string }

// UnmentionedPlaces returns the references that an answer does not mention. The texts in about begin with the
// reference that they describe; a reference without one has no description.
func UnmentionedPlaces(answer string, refs, about []string) (out []Place) {
	for _, ref := range refs {
		if contract.Mentions(answer, ref) {
			continue
		}
		at := Place{Ref: ref}
		if i := slices.IndexFunc(about, func(text string) bool { return strings.HasPrefix(text, ref+" ") }); i >= 0 {
			at.About = about[i][len(ref)+1:]
		}
		out = append(out, at)
	}
	return out
}

// Places writes references with a description, each on a line.
func (p *Page) Places(list []Place) {
	if len(list) == 0 {
		return
	}
	if p.md {
		items := make([]string, len(list))
		for i, at := range list {
			items[i] = strings.TrimSpace(sanitize.Code(sanitize.Line(at.Ref)) + " " + at.About)
		}
		p.List("References", items)
		return
	}
	p.writeHeading("References")
	for _, at := range list {
		p.paint(screen.Place, "  "+sanitize.Line(at.Ref))
		if at.About != "" {
			p.Line(" " + sanitize.Line(at.About))
		}
		p.Line("\n")
	}
}
