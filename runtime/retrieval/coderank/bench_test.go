package coderank

import (
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkScan counts a question's words in 16 MiB of Go's own source, with
// the filter of each file's words.
func BenchmarkScan(b *testing.B) {
	files, size := map[string][]byte{}, 0
	_ = filepath.WalkDir(filepath.Join(build.Default.GOROOT, "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		if size > 16<<20 {
			return filepath.SkipAll
		}
		if data, err := os.ReadFile(path); err == nil {
			files[path], size = data, size+len(data)
		}
		return nil
	})
	for _, c := range []struct{ name, question string }{
		{"prose", "how does the http server parse request headers"},
		{"name", "who calls NewHandler"},
		{"long", "how are keys expired when memory is full and the user writes, and where is the configuration of the limit read"},
		{"wide", "wo wird die größe der liste überprüft"},
	} {
		b.Run(c.name, func(b *testing.B) {
			col := New(Parse(c.question), Default()).Collector()
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for path, data := range files {
					col.Scan(path, data)
				}
			}
		})
	}
}
