package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// benchRoot is a tree of 2,000 files of about 8 KB, or the one that COMPACTOR_BENCH_TREE names.
func benchRoot(b *testing.B, m mode) *Root {
	b.Helper()
	if dir := os.Getenv("COMPACTOR_BENCH_TREE"); dir != "" {
		return m.open(b, dir, Options{})
	}
	dir := b.TempDir()
	text := bytes.Repeat([]byte("func main() { return nil } // a line of source\n"), 170)
	plantIn(b, dir, map[string]string{".gitignore": "*.log\n/build/\nnode_modules\n*.tmp.*\n"})
	for i := range 2000 {
		path := filepath.Join(dir, fmt.Sprintf("pkg%d/internal/part%d/file%d.go", i%20, i%100, i))
		must(b, os.MkdirAll(filepath.Dir(path), 0o755))
		must(b, os.WriteFile(path, text, 0o644))
	}
	return m.open(b, dir, Options{})
}

func BenchmarkFiles(b *testing.B) {
	for _, m := range modes {
		b.Run(m.name, func(b *testing.B) {
			r := benchRoot(b, m)
			b.ReportAllocs()
			for b.Loop() {
				mustFiles(b, r)
			}
		})
	}
}

func BenchmarkScan(b *testing.B) {
	for _, m := range modes {
		b.Run(m.name, func(b *testing.B) {
			r := benchRoot(b, m)
			files := mustFiles(b, r)
			b.ReportAllocs()
			for b.Loop() {
				stats, err := r.Scan(context.Background(), files, 0, func(int, int, Entry, []byte) {})
				must(b, err)
				b.SetBytes(stats.Bytes)
			}
		})
	}
}

// BenchmarkOpen opens one file after the other, reads and closes it; BenchmarkOpenBare does so without the sandbox.
func BenchmarkOpen(b *testing.B) {
	for _, m := range modes {
		b.Run(m.name, func(b *testing.B) {
			r := benchRoot(b, m)
			files := mustFiles(b, r)
			o := r.core.tree.opener()
			defer o.close()
			reader := scanReader{root: r, opener: o}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				reader.read(files[i%len(files)].Path)
				i++
			}
		})
	}
}

func BenchmarkReadFile(b *testing.B) {
	r := benchRoot(b, modes[0])
	files := mustFiles(b, r)
	var buf []byte
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		buf, _ = r.ReadFile(context.Background(), files[i%len(files)].Path, buf)
		i++
	}
}

func BenchmarkDenied(b *testing.B) {
	r := benchRoot(b, modes[0])
	files := mustFiles(b, r)
	i := 0
	for b.Loop() {
		r.deniedIn(files[i%len(files)].Path, kindFile)
		i++
	}
}
