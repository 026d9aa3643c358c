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

// These bound how much is kept of a page.
const (
	maxBlocks = 20_000
	maxBlock  = 8_000 // bytes; a longer paragraph becomes several
	maxLinks  = 2_000
	maxText   = 300 // bytes of a title, a heading or the text of a link
	levels    = 6   // of headings
)

// Document is the text of a page.
type Document struct {
	Title  string
	Blocks []Block
	Links  []Link
}

// Block is a paragraph, a list item, a row of a table, or code.
type Block struct {
	Headings []string // headings above it, the outermost first
	Anchor   string   // of the nearest heading, "" for none
	Text     string   // one line, or lines of code
	Code     bool
}

// Link is a link of a page with its text.
type Link struct{ Href, Text string }

// Read extracts the text of a page of a media type. The character encoding is determined by the
// type, the page itself or its first bytes; invalid bytes become U+FFFD. Each text is masked before
// it is cut, so that no cut leaves half a secret.
func Read(body []byte, kind string, mask func(string) string) Document {
	body = decodeText(body, kind)
	media, _, _ := mime.ParseMediaType(kind)
	switch media {
	case "text/html", "application/xhtml+xml":
		return readHTML(body, mask)
	case "text/markdown", "text/x-markdown":
		return readPlain(string(body), true, mask)
	}
	return readPlain(string(body), false, mask)
}

// decodeText converts a text to UTF-8, of at most about three times the size.
func decodeText(body []byte, kind string) []byte {
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

// builder collects blocks under the open headings.
type builder struct {
	doc      Document
	mask     func(string) string
	headings [levels]string
	anchor   string
	texts    map[string]bool // long blocks already kept: duplicates are dropped
}

// add appends a paragraph, split if it is long.
func (b *builder) add(text string, code bool) {
	if !code {
		text = flatLine(text)
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
			piece = piece[:cutAt(piece, maxBlock)]
		}
		text = strings.TrimLeft(text[len(piece):], " ")
		if piece = strings.TrimRight(piece, " \n"); strings.TrimSpace(piece) == "" || b.isRepeated(piece) {
			continue
		}
		b.doc.Blocks = append(b.doc.Blocks, Block{Headings: b.openHeadings(), Anchor: b.anchor, Text: piece, Code: code})
	}
}

// isRepeated reports whether a long text occurred before: menus and footers often occur twice.
func (b *builder) isRepeated(text string) bool {
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

// openHeadings returns the open headings.
func (b *builder) openHeadings() (out []string) {
	for _, h := range b.headings {
		if h != "" {
			out = append(out, h)
		}
	}
	return out
}

// openHeading opens a heading of a level, counted from 1, and closes those below it.
func (b *builder) openHeading(level int, text, anchor string) {
	text = strings.TrimRight(flatLine(text), "¶#🔗§ ")
	if text == "" {
		return
	}
	b.headings[level-1], b.anchor = clipText(b.mask(text)), anchor
	clear(b.headings[level:])
	if b.doc.Title == "" && level == 1 {
		b.doc.Title = b.headings[0]
	}
}

// flatLine returns a text on one line, without invisible characters.
func flatLine(text string) string {
	return strings.Join(strings.Fields(sanitize.Strip(text)), " ")
}

func clipText(text string) string { return text[:cutAt(text, maxText)] }

// cutAt returns where to cut a text of more than max bytes: between words if possible, and never
// within a character.
func cutAt(text string, max int) int {
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
