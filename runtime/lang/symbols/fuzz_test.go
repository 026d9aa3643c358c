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

// TestStringsOpenBehindAHole ends a file, or a line, behind a hole of a string that is not
// closed: no token there may be empty.
func TestStringsOpenBehindAHole(t *testing.T) {
	languages := map[string]bool{}
	for _, s := range samples(t) {
		if ext := filepath.Ext(s.Name); ext != "" && !languages[ext] {
			languages[ext] = true
			for _, hole := range []string{"{$x}", "${x}", "$x", "#{x}", "{x}", "\\(x)", "{{x}}", "`x`"} {
				for _, quote := range []string{`"`, `"""`, "`", "'", `$"`, `f"`, "<<X\n"} {
					for _, around := range []string{"class A { %s", "<?php class A { %s", "<?php function f(public %s", "class A\n  %s", "A = %s", "const A = %s", "fn f() { %s", "def f(%s", "%s"} {
						text := strings.ReplaceAll(around, "%s", quote+hole)
						check(t, s.Name, []byte(text))
						check(t, s.Name, []byte(text+"\n"))
						check(t, s.Name, []byte(text+"\n}\n"))
					}
				}
			}
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
