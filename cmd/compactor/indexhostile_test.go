package main

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// hostile is a document that somebody made to do harm, and what is said of it: a pattern
// of the reason, or "" where it is read.
type hostile struct {
	name string
	data []byte
	says string
}

// packedParts is a zip file of parts.
func packedParts(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	bodyBegins = `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>`
	bodyEnds   = `</w:body></w:document>`
)

func bodyOf(text string) string {
	return bodyBegins + `<w:p><w:r><w:t>` + text + `</w:t></w:r></w:p>` + bodyEnds
}

// overlapping is a zip file whose directory names one part many times.
func overlapping(t *testing.T, times int) []byte {
	data := packedParts(t, "word/document.xml", bodyOf(strings.Repeat("x ", 1<<20)))
	at := bytes.LastIndex(data, []byte("PK\x01\x02"))
	end := bytes.LastIndex(data, []byte("PK\x05\x06"))
	entry, tail := data[at:end], bytes.Clone(data[end:])
	binary.LittleEndian.PutUint16(tail[8:], uint16(times))
	binary.LittleEndian.PutUint16(tail[10:], uint16(times))
	binary.LittleEndian.PutUint32(tail[12:], uint32(times*len(entry)))
	return append(append(bytes.Clone(data[:at]), bytes.Repeat(entry, times)...), tail...)
}

// pdfOf is a PDF of objects, from 1 on; the first is its catalog.
func pdfOf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return b.Bytes()
}

func pdfStream(dictionary string, data []byte) string {
	return fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(data), dictionary, data)
}

// deflated is a text so many times, packed.
func deflated(text string, times int) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	for range times {
		_, _ = w.Write([]byte(text))
	}
	_ = w.Close()
	return b.Bytes()
}

const (
	catalog1 = "<< /Type /Catalog /Pages 2 0 R >>"
	onePage  = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
	pageOf4  = "<< /Type /Page /Parent 2 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 4 0 R >> >> /Contents 4 0 R >>"
	fontOf5  = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
)

