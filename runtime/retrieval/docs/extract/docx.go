package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Limits of a packed document.
const (
	maxParts = 10_000
	maxWord  = 64 << 20 // of all parts that are read, unpacked
	maxDepth = 256      // of elements
)

var (
	errDeep     = errors.New("it is nested deeper than documents are")
	errUnpacked = fmt.Errorf("%w: it unpacks to more than %d MiB", ErrTooLarge, maxWord>>20)
)

// readDocx returns the text of a Word document.
func readDocx(ctx context.Context, data []byte) (Text, error) {
	if bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")) { // the form that Word gives a document with a password
		return Text{}, ErrPassword
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return Text{}, fmt.Errorf("%w: %s", ErrDamaged, sanitize.OneLine(err.Error(), 120))
	}
	if len(z.File) > maxParts {
		return Text{}, fmt.Errorf("%w: %d parts of at most %d", ErrTooLarge, len(z.File), maxParts)
	}
	parts := map[string]*zip.File{}
	d := &docx{ctx: ctx, room: maxWord, styles: map[string]int{}, level: -1}
	for _, f := range z.File {
		parts[f.Name] = f
		d.noteUnread(f.Name)
	}
	main := parts["word/document.xml"]
	if main == nil {
		return Text{}, fmt.Errorf("%w: it has no word/document.xml, as Word's documents have", ErrDamaged)
	}
	if err := d.readPart(parts["word/styles.xml"], d.readStyle); err != nil {
		return Text{}, err
	}
	title := ""
	core := func(t xml.Token, path []string) {
		if c, ok := t.(xml.CharData); ok && path[len(path)-1] == "title" && len(title) < 1000 {
			title += string(c)
		}
	}
	if err := d.readPart(parts["docProps/core.xml"], core); err != nil {
		return Text{}, err
	}
	for _, f := range []*zip.File{main, parts["word/footnotes.xml"], parts["word/endnotes.xml"]} {
		if err := d.readPart(f, d.handleToken); err != nil {
			return Text{}, err
		}
	}
	if title == "" {
		title = d.title
	}
	return d.w.text(title), nil
}

// docx collects the text of a document.
type docx struct {
	ctx    context.Context
	room   int64 // bytes that are left to unpack to
	w      writer
	styles map[string]int // levels of headings by the ids of their styles

	text   strings.Builder // of the open paragraph
	level  int             // of the paragraph: -1 for none, 0 for the title, from 1 on the level of a heading
	item   int             // 1 + depth of the list that the paragraph is an item of
	hidden bool            // whether the open run is hidden
	twice  int             // number of open elements that repeat their contents for older programs
	tables int
	row    []string
	cell   strings.Builder
	id     string // of the open style
	title  string // the first paragraph with the style of titles
}

// noteUnread counts the parts that are not read.
func (d *docx) noteUnread(name string) {
	switch dir, base := path.Split(strings.ToLower(name)); {
	case base == "vbaproject.bin":
		d.w.countLeft("macros")
	case dir == "word/media/":
		d.w.countLeft("pictures")
	case dir == "word/embeddings/":
		d.w.countLeft("embedded documents")
	case dir == "word/" && base == "comments.xml":
		d.w.countLeft("comments")
	case dir == "word/" && (strings.HasPrefix(base, "header") || strings.HasPrefix(base, "footer")):
		d.w.countLeft("headers and footers")
	}
}

// readPart passes the tokens of a part to take, with the names of the open elements. It keeps nothing
// of the part, and limits what the part unpacks to, whatever its directory says.
func (d *docx) readPart(f *zip.File, take func(t xml.Token, open []string)) error {
	if f == nil {
		return nil
	}
	in, err := f.Open()
	if err != nil {
		return fmt.Errorf("%w: %s: %s", ErrDamaged, f.Name, sanitize.OneLine(err.Error(), 120))
	}
	defer in.Close()
	bounded := &io.LimitedReader{R: in, N: d.room}
	defer func() { d.room = bounded.N }()
	x := xml.NewDecoder(bounded)
	x.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	open := []string{""}
	for n := 0; ; n++ {
		if n%4096 == 0 && d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		t, err := x.Token()
		switch {
		case err == io.EOF && bounded.N > 0:
			return nil
		case err != nil && bounded.N <= 0:
			return errUnpacked
		case err != nil:
			return fmt.Errorf("%w: %s: %s", ErrDamaged, f.Name, sanitize.OneLine(err.Error(), 120))
		}
		switch t := t.(type) {
		case xml.StartElement:
			if open = append(open, t.Name.Local); len(open) > maxDepth {
				return errDeep
			}
			take(t, open)
		case xml.EndElement:
			take(t, open)
			open = open[:len(open)-1]
		default:
			take(t, open)
		}
	}
}

