package page

import (
	"bytes"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Limits of what is kept of a page.
const (
	maxBlocks = 20_000
	maxBlock  = 8_000 // bytes; a longer paragraph becomes several
	maxLinks  = 2_000
	maxText   = 300 // bytes of a title, a heading or the words of a link
	levels    = 6   // of headings
)

// Document is what a page says.
type Document struct {
	Title  string
	Blocks []Block
	Links  []Link
}

// Block is a paragraph, an item, a row of a table, or code.
type Block struct {
	Headings []string // that it stands under, the outermost first
	Anchor   string   // of the nearest heading, "" for none
	Text     string   // on one line, or lines of code
	Code     bool
}

// Link is where a page leads and what it says of that.
type Link struct{ Href, Text string }

// Read makes text of a page of a media type. Letters are decoded as the type, the
// page itself or its first bytes say; what cannot be is a mark. Each text is masked
// before it is cut, so that no half of a secret is left at a cut.
func Read(body []byte, kind string, mask func(string) string) Document {
	body = decoded(body, kind)
	media, _, _ := mime.ParseMediaType(kind)
	switch media {
	case "text/html", "application/xhtml+xml":
		return readHTML(body, mask)
	case "text/markdown", "text/x-markdown":
		return readPlain(string(body), true, mask)
	}
	return readPlain(string(body), false, mask)
}

// decoded is a text in UTF-8, of at most three times the bytes.
func decoded(body []byte, kind string) []byte {
	encoding, name, _ := charset.DetermineEncoding(body[:min(len(body), 1024)], kind)
	if name == "utf-8" || name == "windows-1252" && utf8.Valid(body) {
		return bytes.ToValidUTF8(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), []byte("\ufffd"))
	}
	out, err := io.ReadAll(io.LimitReader(encoding.NewDecoder().Reader(bytes.NewReader(body)), 3*int64(len(body))+16))
	if err != nil && len(out) == 0 {
		return bytes.ToValidUTF8(body, []byte("\ufffd"))
	}
	return bytes.ToValidUTF8(out, []byte("\ufffd"))
}

// builder gathers blocks under the heading that is open.
type builder struct {
	doc      Document
	mask     func(string) string
	headings [levels]string
	anchor   string
	texts    map[string]bool // of long blocks: the same text is kept once
}

// add keeps a paragraph, in pieces where it is long.
func (b *builder) add(text string, code bool) {
	if !code {
		text = flat(text)
	} else {
		text = strings.Trim(sanitize.Strip(text), "\n")
	}
	if len(b.doc.Blocks) == maxBlocks {
		return
	}
	text = b.mask(text)
	for text != "" && len(b.doc.Blocks) < maxBlocks {
		piece := text
		if len(piece) > maxBlock {
			piece = piece[:cut(piece, maxBlock)]
		}
		text = strings.TrimLeft(text[len(piece):], " ")
		if piece = strings.TrimRight(piece, " \n"); strings.TrimSpace(piece) == "" || b.repeats(piece) {
			continue
		}
		b.doc.Blocks = append(b.doc.Blocks, Block{Headings: b.under(), Anchor: b.anchor, Text: piece, Code: code})
	}
}

// repeats reports a long text that came before: menus and footers are written twice.
func (b *builder) repeats(text string) bool {
	if len(text) < 40 {
		return false
	}
	if b.texts == nil {
		b.texts = map[string]bool{}
	}
	had := b.texts[text]
	b.texts[text] = true
	return had
}

// under are the headings that are open.
func (b *builder) under() (out []string) {
	for _, h := range b.headings {
		if h != "" {
			out = append(out, h)
		}
	}
	return out
}

// heading opens a heading of a level, from 1 on, and ends those below it.
func (b *builder) heading(level int, text, anchor string) {
	text = strings.TrimRight(flat(text), "¶#🔗§ ")
	if text == "" {
		return
	}
	b.headings[level-1], b.anchor = clipped(b.mask(text)), anchor
	clear(b.headings[level:])
	if b.doc.Title == "" && level == 1 {
		b.doc.Title = b.headings[0]
	}
}

// flat is a text on one line, with nothing in it that is not seen.
func flat(text string) string {
	return strings.Join(strings.Fields(sanitize.Strip(text)), " ")
}

func clipped(text string) string { return text[:cut(text, maxText)] }

// cut is where a text of more than max bytes is cut: between words where there are
// some, and never within a letter.
func cut(text string, max int) int {
	if len(text) <= max {
		return len(text)
	}
	if i := strings.LastIndexAny(text[:max], " \n"); i > max/2 {
		return i
	}
	for max > 0 && !utf8.RuneStart(text[max]) {
		max--
	}
	return max
}
