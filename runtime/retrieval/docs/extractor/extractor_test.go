package extractor_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extractor"
)

// The test binary is also the child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == extractor.Command {
		os.Exit(extractor.Serve(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// pdf writes objects, from 1 on, as a document; the first is its catalog.
func pdf(info int, objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, info, xref)
	return b.Bytes()
}

func stream(text string) string {
	return fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text)
}

// packed is a stream of the text so many times, packed.
func packed(text string, times int) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	for range times {
		_, _ = w.Write([]byte(text))
	}
	_ = w.Close()
	return fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", b.Len(), b.String())
}

const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"

// manual is a document with a line of its own on each page, and a header on all.
func manual(pages ...string) []byte {
	kids := ""
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", font, "<< /Title (The Manual) >>"}
	for _, p := range pages {
		kids += fmt.Sprintf("%d 0 R ", len(objects)+1)
		objects = append(objects, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>", len(objects)+2), stream(p))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Count %d /Kids [ %s] >>", len(pages), kids)
	return pdf(4, objects...)
}

func show(lines ...string) string {
	text := "BT /F1 12 Tf 72 720 Td 14 TL\n"
	for _, l := range lines {
		text += "(" + l + ") Tj T*\n"
	}
	return text + "ET"
}

// read makes text of a document within limits.
func read(ctx context.Context, limits extractor.Limits, name string, data []byte) (extract.Text, error) {
	e, ok := extract.For(extractor.Extractors(limits), name)
	if !ok {
		return extract.Text{}, errors.New("nothing takes " + name)
	}
	return e.Extract(ctx, name, data)
}

func TestPDF(t *testing.T) {
	var pages []string
	for i := range 5 {
		pages = append(pages, show("The Header", fmt.Sprintf("Page %d says \\(in brackets\\) so.", i+1), "And more."))
	}
	pages = append(pages, "")
	x, err := read(t.Context(), extractor.Limits{}, "manual.pdf", manual(pages...))
	if err != nil {
		t.Fatal(err)
	}
	if x.Title != "The Manual" || x.Form != extract.Plain || strings.Count(x.Text, "\f") != 5 || !strings.Contains(x.Text, "Page 2 says (in brackets) so.") || strings.Contains(x.Text, "Header") {
		t.Errorf("%+v", x)
	}
	if said := strings.Join(x.Notes, "; "); !strings.Contains(said, "headers and footers") || !strings.Contains(said, "pages without text, as scans are: 1") {
		t.Errorf("%q", x.Notes)
	}
}

// TestHostilePDF: loops, bombs and halves are errors that say why, or a text.
func TestHostilePDF(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	whole := manual(show("x"))
	page := "<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>"
	for name, data := range map[string][]byte{
		"half":                whole[:len(whole)/2],
		"only its mark":       []byte("%PDF-1.4"),
		"pages within pages":  pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>"),
		"a parent of itself":  pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [3 0 R] >>", "<< /Type /Page /Parent 3 0 R /Contents 4 0 R >>", stream(show("x"))),
		"a reference loop":    pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", "2 0 R"),
		"a length of itself":  pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [3 0 R] >>", "<< /Type /Page /Contents 4 0 R >>", "<< /Length 4 0 R >>\nstream\nx\nendstream"),
		"a billion pages":     pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1000000000 /Kids [] >>"),
		"brackets":            pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", strings.Repeat("[", 1<<20)),
		"a bomb":              pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [4 0 R] >>", font, page, packed(show(strings.Repeat("word ", 100)), 1<<16)),
		"a bomb of nesting":   pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 1 /Kids [4 0 R] >>", font, page, packed("q [ ", 1<<22)),
		"no numbers":          bytes.ReplaceAll(whole, []byte("0000000"), []byte("-------")),
		"another table":       bytes.Replace(whole, []byte("startxref\n"), []byte("startxref\n9"), 1),
		"a table of itself":   bytes.Replace(whole, []byte("/Root"), []byte("/Prev 9 /Root"), 1),
		"bytes in its middle": append(append(bytes.Clone(whole[:200]), bytes.Repeat([]byte{0xff}, 500)...), whole[200:]...),
	} {
		t.Run(name, func(t *testing.T) {
			text, err := read(t.Context(), extractor.Limits{CPU: 500 * time.Millisecond, Memory: 256 << 20}, "a.pdf", data)
			if err != nil && !errors.Is(err, extract.ErrDamaged) && !errors.Is(err, extract.ErrPictures) && !errors.Is(err, extractor.ErrLimit) {
				t.Errorf("%v", err)
			}
			if len(text.Text) > extract.MaxText {
				t.Errorf("%d bytes", len(text.Text))
			}
			t.Logf("%d bytes, left out %q, %.200v", len(text.Text), text.Notes, err)
		})
	}
}

// TestAChildIsKilled: the document has an error that says so, and the next is read.
func TestAChildIsKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("children are found by /proc")
	}
	loop := pdf(1, "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>")
	ended := make(chan error, 1)
	go func() {
		_, err := read(t.Context(), extractor.Limits{CPU: time.Minute}, "a.pdf", loop)
		ended <- err
	}()
	// The first child may be another one: package os starts one, once, to see whether it can wait for pidfds.
	var err error
	clocktest.Until(t, "the child that reads is killed", func() bool {
		for _, pid := range children() {
			if p, err := os.FindProcess(pid); err == nil {
				_ = p.Kill()
			}
		}
		select {
		case err = <-ended:
			return true
		default:
			return false
		}
	})
	if !errors.Is(err, extractor.ErrLimit) || !strings.Contains(err.Error(), "was killed") {
		t.Errorf("%v", err)
	}
	if x, err := read(t.Context(), extractor.Limits{}, "a.pdf", manual(show("The next one."))); err != nil || x.Text != "The next one." {
		t.Errorf("%q %v", x.Text, err)
	}
}

// children are the processes that this one has started.
func children() (out []int) {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, l := range lists {
		data, _ := os.ReadFile(l)
		for _, f := range strings.Fields(string(data)) {
			if pid, err := strconv.Atoi(f); err == nil {
				out = append(out, pid)
			}
		}
	}
	return out
}

func TestExtractStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := read(ctx, extractor.Limits{}, "a.pdf", manual(show("x"))); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
