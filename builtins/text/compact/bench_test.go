package compact

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/cputime"
)

// BenchmarkShorten tells the speed by kind: of the texts of testdata, which are read whole, and of large ones.
func BenchmarkShorten(b *testing.B) {
	files, _ := filepath.Glob("testdata/*_*.txt")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		bench(b, "small/"+strings.TrimSuffix(filepath.Base(f), ".txt"), string(text))
	}
	for _, size := range []struct {
		name string
		n    int
	}{{"medium", 2_400}, {"large", 150_000}} {
		texts := bigTexts(size.n)
		for _, k := range slices.Sorted(maps.Keys(texts)) {
			bench(b, size.name+"/"+string(k), texts[k])
		}
	}
}

func bench(b *testing.B, name, text string) {
	o := Options{Bytes: 4000, Subject: Subject{Task: "Find out why the order of the warehouse is late and who changed its state."}}
	o.Bytes = min(o.Bytes, len(text)/3)
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		before := cputime.Process()
		for b.Loop() {
			Shorten(text, o)
		}
		b.ReportMetric(float64(len(text))*float64(b.N)/1e6/(cputime.Process()-before).Seconds(), "MB/cpu-s")
	})
}

// BenchmarkFaithful tells the speed of the check.
func BenchmarkFaithful(b *testing.B) {
	for _, k := range []Kind{Log, JSON} {
		text := bigTexts(20_000)[k]
		s := Shorten(text, Options{Bytes: 4000})
		b.Run(string(k), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Faithful(text, s.Text)
			}
		})
	}
}
