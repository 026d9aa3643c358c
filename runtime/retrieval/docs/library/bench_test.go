package library_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// BenchmarkSearch asks the questions of a BEIR-style file (COMPACTOR_BENCH_QUERIES) of a
// directory of documents (COMPACTOR_BENCH_DOCS), with the text of what is found.
func BenchmarkSearch(b *testing.B) {
	dir, file := os.Getenv("COMPACTOR_BENCH_DOCS"), os.Getenv("COMPACTOR_BENCH_QUERIES")
	if dir == "" || file == "" {
		b.Skip("COMPACTOR_BENCH_DOCS and COMPACTOR_BENCH_QUERIES say what is searched")
	}
	s := shelf(b, place(b, "bench"))
	r := indexed(b, s, dir)
	l := library.Open(s)
	var took []time.Duration
	for b.Loop() {
		for _, q := range questions(b, file) {
			start := time.Now()
			if _, err := l.Search(b.Context(), library.Query{Text: q, Limit: 8}); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(r.Documents)/r.Took.Seconds(), "files/s")
	b.ReportMetric(float64(r.Bytes)/1e6/r.Took.Seconds(), "MB/s")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1e3, "p95-ms")
}

func questions(b *testing.B, file string) (out []string) {
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var q struct{ Text string }
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			b.Fatal(err)
		}
		out = append(out, q.Text)
	}
	return out
}

// BenchmarkFirstSearch is the first search of a process, with vectors and behind a filter:
// compared by the database, and read by the process. COMPACTOR_BENCH_POSTGRES=1 has it run.
func BenchmarkFirstSearch(b *testing.B) {
	if os.Getenv("COMPACTOR_BENCH_POSTGRES") == "" {
		b.Skip("COMPACTOR_BENCH_POSTGRES=1 takes minutes")
	}
	dir, tier := b.TempDir(), static(b, 256)
	for n := range 6000 {
		write(b, dir, fmt.Sprintf("d%d/%d.md", n%50, n), document(n))
	}
	s := shelf(b, store.LibraryPath(storetest.Shared(b).URL(), "guide", "1"))
	x, done, err := indexer(s, dir)
	if err != nil {
		b.Fatal(err)
	}
	defer done()
	x.Tiers = []library.Tier{tier}
	r, err := x.Run(b.Context(), library.Options{})
	if err != nil {
		b.Fatal(err)
	}
	q := library.Query{Text: "snapshot of a ledger", Limit: 8, Tiers: x.Tiers}
	for name, shelf := range map[string]library.Shelf{"server": s, "process": reading{s}} {
		for _, of := range []string{"7", "[1-9]"} { // a fiftieth, nine of them
			b.Run(name+"/d"+of, func(b *testing.B) {
				q := q
				q.Only.Path = "d" + of + "/*"
				for b.Loop() {
					b.StopTimer()
					l := library.Open(shelf) // whose index is in memory, and no vectors
					if _, err := l.Documents(b.Context()); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					if a, err := l.Search(b.Context(), q); err != nil || len(a.Notes) > 0 {
						b.Fatal(a.Notes, err)
					}
				}
			})
		}
	}
	b.Run("later", func(b *testing.B) {
		l := library.Open(s)
		if _, err := l.Search(b.Context(), q); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := l.Search(b.Context(), q); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Logf("%d passages", r.Passages)
}

// reading is a shelf whose database compares nothing.
type reading struct{ library.Shelf }

func (r reading) View(ctx context.Context, see func(library.View) error) error {
	return r.Shelf.View(ctx, func(v library.View) error { return see(readView{v}) })
}

type readView struct{ library.View }

func (readView) Comparer(context.Context, string) (library.Comparer, error) { return nil, nil }