// readStyle records which styles are headings.
func (d *docx) readStyle(t xml.Token, _ []string) {
	e, ok := t.(xml.StartElement)
	if !ok {
		return
	}
	switch e.Name.Local {
	case "style":
		d.id = attrValue(e, "styleId")
	case "name":
		name := strings.ToLower(attrValue(e, "val"))
		if n, ok := strings.CutPrefix(name, "heading "); ok {
			d.styles[d.id], _ = strconv.Atoi(n)
		} else if name == "title" {
			d.styles[d.id] = 0
		}
	case "outlineLvl":
		if n, err := strconv.Atoi(attrValue(e, "val")); err == nil && n < 9 {
			d.styles[d.id] = n + 1
		}
	}
}

func attrValue(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// handleToken handles a token of the text.
func (d *docx) handleToken(t xml.Token, open []string) {
	if open[len(open)-1] == "Fallback" {
		switch t.(type) {
		case xml.StartElement:
			d.twice++
		case xml.EndElement:
			d.twice--
		}
	}
	if d.twice > 0 {
		return
	}
	switch t := t.(type) {
	case xml.CharData:
		if open[len(open)-1] == "t" && !d.hidden {
			d.text.Write(t)
		}
	case xml.StartElement:
		d.beginElement(t)
	case xml.EndElement:
		d.endElement(t.Name.Local)
	}
}

func (d *docx) beginElement(e xml.StartElement) {
	switch e.Name.Local {
	case "p":
		d.level, d.item = -1, 0
	case "pStyle":
		if n, ok := d.styles[attrValue(e, "val")]; ok {
			d.level = n
		}
	case "outlineLvl":
		if n, err := strconv.Atoi(attrValue(e, "val")); err == nil && n >= 0 && n < 9 {
			d.level = n + 1
		}
	case "numPr":
		d.item = max(d.item, 1)
	case "numId":
		if attrValue(e, "val") == "0" { // takes a paragraph with a list style out of the list
			d.item = 0
		}
	case "ilvl":
		if n, err := strconv.Atoi(attrValue(e, "val")); err == nil && n >= 0 && n < maxList {
			d.item = n + 1
		}
	case "r":
		d.hidden = false
	case "vanish":
		if v := attrValue(e, "val"); v != "0" && v != "false" {
			d.hidden = true
			d.w.countLeft("hidden parts")
		}
	case "delText":
		d.w.countLeft("deleted parts")
	case "tab":
		d.text.WriteByte('\t')
	case "br", "cr":
		d.text.WriteByte('\n')
	case "tbl":
		if d.tables++; d.tables == 1 {
			d.w.endTable()
		}
	case "tr":
		if d.tables == 1 {
			d.row = nil
		}
	case "tc":
		if d.tables == 1 {
			d.cell.Reset()
		}
	}
}

func (d *docx) endElement(name string) {
	switch name {
	case "r":
		d.hidden = false
	case "p":
		d.endParagraph()
	case "tc":
		if d.tables == 1 && len(d.row) < maxCells {
			d.row = append(d.row, d.cell.String())
		}
	case "tr":
		if d.tables == 1 {
			d.w.row(d.row)
		}
	case "tbl":
		if d.tables--; d.tables == 0 {
			d.w.endTable()
		}
	}
}

// endParagraph ends the open paragraph. In a table it belongs to its cell, also if tables are nested.
func (d *docx) endParagraph() {
	text := d.text.String()
	d.text.Reset()
	switch {
	case d.tables > 0:
		d.cell.WriteString(text + " ")
	case d.level >= 0:
		if d.level == 0 && d.title == "" {
			d.title = oneLine(text)
		}
		d.w.heading(max(d.level, 1), text)
	case d.item > 0:
		d.w.item(d.item-1, 0, text)
	default:
		d.w.paragraph(text)
	}
}
