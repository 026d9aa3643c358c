package extract

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/ledongthuc/pdf"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// ligatures are letters that PDF writes as one sign, and that no user searches for.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st", "\u00ad", "", "\x00", "")

// readPDF returns the text of a PDF, each page ended by a form feed. It may never return, or end
// the process.
func readPDF(ctx context.Context, data []byte) (t Text, err error) {
	defer func() {
		if r := recover(); r != nil { // the library's way to reject a document
			err = refusedError(fmt.Sprint(r))
		}
	}()
	asked := false
	r, err := pdf.NewReaderEncrypted(bytes.NewReader(data), int64(len(data)), func() string { asked = true; return "" })
	switch {
	case err != nil && asked:
		return t, ErrPassword
	case err != nil && strings.Contains(err.Error(), "encrypt"): // in a way unknown to the library
		return t, ErrPassword
	case err != nil:
		return t, refusedError(err.Error())
	}
	var pages []string
	size, empty, bad := 0, 0, 0
	for i := range r.NumPage() {
		if ctx.Err() != nil {
			return t, ctx.Err()
		}
		text, err := pageText(r, i+1)
		switch size += len(text); {
		case err != nil:
			bad++
		case text == "":
			empty++
		case size > MaxText:
			text = ""
		}
		pages = append(pages, text) // also without text, for the page numbers
	}
	t.Title = strings.ToValidUTF8(r.Trailer().Key("Info").Key("Title").Text(), "\ufffd")
	t.Text, t.Notes = withoutEdges(pages)
	if empty > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("pages without text, as scans are: %d", empty))
	}
	if bad > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("pages that cannot be read: %d", bad))
	}
	if size > MaxText {
		t.Notes = append(t.Notes, beyondNote(size))
	}
	switch said := strings.TrimSpace(t.Text); {
	case said == "" && bad > 0:
		return Text{}, fmt.Errorf("%w: none of its %d pages can be read", ErrDamaged, bad)
	case said == "" && empty > 0:
		return Text{}, ErrPictures
	case said == "":
		return Text{}, fmt.Errorf("%w: it has no page", ErrDamaged)
	}
	return t, nil
}

// refusedError returns the error for an unreadable document. The library's message contains bytes of the document.
func refusedError(why string) error {
	return fmt.Errorf("%w: %s", ErrDamaged, sanitize.OneLine(why, 120))
}

// pageText returns the lines of a page; a page that the library rejects does not affect the others.
func pageText(r *pdf.Reader, n int) (text string, err error) {
	defer func() {
		if bad := recover(); bad != nil {
			text, err = "", fmt.Errorf("page %d: %v", n, bad)
		}
	}()
	page := r.Page(n)
	if page.V.IsNull() {
		return "", io.ErrUnexpectedEOF
	}
	s := &sheet{fonts: map[string]*glyphs{}}
	if !page.V.Key("Contents").IsNull() {
		s.drawStream(page.V.Key("Contents"), page.Resources(), pen{ctm: identity})
	}
	return normalizeSpace(ligatures.Replace(strings.ToValidUTF8(s.b.String(), "\ufffd"))), nil
}

// normalizeSpace normalizes a text to lines with single spaces, and single empty lines between its
// paragraphs.
func normalizeSpace(text string) string {
	var out []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = squeezeLines(part); part != "" {
			out = append(out, part)
		}
	}
	return strings.Join(out, "\n\n")
}

// withoutEdges joins pages without the first and last lines that most of them share:
// headers and footers.
func withoutEdges(pages []string) (string, []string) {
	often, full := map[string]int{}, 0
	split := make([][]string, len(pages))
	for i, p := range pages {
		if p == "" {
			continue
		}
		full++
		split[i] = strings.Split(p, "\n")
		last := len(split[i]) - 1
		often[split[i][0]]++
		if last > 0 {
			often[split[i][last]]++
		}
	}
	gone := 0
	edge := func(line string) bool { return full > 3 && often[line] > full/2 }
	for i, list := range split {
		if len(list) > 1 && edge(list[len(list)-1]) {
			list, gone = list[:len(list)-1], gone+1
		}
		if len(list) > 1 && edge(list[0]) {
			list, gone = list[1:], gone+1
		}
		pages[i] = strings.Join(list, "\n")
	}
	text := strings.Join(pages, "\n\f\n")
	if gone == 0 {
		return text, nil
	}
	return text, []string{fmt.Sprintf("headers and footers: %d", gone)}
}
