package symbols

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samplesOf joins the golden samples of a language until they make a file of
// some size, as files in a tree have it.
func samplesOf(tb testing.TB, lang Lang) []byte {
	var src []byte
	for _, f := range samples(tb) {
		if Language(f.Name) == lang && lang != Notebook && lang != JSON {
			for len(src) < 64<<10 {
				src = append(append(src, f.Data...), '\n')
			}
		}
	}
	if lang == Ruby { // what follows __END__ is no code
		src = bytes.ReplaceAll(src, []byte("__END__"), nil)
	}
	return src
}

// BenchmarkScan runs one Scanner over a file of each family of languages.
func BenchmarkScan(b *testing.B) {
	for _, lang := range []Lang{Go, Python, JavaScript, TypeScript, Java, Rust, C, CPP, CSharp, Ruby, PHP, Kotlin, Swift, Scala, Shell, CUE, Protobuf, SQL, Dart, Lua, Elixir, Perl, PowerShell, R, Haskell, Zig, HCL, Make, Dockerfile, Markdown, YAML} {
		src := samplesOf(b, lang)
		name := "x"
		for ext, l := range byExtension {
			if l == lang && (name == "x" || "x"+ext < name) {
				name = "x" + ext
			}
		}
		b.Run(string(lang), func(b *testing.B) {
			var s Scanner
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				s.Scan(name, src)
			}
		})
	}
}

// BenchmarkScanGoTree reads Go's own net packages, as a walk over a tree does.
func BenchmarkScanGoTree(b *testing.B) {
	paths, _ := filepath.Glob(filepath.Join(goroot(b), "src", "net", "*", "*.go"))
	if len(paths) == 0 {
		b.Skip("Go's source is not at hand")
	}
	var files [][]byte
	size := 0
	for _, p := range paths {
		src, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, src)
		size += len(src)
	}
	var s Scanner
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, src := range files {
			s.Scan("a.go", src)
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	for _, lang := range []Lang{Go, Python, TypeScript} {
		src := samplesOf(b, lang)
		b.Run(string(lang), func(b *testing.B) {
			var s Scanner
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				s.Split(lang, src, func(SpanKind, int, int) {})
			}
		})
	}
}

// BenchmarkHostile has the inputs that cost the most for their size.
func BenchmarkHostile(b *testing.B) {
	for _, c := range hostile {
		src := []byte(strings.Repeat(c.pattern, 256<<10/len(c.pattern)))
		b.Run(c.file+"/"+c.pattern, func(b *testing.B) {
			var s Scanner
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				s.Scan(c.file, src)
			}
		})
	}
}
