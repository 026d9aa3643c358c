package symbols

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzScan reads any text as a file of any language: nothing panics, lines are
// in the file and strings are UTF-8.
func FuzzScan(f *testing.F) {
	files, _ := filepath.Glob("testdata/scan/*.txtar")
	for _, name := range files {
		if ar, err := txtar.ParseFile(name); err == nil {
			f.Add(ar.Files[0].Name, ar.Files[0].Data)
		}
	}
	for _, ext := range []string{".vue", ".scala", ".cue", ".proto", ".sql", ".adoc", ".rst", ".ipynb", ".yaml", ".toml", ".json"} {
		f.Add("a"+ext, []byte("{\"cells\":[{\"cell_type\":\"code\",\"source\":[\"def a():\\n\"]}]}\n= A\nkey: 1\n"))
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		lines := bytes.Count(src, []byte{'\n'}) + 1
		for _, d := range Scan(name, src) {
			if d.Line < 1 || d.EndLine < d.Line || d.EndLine > lines {
				t.Errorf("%s: %s at %d-%d of %d lines", name, d.Name, d.Line, d.EndLine, lines)
			}
			if !utf8.ValidString(d.Name + d.Container + d.Signature + d.Doc) {
				t.Errorf("%s: %+v is not UTF-8", name, d)
			}
		}
	})
}

func TestRoughFiles(t *testing.T) {
	for name, src := range map[string]string{
		"empty.go": "", "bom.go": "\ufeffpackage a\n\nfunc A() {}\n", "crlf.py": "def a():\r\n    pass\r\n", "broken.go": "package a\nfunc A( {\nfunc B() {}\n",
		"deep.js": strings.Repeat("(", 200_000), "long.js": "function a(){" + strings.Repeat("x;", 500_000) + "}", "bytes.rs": "fn a\xff() {}\nfn b() {}\n",
		"quotes.rb": strings.Repeat("\"#{", 50_000),
	} {
		defs := Scan(name, []byte(src))
		if strings.HasPrefix(name, "bom") && (len(defs) != 1 || defs[0].Line != 3) {
			t.Errorf("%s: %+v", name, defs)
		}
		if strings.HasPrefix(name, "crlf") && (len(defs) != 1 || strings.Contains(defs[0].Signature, "\r")) {
			t.Errorf("%s: %+v", name, defs)
		}
	}
}

// BenchmarkScan reads this package's own source and the golden samples.
func BenchmarkScan(b *testing.B) {
	for _, ext := range []string{"go", "txtar"} {
		files, _ := filepath.Glob("*." + ext)
		more, _ := filepath.Glob("testdata/scan/*." + ext)
		var srcs [][]byte
		var names []string
		size := 0
		for _, f := range append(files, more...) {
			data, err := os.ReadFile(f)
			if err != nil {
				b.Fatal(err)
			}
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".txtar"))
			srcs = append(srcs, data)
			size += len(data)
		}
		b.Run(ext, func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				for i, s := range srcs {
					Scan(names[i], s)
				}
			}
		})
	}
}
