package keylines

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

var update = flag.Bool("update", false, "rewrite the expected lines of testdata")

func termsOf(question string) *Terms {
	t := &Terms{}
	for _, w := range strings.Fields(question) {
		if len(w) > 3 {
			t.Add(words.StemOf(w), 1)
		}
	}
	return t
}

// TestLanguages compares the comment and the lines that are chosen of a function in
// many languages with what follows each.
func TestLanguages(t *testing.T) {
	const path = "testdata/languages.txtar"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in := txtar.Parse(old)
	terms := termsOf(string(in.Comment))
	out := &txtar.Archive{Comment: in.Comment}
	for _, f := range in.Files {
		if !strings.HasSuffix(f.Name, ".want") {
			out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".want", Data: []byte(shown(t, f, terms))})
		}
	}
	got := txtar.Format(out)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(old), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func shown(t *testing.T, f txtar.File, terms *Terms) string {
	t.Helper()
	text := Read(symbols.Detect(f.Name, f.Data), f.Data)
	for _, d := range symbols.Scan(f.Name, f.Data) {
		if !strings.HasSuffix(strings.ToLower(d.Name), "admit") {
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s: %s\n", d.Name, text.Comment(d, terms, 200))
		for _, l := range text.Lines(d, Ask{Terms: terms, Most: 8}) {
			fmt.Fprintf(&b, "%d: %s\n", l.Line, l.Text)
		}
		return b.String()
	}
	t.Errorf("%s: no function admit", f.Name)
	return ""
}

func TestHandsOn(t *testing.T) {
	src := []byte("package p\n\nfunc Open(name string) (*File, error) {\n\treturn openFile(name, 0)\n}\n\nfunc two() {\n\ta()\n\tb()\n}\n")
	text := Read(symbols.Go, src)
	for i, want := range []bool{true, false} {
		if d := symbols.Scan("p.go", src)[i]; text.HandsOn(d) != want {
			t.Errorf("%s: %t", d.Name, !want)
		}
	}
}

// FuzzLines reads any text as any language: nothing panics, every line lies in the
// definition, stays one line and short, and a second reading gives the same.
func FuzzLines(f *testing.F) {
	ar, err := txtar.ParseFile("testdata/languages.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range ar.Files {
		f.Add(file.Name, file.Data, "pool job full")
		f.Add(file.Name, file.Data[len(file.Data)/3:], "")
	}
	f.Fuzz(func(t *testing.T, name string, src []byte, question string) {
		text, again := Read(symbols.Detect(name, src), src), Read(symbols.Detect(name, src), src)
		terms := termsOf(question)
		for i, d := range symbols.Scan(name, src) {
			if i > 20 {
				break
			}
			ask := Ask{Terms: terms, Most: 8, Known: func(Call) float64 { return 0.5 }}
			lines := text.Lines(d, ask)
			for _, l := range lines {
				if l.Line < d.Line || l.Line > d.EndLine || len(l.Text) > maxLine || strings.Contains(l.Text, "\n") {
					t.Fatalf("%s: line %d of %d-%d: %q", d.Name, l.Line, d.Line, d.EndLine, l.Text)
				}
			}
			if diff := cmp.Diff(lines, again.Lines(d, ask)); diff != "" {
				t.Fatal(diff)
			}
			if c := text.Comment(d, terms, 200); strings.Contains(c, "\n") || len(c) > 200 {
				t.Fatalf("comment %q", c)
			}
			text.Members(d, nil, terms)
			text.Calls(d)
			text.HandsOn(d)
		}
	})
}

// TestHostile reads what is long or deep in time that grows with its size.
func TestHostile(t *testing.T) {
	for _, src := range []string{
		"func f() {\n" + strings.Repeat("if x { ", 200_000),
		"func f() {\n" + strings.Repeat("(", 1<<20),
		"func f() {\n\tx := \"" + strings.Repeat("pool job ", 1<<17) + "\"\n}\n",
		"func f() {\n" + strings.Repeat("\tif p.jobFull { return ErrPoolFull }\n", 100_000) + "}\n",
		"func f() {\n" + strings.Repeat("// full pool\n", 100_000) + "}\n",
	} {
		text := Read(symbols.Go, []byte(src))
		d := symbols.Def{Name: "f", Kind: symbols.KindFunction, Line: 1, EndLine: strings.Count(src, "\n") + 1}
		text.Lines(d, Ask{Terms: termsOf("pool full"), Most: 8})
		text.Comment(d, termsOf("pool full"), 200)
		text.Calls(d)
	}
}

// BenchmarkLines reads a file of 1,500 lines and chooses eight of a function.
func BenchmarkLines(b *testing.B) {
	src := []byte("package p\n\nfunc f() {\n" + strings.Repeat("\tif p.jobFull(a, b) {\n\t\treturn ErrPoolFull\n\t}\n", 500) + "}\n")
	d := symbols.Def{Name: "f", Kind: symbols.KindFunction, Line: 3, EndLine: 1503}
	terms := termsOf("how does the pool admit a job when it is full")
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		Read(symbols.Go, src).Lines(d, Ask{Terms: terms, Most: 8})
	}
}

// TestAStringEndsAStatement: what follows an assignment of a string does not belong to it.
func TestAStringEndsAStatement(t *testing.T) {
	text := Read(symbols.Go, []byte("func f() {\n\tif port == \"\" {\n\t\tport = \"9090\"\n\t}\n\tuse(port)\n}\n"))
	var got []string
	for _, s := range text.splitStatements(2, 5) {
		got = append(got, s.text)
	}
	if want := []string{`if port == ""`, `port = "9090"`, "use(port)"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
