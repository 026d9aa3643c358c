//go:build unix

package docs

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/lab/eval/ranking"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/openai"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/chunk"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/rerank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// shelve writes so many passages of some 60 words, 30 of them a file, mixed from the
// sentences of the suites that COMPACTOR_BENCH_SUITES names, and returns their queries.
func shelve(b *testing.B, dir string, passages int) (queries []string) {
	var documents [][]string
	for _, suite := range filepath.SplitList(os.Getenv("COMPACTOR_BENCH_SUITES")) {
		s, err := ranking.Read(os.DirFS(suite), suite, "")
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range s.Documents {
			documents = append(documents, strings.SplitAfter(d.Title+". "+d.Text, ". "))
		}
		for _, q := range s.Queries {
			queries = append(queries, q.Text)
		}
	}
	if len(documents) == 0 {
		b.Skip("COMPACTOR_BENCH_SUITES names no folders of judged documents")
	}
	r := rand.New(rand.NewPCG(1, 2))
	sentences := func(bytes int) string {
		var text strings.Builder
		for text.Len() < bytes {
			d := documents[r.IntN(len(documents))]
			at := r.IntN(len(d))
			text.WriteString(strings.Join(d[at:min(len(d), at+3)], "") + " ")
		}
		return strings.Join(strings.Fields(text.String()), " ")
	}
	for n := range (passages + 29) / 30 {
		var text strings.Builder
		for range 30 {
			fmt.Fprintf(&text, "# %s\n\n%s\n\n", documents[r.IntN(len(documents))][0], sentences(350))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("d%05d.md", n)), []byte(text.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return queries
}

// judging is a model's server that takes so long for a verdict on however many passages.
func judging(b *testing.B, delay time.Duration) *rerank.Judge {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Messages []struct{ Content string }
			Stream   bool
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Messages) == 0 {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"judge","object":"model"}]}`)
			return
		}
		select {
		case <-time.After(delay):
		case <-r.Context().Done():
			return
		}
		var scores []string
		for n := range strings.Count(in.Messages[len(in.Messages)-1].Content, "\n[") {
			scores = append(scores, fmt.Sprintf(`{"passage":%d,"score":%d}`, n+1, n%4))
		}
		said, _ := json.Marshal(`{"scores":[` + strings.Join(scores, ",") + `]}`)
		if in.Stream {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", said)
			return
		}
		fmt.Fprintf(w, `{"choices":[{"message":{"content":%s},"finish_reason":"stop"}]}`, said)
	}))
	b.Cleanup(server.Close)
	e, err := openai.New(model.Options{Name: "judge", URL: server.URL + "/v1", Model: "judge"})
	if err != nil {
		b.Fatal(err)
	}
	return &rerank.Judge{From: model.NewLimiter("judge", e, 1, 0), Model: "judge", Prompt: "Judge the passages.", Top: 10, Time: 5 * time.Second, Weight: 1, Most: 1200}
}

// BenchmarkDocsSearch is docs.search as a client has it: the index of a collection on the
// disk, texts read, snippets cut; with a judge whose server takes COMPACTOR_BENCH_JUDGE
// (300ms) for a verdict; and answered by what was kept. COMPACTOR_BENCH_PASSAGES says how
// many passages there are, or 90,000:
//
//	COMPACTOR_BENCH_SUITES=cranfield:pydocs go test ./builtins/docs -run ^$ -bench DocsSearch -benchtime 1x
func BenchmarkDocsSearch(b *testing.B) {
	size := 90_000
	if n, err := strconv.Atoi(os.Getenv("COMPACTOR_BENCH_PASSAGES")); err == nil {
		size = n
	}
	delay := 300 * time.Millisecond
	if d, err := time.ParseDuration(os.Getenv("COMPACTOR_BENCH_JUDGE")); err == nil {
		delay = d
	}
	dir := b.TempDir()
	queries := shelve(b, dir, size)
	shelf, err := store.OpenLibrary(b.Context(), filepath.Join(b.TempDir(), "bench.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer shelf.Close()
	root, err := sandbox.OpenRoot("docs", dir, sandbox.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	x := &library.Indexer{Shelf: shelf, Collection: "bench", Roots: []library.Root{{Root: root, Prefix: "bench"}}, Now: time.Now,
		Policy: chunk.Policy{Least: 16, Most: 1000}, Extractors: extract.Trusted(), Origin: library.Origin{Collection: "bench", Directories: []string{dir}}}
	start := time.Now()
	report, err := x.Run(b.Context(), library.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d passages of %d documents, indexed in %s", report.Passages, report.Documents, time.Since(start).Round(time.Second))
	l := library.Open(shelf)
	same := func(s string) string { return s }
	ask := func(name string, m library.Member, queries []string, rounds int) {
		m.Name, m.Open = "bench", func(context.Context) (*library.Library, error) { return l, nil }
		env := &catalog.Env{Documents: catalog.Library{m}}
		run := func(q string) {
			if _, err := Search(same).Run(b.Context(), env, map[string]any{"query": q, "top_k": 8}); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(name, func(b *testing.B) {
			for range rounds - 1 { // what comes before is not measured
				for _, q := range queries {
					run(q)
				}
			}
			var took []time.Duration
			before := spent()
			for b.Loop() {
				for _, q := range queries {
					start := time.Now()
					run(q)
					took = append(took, time.Since(start))
				}
			}
			b.ReportMetric((spent()-before)*1000/float64(len(took)), "cpu-ms/query")
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "ms-p50")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1e3, "ms-p95")
			b.ReportMetric(0, "ns/op")
		})
	}
	ask("plain", library.Member{}, queries, 2)
	ask("judged", library.Member{Judge: judging(b, delay)}, queries[:min(60, len(queries))], 1)
	ask("kept", library.Member{Results: library.NewResults(64<<20, time.Hour, time.Now)}, queries, 2)
}

// spent is the processor time of this process in seconds.
func spent() float64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}
