package symbols

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor/runtime/base/notebook"
)

// samples are the input files of the goldens.
func samples(tb testing.TB) []txtar.File {
	tb.Helper()
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no golden files: %v", err)
	}
	var out []txtar.File
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		for _, f := range ar.Files {
			if Language(f.Name) == Notebook {
				f.Data, _ = notebook.Lines(f.Data)
			}
			if !strings.HasSuffix(f.Name, ".want") {
				out = append(out, f)
			}
		}
	}
	return out
}

// FuzzScan reads any text as a file of any language: nothing panics, lines lie
// in the file, strings are UTF-8, spans cover the source.
func FuzzScan(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.Name, s.Data)
		f.Add(s.Name, s.Data[len(s.Data)/3:])
		f.Add(s.Name, s.Data[:len(s.Data)*2/3])
	}
	f.Fuzz(check)
}

// TestCutAnywhere scans every sample with its end, its start or its middle cut
// off, which leaves strings, comments and brackets open.
func TestCutAnywhere(t *testing.T) {
	step := 37
	if testing.Short() {
		step = 211
	}
	for _, s := range samples(t) {
		for n := 0; n < len(s.Data); n += step {
			check(t, s.Name, s.Data[:n])
			check(t, s.Name, s.Data[n:])
			check(t, s.Name, append(s.Data[:n:n], s.Data[min(len(s.Data), n+step):]...))
		}
	}
}

// TestEveryLanguageReadsEverySample gives each sample the name of a file in
// each other language.
func TestEveryLanguageReadsEverySample(t *testing.T) {
	all := samples(t)
	for _, s := range all {
		for _, other := range all {
			check(t, other.Name, s.Data)
		}
	}
}
