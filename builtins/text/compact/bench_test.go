package compact

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/cputime"
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
		texts := formedTexts(size.n)
		for kind, text := range bigTexts(size.n) {
			texts[string(kind)] = text
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			bench(b, size.name+"/"+name, texts[name])
		}
	}
}

// formedTexts are texts of n parts of the forms that bigTexts has not.
func formedTexts(n int) map[string]string {
	var members strings.Builder
	members.WriteString("items:\n")
	for i := range n {
		fmt.Fprintf(&members, "- metadata:\n    name: worker-%d\n  image: registry.example.org/shop/worker:1.%d\n  args: [\"--port=%d\"]\n", i, i%31, i)
	}
	return map[string]string{
		"aligned":  "NAME            READY   STATUS    RESTARTS   AGE   IP\n" + linesFor(n, "worker-%-6d   1/1     Running   0          41d   10.1.4.%d\n"),
		"compiler": linesFor(n, "src/part%d.c:%d:7: warning: unused variable 'total' [-Wunused-variable]\n  int total;\n"),
		"gitlog":   linesFor(n/2, "commit 7f93a96c5e65fa4009e35e2885d2ad32595e0%03d\nAuthor: dev <dev@example.org>\n\n    cart: part %d\n\n"),
		"html":     "<html><body>" + linesFor(n, "<h2>Part %d</h2><p>The worker went <a href=\"/part/%d\">home</a> late.</p>\n"),
		"longlist": linesFor(n, "-rw-r--r--  1 root     root      4096 May 20  2025 part-%05d.%d.bin\n"),
		"markdown": "# All\n" + linesFor(n, "## Part %d\n\n- The `worker` of part %d went to the market.\n"),
		"trace":    "panic: all is lost\n\ngoroutine 1 [running]:\n" + linesFor(n, "main.run%d(0x1)\n\t/home/dev/main.go:%d +0x1d\n"),
		"tree":     "src\n" + linesFor(n, "├── part%d\n│   ├── main%d.go\n"),
		"yaml":     members.String(),
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
