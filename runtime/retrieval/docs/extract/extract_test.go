package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// read makes text of a document in this process, whatever its format.
func read(ctx context.Context, name string, data []byte) (Text, error) {
	e, ok := For(append(Trusted(), Untrusted()...), name)
	if !ok {
		return Text{}, errors.New("nothing takes " + name)
	}
	return e.Extract(ctx, name, data)
}

func extract(t *testing.T, name, data string) Text {
	t.Helper()
	x, err := read(t.Context(), name, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

const site = `<!DOCTYPE html><html><head><title>The  Manual</title><style>p{}</style><script>var a = "<p>no</p>";</script></head>
<body><nav><a href="/">Home</a><ul><li>Menu</li></ul></nav>
<main><h1>Install <a class="anchor">¶</a></h1>
<p>Run the <code>setup</code>
program first.<br>Then wait.</p>
<p style="display: none">secret words</p><div hidden>more of them</div>
<ul><li>one</li><li>two <b>bold</b><ol><li>first</li><li>second</li></ol></li></ul>
<h2>Options</h2>
<table><tr><th>name</th><th>default</th></tr><tr><td><p>size</p><p>in MiB</p></td><td>64|32</td></tr></table>
<pre><code class="language-sh">cd /tmp
  make   install
</code></pre>
<dl><dt>term</dt><dd>what it is</dd></dl>
<p>5 &lt; 6 &amp; more</p><img alt="a picture of it" src="x.png">
</main><footer>Copyright</footer><svg><text>drawn</text></svg></body></html>`

func TestHTML(t *testing.T) {
	const want = "# Install\n\nRun the `setup` program first.\nThen wait.\n\n- one\n- two bold\n  1. first\n  2. second\n\n## Options\n\n| name | default |\n| --- | --- |\n| size in MiB | 64\\|32 |\n\n" +
		"```sh\ncd /tmp\n  make   install\n```\n\nterm\n\n- what it is\n\n5 < 6 & more\n\na picture of it"
	x := extract(t, "manual.html", site)
	// A line of its own is kept where the page breaks one, and where its source does.
	if got := strings.ReplaceAll(x.Text, "`setup`\nprogram", "`setup` program"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if x.Title != "The Manual" || x.Form != Markdown {
		t.Errorf("%+v", x)
	}
	if want := []string{"drawings: 1", "hidden parts: 2", "navigation and forms: 2", "pictures: 1", "scripts: 1"}; !slices.Equal(x.Notes, want) {
		t.Errorf("%q", x.Notes)
	}
}

func TestNotebook(t *testing.T) {
	book := `{"nbformat": 4, "metadata": {"language_info": {"name": "python"}, "title": "Study"}, "cells": [
 {"cell_type": "markdown", "source": ["# Load\n", "Read the *table*."]},
 {"cell_type": "code", "source": "x = 1\nprint(x)", "outputs": [{"output_type": "stream", "text": ["1\n"]},
   {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>", "text/html": "<b>"}}, {"output_type": "error", "ename": "ValueError", "evalue": "bad"}]},
 {"cell_type": "code", "source": [], "outputs": [{"text": "` + strings.Repeat(`line\n`, 5000) + `"}]}]}`
	x := extract(t, "a.ipynb", book)
	if want := "# Load\nRead the *table*.\n\n```python\nx = 1\nprint(x)\n```\n\n```\n1\n```\n\n```\n<Figure>\n```\n\n```\nValueError: bad\n```"; !strings.HasPrefix(x.Text, want) || len(x.Text) > 5000+len(want) {
		t.Error(x.Text[:200])
	}
	if x.Title != "Study" || len(x.Notes) != 3 {
		t.Errorf("%q %q", x.Title, x.Notes)
	}
	old := extract(t, "b.ipynb", `{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": "Old"}, {"cell_type": "code", "input": "y", "language": "python"}]}]}`)
	if old.Text != "## Old\n\n```python\ny\n```" {
		t.Errorf("%q", old.Text)
	}
	for _, bad := range []string{"", "{", "[]", "{}", `{"cells": 3}`, strings.Repeat("[", 100_000)} {
		if _, err := read(t.Context(), "c.ipynb", []byte(bad)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

const (
	wordHead = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="m"><w:body>`
	wordEnd  = `</w:body></w:document>`
)

// word packs a document.
func word(t testing.TB, parts map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range parts {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func para(style, text string) string {
	if style != "" {
		style = `<w:pPr>` + style + `</w:pPr>`
	}
	return `<w:p>` + style + `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

func TestDocx(t *testing.T) {
	body := para(`<w:pStyle w:val="Titel"/>`, "Handbook") + para(`<w:pStyle w:val="berschrift1"/>`, "Größe &amp; Form") + para("", "It has <w:t/>") +
		`<w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r><w:r><w:tab/><w:t>on</w:t><w:br/><w:t>next</w:t></w:r></w:p>` +
		para(`<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>`, "one") + para(`<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>`, "two") +
		`<w:tbl><w:tr><w:tc>` + para("", "a") + `</w:tc><w:tc>` + para("", "b") + para("", "c") + `</w:tc></w:tr><w:tr><w:tc>` + para("", "1") + `</w:tc><w:tc><w:tbl><w:tr><w:tc>` + para("", "in") + `</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>` +
		`<mc:AlternateContent><mc:Choice>` + para("", "box") + `</mc:Choice><mc:Fallback>` + para("", "box") + `</mc:Fallback></mc:AlternateContent>`
	body = strings.ReplaceAll(body, "It has <w:t/>", "It has  spaces.")
	x := extract(t, "a.docx", word(t, map[string]string{
		"word/document.xml":   wordHead + body + wordEnd,
		"word/styles.xml":     `<w:styles xmlns:w="x"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Titel"><w:name w:val="Title"/></w:style></w:styles>`,
		"docProps/core.xml":   `<cp xmlns:dc="d"><dc:title>The Handbook</dc:title></cp>`,
		"word/vbaProject.bin": "MZ", "word/media/image1.png": "png", "word/footnotes.xml": `<w:footnotes xmlns:w="x">` + para("", "A note.") + `</w:footnotes>`,
	}))
	const want = "# Handbook\n\n# Größe & Form\n\nIt has spaces.\n\nkept on\nnext\n\n- one\n  - two\n\n| a | b c |\n| --- | --- |\n| 1 | in |\n\nbox\n\nA note."
	if x.Text != want || x.Title != "The Handbook" {
		t.Errorf("%s\nwant\n%s", x.Text, want)
	}
	if want := []string{"deleted parts: 1", "hidden parts: 1", "macros: 1", "pictures: 1"}; !slices.Equal(x.Notes, want) {
		t.Errorf("%q", x.Notes)
	}
}

func TestEncodings(t *testing.T) {
	const text = "Größe: naïve café, 5 €\n"
	little, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	big, _ := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String(text)
	bare, _ := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().String(text)
	latin := "Gr\xf6\xdfe: na\xefve caf\xe9, 5 \x80\n"
	for name, data := range map[string]string{"utf-8": text, "a mark": "\xef\xbb\xbf" + text, "utf-16 with a mark": little, "utf-16, big end": big, "utf-16, no mark": bare, "windows-1252": latin} {
		if x := extract(t, "a.txt", data); x.Text != text || x.Form != Plain {
			t.Errorf("%s: %q", name, x.Text)
		}
	}
	if x := extract(t, "a.html", "<html><meta charset=iso-8859-2><p>\xb1\xe6</p>"); x.Text != "ąć" {
		t.Errorf("%q", x.Text)
	}
	if x := extract(t, "a.html", "\xff\xfe<\x00p\x00>\x00\xb1\x03"); x.Text != "α" {
		t.Errorf("%q", x.Text)
	}
	for name, data := range map[string]string{"a program": "\x7fELF\x02\x01\x00\x00\x00", "a late NUL": strings.Repeat("text ", 4000) + "\x00", "a PDF by another name": "%PDF-1.7 ", "four bytes a letter": "\xff\xfe\x00\x00a\x00\x00\x00", "a picture": "\x89PNG\r\n\x1a\n"} {
		for _, file := range []string{"a.txt", "a.md", "a.html", "a.ipynb"} {
			if x, err := read(t.Context(), file, []byte(data)); !errors.Is(err, ErrBinary) {
				t.Errorf("%s in %s: %v %q", name, file, err, x.Text)
			}
		}
	}
}

func TestFor(t *testing.T) {
	for name, want := range map[string]string{"a.md": "markdown", "README": "text", "b/license": "text", "a.TXT": "text", "a.html": "html", "x/a.HTM": "html", "A.IPYNB": "notebook",
		"a.docx": "docx", "a.docm": "docx", "a.pdf": "pdf", "a.tar.pdf": "pdf"} {
		e, ok := For(append(Trusted(), Untrusted()...), name)
		if !ok || KindName(e) != want || (e.Largest() > 0) != (want == "notebook" || want == "docx" || want == "pdf") {
			t.Errorf("%s is of kind %v", name, e)
		}
	}
	for _, name := range []string{"main.go", "a.doc", "a.zip", "pdf", "a.pdf/", ""} {
		if e, ok := For(append(Trusted(), Untrusted()...), name); ok {
			t.Errorf("%q is of kind %v", name, e.Kind())
		}
	}
}

// TestHostileDocuments: each ends, bounded, with its text or an error that says why.
func TestHostileDocuments(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	size := 1 << 20
	if os.Getenv("COMPACTOR_LONG") != "" {
		size = MaxInput - 1024
	}
	nested := func(open, end string) string { return strings.Repeat(open, size/len(open)) + "x" + end }
	for _, c := range []struct {
		name, file, data string
		want             error // nil for a text
	}{
		{"deep HTML", "a.html", nested("<div>", ""), nil},
		{"deep lists", "a.html", nested("<ul><li>", ""), nil},
		{"deep tables", "a.html", nested("<table><tr><td>", ""), nil},
		{"open brackets", "a.html", nested("<", ""), nil},
		{"one attribute", "a.html", "<p class=\"" + nested("a", "\">"), nil},
		{"a comment that does not end", "a.html", "<!--" + nested("a ", ""), nil},
		{"cells", "a.html", "<table><tr>" + nested("<td>a", ""), nil},
		{"long text", "a.md", strings.Repeat("word\n", MaxText/5+10), nil},
		{"lists of JSON", "a.ipynb", `{"cells": ` + nested("[", ""), ErrDamaged},
		{"deep XML", "a.docx", word(t, map[string]string{"word/document.xml": wordHead + nested("<w:p>", "")}), errDeep},
		{"entities", "a.docx", word(t, map[string]string{"word/document.xml": `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>`}), ErrDamaged},
		{"a bomb", "a.docx", word(t, map[string]string{"word/document.xml": wordHead + `<w:p><w:r><w:t>` + strings.Repeat(" ", maxWord)}), ErrTooLarge},
		{"half a file", "a.docx", word(t, map[string]string{"word/document.xml": wordHead})[:60], ErrDamaged},
		{"half its text", "a.docx", word(t, map[string]string{"word/document.xml": wordHead + para("", "x")}), ErrDamaged},
		{"a bomb in two parts", "a.docx", word(t, map[string]string{"word/styles.xml": "<x>" + strings.Repeat(" ", maxWord/2) + "</x>", "word/document.xml": wordHead + strings.Repeat(" ", maxWord/2)}), ErrTooLarge},
		{"another zip", "a.docx", word(t, map[string]string{"x.txt": "x"}), ErrDamaged},
		{"a password", "a.docx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ErrPassword},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := read(t.Context(), c.file, []byte(c.data))
			if !errors.Is(err, c.want) {
				t.Errorf("%v; want %v", err, c.want)
			}
			if len(x.Text) > len(c.data)+MaxText {
				t.Errorf("%d bytes, %q", len(x.Text), x.Notes)
			}
		})
	}
}

func TestExtractStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := read(ctx, "a.html", []byte(site)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzDraw: a page of any operators gives text, and no panic that its reader does not
// take.
func FuzzDraw(f *testing.F) {
	f.Add("BT /F 12 Tf 72 720 Td (one) Tj 0 -14 Td [(t) -300 (wo)] TJ ET")
	f.Add("q 1 0 0 1 0 0 cm BT /F 1 Tf 1 0 0 1 5 5 Tm (a) ' 1 2 (b) \" ET Q Q /X Do")
	f.Add("BT /F 0 Tf 0 0 0 0 0 0 Tm (a) Tj T* () Tj 1 Tz TL ET Tj TJ")
	f.Fuzz(func(t *testing.T, operators string) {
		if len(operators) > 1<<12 {
			return
		}
		var b bytes.Buffer
		b.WriteString("%PDF-1.4\n")
		var at []int
		for i, o := range []string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
			"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 4 0 R >> >> /Contents 4 0 R >>",
			fmt.Sprintf("<< /Subtype /Form /Length %d >>\nstream\n%s\nendstream", len(operators), operators),
			"<< /Type /Font /Subtype /Type0 /DescendantFonts [<< /W [1 [500 600] 7 9 700] >>] >>"} {
			at = append(at, b.Len())
			fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
		}
		table := b.Len()
		fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
		for _, n := range at {
			fmt.Fprintf(&b, "%010d 00000 n \n", n)
		}
		fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, table)
		if x, err := read(t.Context(), "a.pdf", b.Bytes()); err == nil && !utf8.ValidString(x.Text) {
			t.Errorf("%q is no text", x.Text)
		}
	})
}

func FuzzExtract(f *testing.F) {
	f.Add("a.html", []byte(site))
	f.Add("a.ipynb", []byte(`{"cells": [{"cell_type": "code", "source": ["x"], "outputs": [{"text": "y"}]}]}`))
	f.Add("a.docx", []byte(word(f, map[string]string{"word/document.xml": wordHead + para("", "x") + wordEnd})))
	f.Add("a.txt", []byte("\xff\xfea\x00"))
	f.Add("a.rst", []byte("===\n A\n===\n\nB\n~~~\n"))
	f.Add("a.adoc", []byte("= A\n\n----\n== B\n----\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if len(data) > 1<<16 || strings.HasSuffix(strings.ToLower(name), ".pdf") { // which may not end
			return
		}
		x, err := read(t.Context(), name, data)
		if err != nil {
			return
		}
		if !utf8.ValidString(x.Text) || strings.ContainsRune(x.Text, 0) || !utf8.ValidString(x.Title) {
			t.Errorf("%q is no text", x.Text)
		}
		for _, m := range x.Marks {
			if m.At < 0 || m.At >= len(x.Text) || m.At > 0 && x.Text[m.At-1] != '\n' {
				t.Errorf("%q begins at %d of %q", m.Name, m.At, x.Text)
			}
		}
		again, _ := read(t.Context(), name, data)
		if a, b := fmt.Sprintf("%#v", x), fmt.Sprintf("%#v", again); a != b {
			t.Errorf("%s\nand then\n%s", a, b)
		}
	})
}
