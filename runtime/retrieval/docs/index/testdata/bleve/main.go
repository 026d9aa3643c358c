// Command bleve compares the index of this package with bleve's, on the same
// passages and questions in one run. It is a module of its own, so that nobody
// who builds compactor gets bleve with it:
//
//	go run . FOLDER...
//
// The folders are suites in the form of BEIR. First the ranking of each is
// judged; then so many passages as COMPACTOR_BENCH_PASSAGES says, or 90,000, are
// mixed of all their sentences, and what indexing and asking cost is measured.
package main

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"

	"github.com/compactor-mcp/compactor/runtime/docs/index"
	"github.com/compactor-mcp/compactor/runtime/eval/ranking"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("name folders of judged documents, such as bench/ir/cranfield")
	}
	var suites []*ranking.Suite
	for _, dir := range os.Args[1:] {
		s, err := ranking.Read(os.DirFS(dir), dir, "")
		check(err)
		suites = append(suites, s)
		judge(s)
	}
	measure(suites)
}

// judge prints the nDCG@10 of both.
func judge(s *ranking.Suite) {
	var list []index.Passage
	for _, d := range s.Documents {
		list = append(list, index.Passage{ID: d.ID, Title: d.Title, Body: d.Text})
	}
	own, _ := ours(list)
	peer, dir := theirs(list)
	defer os.RemoveAll(dir)
	defer peer.Close()
	var bm25, fused, other []ranking.Scores
	for _, q := range s.Queries {
		bm25 = append(bm25, ranking.Score(ask(own, q.Text, index.Weights{index.LegBM25: 1}), q.Grades))
		fused = append(fused, ranking.Score(ask(own, q.Text, nil), q.Grades))
		other = append(other, ranking.Score(askBleve(peer, q.Text), q.Grades))
	}
	fmt.Printf("%s: nDCG@10 bleve %.4f, own bm25 %.4f, own fused %.4f\n", filepath.Base(s.Name),
		ranking.Mean(other).NDCG, ranking.Mean(bm25).NDCG, ranking.Mean(fused).NDCG)
}

// measure prints what indexing and asking cost.
func measure(suites []*ranking.Suite) {
	list, questions := mix(suites)
	fmt.Printf("%d passages, %d questions\n", len(list), len(questions))

	before, start := heap(), spent()
	own, kept := ours(list)
	cpu := spent() - start
	fmt.Printf("own:   build %.1f s of processor time, %.0f MB on disk, %.0f MB of heap\n", cpu, float64(kept)/1e6, float64(heap()-before)/1e6)
	start = spent()
	peer, dir := theirs(list)
	cpu = spent() - start
	fmt.Printf("bleve: build %.1f s of processor time, %.0f MB on disk\n", cpu, float64(size(dir))/1e6)
	defer os.RemoveAll(dir)
	defer peer.Close()

	clock("own bm25", questions, func(q string) { ask(own, q, index.Weights{index.LegBM25: 1}) })
	clock("own fused", questions, func(q string) { ask(own, q, nil) })
	clock("bleve", questions, func(q string) { askBleve(peer, q) })
}

// ours is built as a library builds it: in a segment, with a space that is learnt of it.
func ours(list []index.Passage) (ix *index.Index, kept int) {
	ctx, set := context.Background(), index.Default()
	b, err := index.NewBuilder(set)
	check(err)
	b.Begin(index.Name{1})
	for _, p := range list {
		check(b.Add(p))
	}
	packed := b.Segment()
	s, err := index.ReadSegment(packed)
	check(err)
	space, err := index.Learn(ctx, set, s.Groups(), s)
	check(err)
	vectors, err := space.Fold(set, s)
	check(err)
	check(s.SetVectors(vectors))
	ix, err = index.Assemble(set, s.Groups(), space, s)
	check(err)
	return ix, packed.Bytes() + len(vectors) + len(space.Packed())
}

// theirs is bleve's index on disk, with its analyzer for English and titles that
// count twice, as ours do.
func theirs(list []index.Passage) (bleve.Index, string) {
	dir, err := os.MkdirTemp("", "bleve")
	check(err)
	text := bleve.NewTextFieldMapping()
	text.Analyzer, text.Store, text.IncludeTermVectors = en.AnalyzerName, false, false
	mapping := bleve.NewIndexMapping()
	mapping.DefaultMapping.AddFieldMappingsAt("title", text)
	mapping.DefaultMapping.AddFieldMappingsAt("body", text)
	mapping.DefaultMapping.Dynamic = false
	mapping.ScoringModel = "bm25" // its default, tf-idf, ranks worse
	ix, err := bleve.New(filepath.Join(dir, "index"), mapping)
	check(err)
	for part := range slices.Chunk(list, 1000) {
		batch := ix.NewBatch()
		for _, p := range part {
			check(batch.Index(p.ID, map[string]string{"title": p.Title, "body": p.Body}))
		}
		check(ix.Batch(batch))
	}
	return ix, dir
}

func ask(ix *index.Index, text string, weights index.Weights) (ids []string) {
	found, err := ix.Search(context.Background(), index.Query{Text: text, Limit: 100, Weights: weights})
	check(err)
	for _, h := range found.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func askBleve(ix bleve.Index, text string) (ids []string) {
	title, body := bleve.NewMatchQuery(text), bleve.NewMatchQuery(text)
	title.SetField("title")
	title.SetBoost(2)
	body.SetField("body")
	found, err := ix.Search(bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(title, body), 100, 0, false))
	check(err)
	for _, h := range found.Hits {
		ids = append(ids, h.ID)
	}
	return ids
}

// mix makes passages of some 60 words from the sentences of all documents.
func mix(suites []*ranking.Suite) (list []index.Passage, questions []string) {
	size := 90_000
	if n, err := strconv.Atoi(os.Getenv("COMPACTOR_BENCH_PASSAGES")); err == nil {
		size = n
	}
	var documents [][]string
	for _, s := range suites {
		for _, d := range s.Documents {
			documents = append(documents, strings.SplitAfter(d.Title+". "+d.Text, ". "))
		}
		for _, q := range s.Queries {
			questions = append(questions, q.Text)
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
		list = append(list, index.Passage{ID: fmt.Sprint(i), Title: documents[random.IntN(len(documents))][0], Body: text.String()})
	}
	return list, questions
}

// clock prints how long questions take, after a first round that warms.
func clock(name string, questions []string, ask func(string)) {
	for _, q := range questions[:min(50, len(questions))] {
		ask(q)
	}
	var times []time.Duration
	before := spent()
	for _, q := range questions {
		start := time.Now()
		ask(q)
		times = append(times, time.Since(start))
	}
	cpu := spent() - before
	slices.Sort(times)
	at := func(share int) float64 { return float64(times[len(times)*share/100].Microseconds()) / 1000 }
	fmt.Printf("%-10s p50 %.1f ms, p95 %.1f ms, %.1f ms of processor time each\n", name, at(50), at(95), cpu*1000/float64(len(times)))
}

// spent is the processor time of this process in seconds.
func spent() float64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func size(dir string) (n int64) {
	check(filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		n += info.Size()
		return err
	}))
	return n
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