// hostiles are documents of each kind that a reader may fall over.
func hostiles(t *testing.T) []hostile {
	inner := packedParts(t, "word/document.xml", bodyOf("inner"))
	many := []string{"word/document.xml", bodyOf("many")}
	for i := range 10_001 {
		many = append(many, fmt.Sprintf("word/media/%d.png", i), "")
	}
	laughs := `<!DOCTYPE x [<!ENTITY a "ha">`
	for c := 'b'; c < 'k'; c++ {
		laughs += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	wide := "\xff\xfe"
	for _, c := range []byte("A wide letter has two bytes.\n") {
		wide += string([]byte{c, 0})
	}
	printedText := "BT /F 12 Tf 72 720 Td (" + strings.Repeat("word ", 100) + ") Tj ET\n"
	loop := pdfOf(catalog1, "<< /Type /Pages /Count 1000000 /Kids [2 0 R 2 0 R] >>")
	return []hostile{
		{"bomb.docx", packedParts(t, "word/document.xml", bodyOf(strings.Repeat(" ", 80<<20))), "unpacks to more than 64 MiB|beyond a limit"},
		{"nested.docx", packedParts(t, "word/document.xml", bodyOf("The outer one is read."), "word/embeddings/a.docx", string(inner)), ""},
		{"overlapping.docx", overlapping(t, 9000), ""},
		{"parts.docx", packedParts(t, many...), "10002 parts of at most 10000"},
		{"laughs.docx", packedParts(t, "word/document.xml", laughs+"]>"+bodyOf("&j;")), "not a whole document"},
		{"external.docx", packedParts(t, "word/document.xml", `<!DOCTYPE x [<!ENTITY p SYSTEM "file:///etc/passwd">]>`+bodyOf("&p;")), "not a whole document"},
		{"macros.docm", packedParts(t, "word/document.xml", bodyOf("It has macros."), "word/vbaProject.bin", "MZ"), ""},
		{"deep.docx", packedParts(t, "word/document.xml", bodyBegins+strings.Repeat("<w:p>", 100_000)), "nested deeper"},
		{"half.docx", inner[:len(inner)/2], "not a whole document"},
		{"pages.pdf", loop, "beyond a limit"},
		{"table.pdf", bytes.Replace(pdfOf(catalog1), []byte("/Root"), []byte("/Prev 9 /Root"), 1), "not a whole document"},
		{"itself.pdf", pdfOf(catalog1, onePage, pageOf4, pdfStream("/Type /XObject /Subtype /Form", []byte("BT /F 12 Tf (drawn) Tj ET /X Do")), fontOf5), ""},
		{"memory.pdf", pdfOf(catalog1, onePage, pageOf4, pdfStream("/Filter /FlateDecode", deflated("[ ", 64<<20)), fontOf5), "beyond a limit"},
		{"long.pdf", pdfOf(catalog1, onePage, pageOf4, pdfStream("/Filter /FlateDecode", deflated(printedText, 1<<12)), fontOf5), ""},
		{"billion.pdf", pdfOf(catalog1, "<< /Type /Pages /Count 1000000000 /Kids [] >>"), "beyond a limit"},
		{"mark.pdf", []byte("%PDF-1.4"), "not a whole document"},
		{"page.pdf", []byte("<html>no document today</html>"), "not a whole document"},
		{"outputs.ipynb", []byte(`{"cells": [{"cell_type": "code", "source": "print('notebook')", "outputs": [{"text": "` + strings.Repeat(`line\n`, 1<<20) + `"}]}]}`), ""},
		{"cells.ipynb", []byte(`{"cells": [` + strings.Repeat("{},", 8<<20) + `{}]}`), "beyond a limit"},
		{"lists.ipynb", []byte(`{"cells": ` + strings.Repeat("[", 1<<20)), "not a whole document"},
		{"deep.html", []byte(strings.Repeat("<div><table><tr><td>", 50_000) + "The bottom is read."), ""},
		{"open.html", []byte(strings.Repeat("<", 1<<20) + "!-- "), ""},
		{"wide.txt", []byte(wide), ""},
		{"late.txt", append(bytes.Repeat([]byte("text "), 8<<10), 0, 1, 2), "not text"},
		{"latin.md", []byte("# Caf\xe9\n\nIt opens at \xbd past five.\n"), ""},
	}
}

// TestIndexOfHostileDocuments: each is read, or its reason is said; the others are
// indexed, in bounded memory, and nothing is lost that was there. COMPACTOR_LONG=1 has
// the limits of the configuration in place of short ones.
func TestIndexOfHostileDocuments(t *testing.T) {
	if raced {
		t.Skip("the race detector's shadow of memory takes more than the limits of a child")
	}
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	docs, home := filepath.Join(dir, "docs"), filepath.Join(dir, "home")
	limits := `{time: "1s", memory: "256MiB"}`
	if os.Getenv("COMPACTOR_LONG") != "" {
		limits = `{}`
	}
	for path, text := range map[string]string{
		filepath.Join(dir, ".compactor", "c.cue"): "package compactor\ncollections: docs: {roots: [\"docs\"], reading: " + limits + "}\n",
		filepath.Join(docs, "plain.md"):           "# Plain\n\nThe crank turns the widget.\n",
		filepath.Join(home, "README"):             "",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (string, *os.ProcessState) {
		cmd := exec.Command(binary, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "COMPACTOR_CONFIG=", "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+filepath.Join(home, "config"), "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState
	}
	if out, state := run("index"); state.ExitCode() != exitDone {
		t.Fatal(out)
	}
	all := hostiles(t)
	for _, h := range all {
		if err := os.WriteFile(filepath.Join(docs, h.name), h.data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"huge.pdf", "huge.md"} { // a gigabyte each, of nothing
		if err := os.WriteFile(filepath.Join(docs, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(docs, name), 1<<30); err != nil {
			t.Skip("no sparse files: ", err)
		}
		all = append(all, hostile{name, nil, "it has 1073741824 bytes"})
	}
	start := time.Now()
	out, state := run("index")
	if state.ExitCode() != exitInvalid {
		t.Errorf("exit %d\n%s", state.ExitCode(), out)
	}
	t.Logf("%d documents in %v, %v of processor, no process with more than %d MiB", len(all), time.Since(start).Round(time.Millisecond), state.UserTime()+state.SystemTime(), peak(state)>>20)
	if peak(state) > 1<<30 {
		t.Errorf("a process took %d MiB", peak(state)>>20)
	}
	said := problemsOf(t, run)
	for _, h := range all {
		why, bad := said["docs/"+h.name]
		if bad != (h.says != "") || !regexp.MustCompile(h.says).MatchString(why) {
			t.Errorf("%s: %q is said, want %q", h.name, why, h.says)
		}
		if h.says != "" && !strings.HasPrefix(h.name, "external") {
			continue
		}
		look, state := run("docs", "lookup", "docs/"+h.name)
		if (state.ExitCode() == exitDone) != (h.says == "") {
			t.Errorf("%s: %.300s", h.name, look)
		}
		if strings.Contains(look, "root:x:0") {
			t.Errorf("%s shows a file of this machine", h.name)
		}
	}
	if out, _ := run("docs", "search", "what turns the widget"); !strings.Contains(out, "docs/plain.md") {
		t.Errorf("the plain one is lost:\n%s", out)
	}
	// What is mended is read, what is gone is not spoken of.
	for _, h := range all {
		if err := os.Remove(filepath.Join(docs, h.name)); err != nil {
			t.Fatal(err)
		}
	}
	if out, state := run("index"); state.ExitCode() != exitDone || !strings.Contains(out, "docs: 1 document in 1 passage") {
		t.Errorf("%s", out)
	}
	if said := problemsOf(t, run); len(said) > 0 {
		t.Errorf("%v", said)
	}
}

// problemsOf are the reasons of index status by document.
func problemsOf(t *testing.T, run func(...string) (string, *os.ProcessState)) map[string]string {
	t.Helper()
	out, _ := run("index", "status", "--format", "json")
	var status struct {
		Collections []struct {
			Problems []struct{ URI, Error string }
		}
	}
	if err := json.Unmarshal([]byte(out), &status); err != nil || len(status.Collections) != 1 {
		t.Fatal(err, out)
	}
	said := map[string]string{}
	for _, p := range status.Collections[0].Problems {
		said[p.URI] = p.Error
	}
	return said
}
