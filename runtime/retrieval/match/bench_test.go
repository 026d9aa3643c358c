package match

import (
	"bytes"
	"context"
	gobuild "go/build"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// sources gives up to 24 MiB of Go's own source, in pieces of a file each.
var sources = sync.OnceValue(func() (files [][]byte) {
	total := 0
	root := filepath.Join(gobuild.Default.GOROOT, "src")
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		if total > 24<<20 {
			return filepath.SkipAll
		}
		if data, err := os.ReadFile(path); err == nil {
			files, total = append(files, data), total+len(data)
		}
		return nil
	})
	return files
})

var classes = []struct{ name, pattern string }{
	{"literal", `ErrUnexpectedEOF`},
	{"literal_common", `return nil, err`},
	{"literal_short", `err`},
	{"alternation", `ErrUnexpectedEOF|copyBuffer|readDirNames|loadLocation|parseHeader|newWriter|ReverseProxy|Fprintf`},
	{"regex_with_literal", `\bfunc\s+\w*Handler`},
	{"ignore_case", `(?i)failed to connect`},
	{"ignore_case_short", `(?i)todo`},
	{"no_literal", `[a-z]+_[0-9]{4}x`},
	{"no_literal_many_hits", `\b[A-Z]\w+\([a-z]+, [a-z]+\)$`},
	{"no_words", `[a-z]+\s+[0-9]`},
}

func BenchmarkScan(b *testing.B) {
	for _, c := range classes {
		m, err := Compile(c.pattern, Options{})
		if err != nil {
			b.Fatal(err)
		}
		s := m.NewScanner()
		b.Run(c.name, func(b *testing.B) {
			run(b, func(text []byte) int {
				n := 0
				_ = s.Lines(context.Background(), text, func(Line) bool { n++; return true })
				return n
			})
		})
	}
}

// BenchmarkRegexp runs regexp over the whole buffer, the obvious way.
func BenchmarkRegexp(b *testing.B) {
	for _, c := range classes {
		re := regexp.MustCompile(`(?m)` + c.pattern)
		b.Run(c.name, func(b *testing.B) {
			run(b, func(text []byte) (n int) {
				for pos := 0; pos < len(text); n++ {
					loc := re.FindIndex(text[pos:])
					if loc == nil {
						break
					}
					end := bytes.IndexByte(text[pos+loc[1]:], '\n')
					if end < 0 {
						return n + 1
					}
					pos += loc[1] + end + 1
				}
				return n
			})
		})
	}
}

func run(b *testing.B, scan func(text []byte) int) {
	files, size, hits := sources(), 0, 0
	for _, f := range files {
		size += len(f)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		hits = 0
		for _, f := range files {
			hits += scan(f)
		}
	}
	b.ReportMetric(float64(hits), "lines")
}

func BenchmarkCompile(b *testing.B) {
	for _, c := range classes {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compile(c.pattern, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
