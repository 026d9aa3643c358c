//go:build unix

package index

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite" // FTS5, to be compared with

	"github.com/compactor-mcp/compactor/runtime/lab/eval/ranking"
)

// collection is what is compared on: so many passages of some 60 words, made of
// sentences of the suites that COMPACTOR_BENCH_SUITES names, and their queries.
type collection struct {
	passages []Passage
	queries  []string
}

// collect mixes the sentences of judged documents to passages. The size is that
// of COMPACTOR_BENCH_PASSAGES, or 90,000.
func collect(b *testing.B) collection {
	b.Helper()
	dirs := os.Getenv("COMPACTOR_BENCH_SUITES")
	if dirs == "" {
		b.Skip("COMPACTOR_BENCH_SUITES names no folders of judged documents")
	}
	size := 90_000
	if n, err := strconv.Atoi(os.Getenv("COMPACTOR_BENCH_PASSAGES")); err == nil {
		size = n
	}
	var c collection
	var documents [][]string
	for _, dir := range filepath.SplitList(dirs) {
		s, err := ranking.Read(os.DirFS(dir), dir, "")
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range s.Documents {
			documents = append(documents, strings.SplitAfter(d.Title+". "+d.Text, ". "))
		}
		for _, q := range s.Queries {
			c.queries = append(c.queries, q.Text)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range size {
		var text strings.Builder
		for text.Len() < 350 {
			d := documents[random.IntN(len(documents))]
			at := random.IntN(len(d))
			text.WriteString(strings.Join(d[at:min(len(d), at+3)], "") + " ")
		}
		c.passages = append(c.passages, Passage{ID: fmt.Sprint(i), Title: documents[random.IntN(len(documents))][0], Body: text.String()})
	}
	return c
}

// BenchmarkAgainstFTS5 builds and asks this index and SQLite's, one after the
// other on the same passages and queries:
//
//	COMPACTOR_BENCH_SUITES=cranfield:pydocs go test ./runtime/retrieval/docs/index -run ^$ -bench FTS5 -benchtime 1x
func BenchmarkAgainstFTS5(b *testing.B) {
	c := collect(b)
	var ix *Index
	b.Run("build/own", func(b *testing.B) {
		for b.Loop() {
			before := heap()
			start := spent()
			ix = build(b, Default(), c.passages...)
			b.ReportMetric(spent()-start, "cpu-s")
			b.ReportMetric(float64(heap()-before)/1e6, "heap-MB")
		}
	})
	var db *sql.DB
	dir := b.TempDir()
	b.Run("build/fts5", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			file := filepath.Join(dir, fmt.Sprint(n))
			start := spent()
			db = buildFTS5(b, file, c.passages)
			b.ReportMetric(spent()-start, "cpu-s")
			info, err := os.Stat(file)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size())/1e6, "file-MB")
		}
	})
	defer db.Close()
	ask := func(name string, search func(b *testing.B, text string)) {
		b.Run("search/"+name, func(b *testing.B) {
			var times []time.Duration
			before := spent()
			for b.Loop() {
				for _, q := range c.queries {
					start := time.Now()
					search(b, q)
					times = append(times, time.Since(start))
				}
			}
			b.ReportMetric((spent()-before)*1000/float64(len(times)), "cpu-ms/query")
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "ms-p50")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "ms-p95")
			b.ReportMetric(0, "ns/op")
		})
	}
	half := NewSet(ix.Len())
	for p := 0; p < ix.Len(); p += 2 {
		half.Add(p)
	}
	for _, leg := range []string{LegBM25, LegLSI, LegNGram} {
		ask(leg, func(b *testing.B, text string) {
			search(b, ix, Query{Text: text, Limit: 100, Weights: Weights{leg: 1}})
		})
	}
	ask("fused", func(b *testing.B, text string) { search(b, ix, Query{Text: text, Limit: 100}) })
	ask("fused-half-allowed", func(b *testing.B, text string) { search(b, ix, Query{Text: text, Limit: 100, Allow: half}) })
	ask("fused-explained", func(b *testing.B, text string) { search(b, ix, Query{Text: text, Limit: 8, Explain: true}) })
	ask("fts5", func(b *testing.B, text string) { searchFTS5(b, db, text) })
}

// spent returns the seconds of processor time of this process, which other work
// on the machine does not stretch as it does what a clock shows.
func spent() float64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func buildFTS5(b *testing.B, file string, list []Passage) *sql.DB {
	b.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		b.Fatal(err)
	}
	run := func(text string, args ...any) {
		if _, err := db.Exec(text, args...); err != nil {
			b.Fatal(err)
		}
	}
	run(`CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, title, body, tokenize='porter unicode61')`)
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	insert, err := tx.Prepare(`INSERT INTO t VALUES (?, ?, ?)`)
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range list {
		if _, err := insert.Exec(p.ID, p.Title, p.Body); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	run(`INSERT INTO t(t) VALUES ('optimize')`)
	return db
}

// searchFTS5 asks for any of the words that carry meaning, as this index does.
func searchFTS5(b *testing.B, db *sql.DB, text string) {
	var list []string
	eachWord(text, func(w string) {
		if !stops[w] {
			list = append(list, `"`+w+`"`)
		}
	})
	if len(list) == 0 {
		return
	}
	rows, err := db.Query(`SELECT id FROM t WHERE t MATCH ? ORDER BY bm25(t, 0, 2, 1) LIMIT 100`, strings.Join(list, " OR "))
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}
