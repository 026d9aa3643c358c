package ranking

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestScore has figures that were computed by hand.
func TestScore(t *testing.T) {
	grades := map[string]int{"a": 2, "b": 1, "c": 1, "x": 0, "y": -1}
	best := 2/math.Log2(2) + 1/math.Log2(3) + 1/math.Log2(4)
	long := strings.Fields(strings.Repeat("z ", 99))
	for i := range long {
		long[i] += fmt.Sprint(i)
	}
	for _, c := range []struct {
		name string
		list []string
		want Scores
	}{
		{"perfect", []string{"a", "b", "c"}, Scores{1, 1, 1, 1, 1, 1}},
		{"nothing", nil, Scores{}},
		{"only what is irrelevant", []string{"x", "y", "z"}, Scores{}},
		{"the second is relevant", []string{"x", "a"}, Scores{2 / math.Log2(3) / best, 1. / 3, 1. / 3, 0, 1, 0.5}},
		{"a document twice", []string{"a", "a", "b"}, Scores{(2 + 1/math.Log2(3)) / best, 2. / 3, 2. / 3, 1, 1, 1}},
		{"on rank eleven", append(append([]string{}, long[:10]...), "a"), Scores{0, 0, 1. / 3, 0, 0, 0}},
		{"on rank a hundred", append(append([]string{}, long...), "a", "b"), Scores{0, 0, 1. / 3, 0, 0, 0}},
	} {
		got := Score(c.list, grades)
		for i, v := range got.Values() {
			if want := c.want.Values()[i]; !near(v, want) {
				t.Errorf("%s: %s is %v, want %v", c.name, Measures[i], v, want)
			}
		}
	}
}

func TestMean(t *testing.T) {
	got := Mean([]Scores{{NDCG: 1, MRR: 0.5}, {NDCG: 0.5}})
	if !near(got.NDCG, 0.75) || !near(got.MRR, 0.25) || got.Hit1 != 0 {
		t.Errorf("the mean is %+v", got)
	}
}

// folder is a suite of two documents.
func folder() fstest.MapFS {
	return fstest.MapFS{
		"corpus.jsonl":  {Data: []byte("{\"_id\":\"a\",\"title\":\"A\",\"text\":\"x\"}\n\n{\"id\":\"b\"}\n")},
		"queries.jsonl": {Data: []byte(`{"id":"1","text":"one"}` + "\n" + `{"id":"2","text":"two"}` + "\n" + `{"id":"3","text":"three"}`)},
		"qrels.tsv":     {Data: []byte("query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n2\tb\t0\n")},
	}
}

func TestReadASuite(t *testing.T) {
	s, err := Read(folder(), "tiny", "")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Documents) != 2 || s.Documents[0].Title != "A" || len(s.Queries) != 1 || s.Queries[0].Grades["a"] != 2 || s.Unjudged != 2 {
		t.Errorf("the suite is %+v", s)
	}
	dir := folder()
	dir["qrels/dev.tsv"] = &fstest.MapFile{Data: []byte("2 0 b 3\n")} // as TREC has it
	if s, err = Read(dir, "tiny", "dev"); err != nil || len(s.Queries) != 1 || s.Queries[0].ID != "2" {
		t.Errorf("the split has %+v: %v", s, err)
	}
	delete(dir, "qrels.tsv")
	if s, err = Read(dir, "tiny", ""); err != nil || s.Queries[0].ID != "2" {
		t.Errorf("the only judgements give %+v: %v", s, err)
	}
}

func TestSuitesThatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"corpus.jsonl", "{", `suite tiny: corpus.jsonl:1: want an object {"_id", "title", "text"}: unexpected end`},
		{"corpus.jsonl", `{"text":"x"}`, `corpus.jsonl:1: the id is "": want one`},
		{"corpus.jsonl", `{"id":"a b"}`, `the id is "a b": want one without spaces`},
		{"corpus.jsonl", "{\"id\":\"a\"}\n{\"id\":\"a\"}", `corpus.jsonl:2: the id "a" stands on line 1 already`},
		{"corpus.jsonl", "", "0 documents and 1 queries"},
		{"queries.jsonl", "", "2 documents and 0 queries"},
		{"qrels.tsv", "1\ta\n", "qrels.tsv:1: 2 columns: want query, document and grade"},
		{"qrels.tsv", "h\th\th\n1\ta\tgood\n", `qrels.tsv:2: the grade is "good"`},
	} {
		dir := folder()
		dir[c.file] = &fstest.MapFile{Data: []byte(c.text)}
		if _, err := Read(dir, "tiny", ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q: the error is %v, want %s", c.file, c.text, err, c.want)
		}
	}
	dir := folder()
	delete(dir, "qrels.tsv")
	if _, err := Read(dir, "tiny", ""); err == nil || !strings.Contains(err.Error(), "neither qrels.tsv nor qrels/test.tsv") {
		t.Errorf("the error is %v", err)
	}
}

// FuzzRead: a suite is read or refused, and its queries have what to find.
func FuzzRead(f *testing.F) {
	d := folder()
	f.Add(d["corpus.jsonl"].Data, d["queries.jsonl"].Data, d["qrels.tsv"].Data)
	f.Fuzz(func(t *testing.T, corpus, queries, qrels []byte) {
		s, err := Read(fstest.MapFS{"corpus.jsonl": {Data: corpus}, "queries.jsonl": {Data: queries}, "qrels.tsv": {Data: qrels}}, "x", "")
		if err != nil {
			return
		}
		for _, q := range s.Queries {
			for _, v := range Score([]string{s.Documents[0].ID}, q.Grades).Values() {
				if !(v >= 0 && v <= 1) {
					t.Fatalf("query %q scores %v", q.ID, v)
				}
			}
		}
	})
}

// scripted finds documents by the word of the query: each has what two legs say.
type scripted map[string][]Found

func (s scripted) Search(_ context.Context, text string, w Weights, limit int) ([]Found, error) {
	if s[text] == nil {
		return nil, fmt.Errorf("nothing is known of %q", text)
	}
	return s[text][:min(limit, len(s[text]))], nil
}

func TestRunAndItsFile(t *testing.T) {
	s := &Suite{Queries: []Query{{"1", "one", map[string]int{"a": 1}}, {"2", "two", map[string]int{"b": 1}}}}
	from := scripted{"one": {{ID: "a", Score: 0.5}, {ID: "b", Score: 1. / 3}}, "two": {{ID: "a", Score: 1}}}
	steps := 0
	row, err := Run(t.Context(), s, from, Fused, Weights{"x": 1}, func() { steps++ })
	if err != nil || steps != 2 || !near(row.Mean.Hit1, 0.5) || row.P50 > row.P95 {
		t.Errorf("after %d steps the run is %+v: %v", steps, row, err)
	}
	var out bytes.Buffer
	want := "1 Q0 a 1 0.5 tag\n1 Q0 b 2 0.3333333333333333 tag\n2 Q0 a 1 1 tag\n"
	if err := WriteTREC(&out, row.Lists, "tag"); err != nil || out.String() != want {
		t.Errorf("the file is %q: %v", out.String(), err)
	}
	delete(from, "two")
	if _, err := Run(t.Context(), s, from, Fused, nil, func() {}); err == nil || err.Error() != `query 2: nothing is known of "two"` {
		t.Errorf("the error is %v", err)
	}
}

func TestThresholds(t *testing.T) {
	rows := []Row{{Run: "bm25", Mean: Scores{NDCG: 0.2}}, {Run: Fused, Mean: Scores{NDCG: 0.4, Hit10: 0.9}}}
	for text, want := range map[string]string{
		"nDCG=0.4":          "",
		"hit=0.9":           "",
		"ndcg@10=0.41":      "s: ndcg@10 of fused is 0.4000, less than 0.41",
		"bm25.nDCG@10=0.3":  "s: ndcg@10 of bm25 is 0.2000, less than 0.3",
		"lsi.recall@10=0.3": "s: there is no run lsi; there are bm25, fused",
	} {
		l, err := ParseThreshold(text)
		if got := l.Missed("s", rows); err != nil || got != want {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "ndcg", "ndcg=x", "ndcg=2", "ndcg=NaN", "best=0.1"} {
		if l, err := ParseThreshold(text); err == nil {
			t.Errorf("%q is read as %+v", text, l)
		}
	}
}

// pool returns queries whose relevant document a leg puts first.
func pool(name string, n int, leg func(i int) string) Pool {
	p := Pool{Suite: name}
	for i := range n {
		right := leg(i)
		p.Queries = append(p.Queries, PoolQuery{ID: fmt.Sprint(i), Grades: map[string]int{"right": 1}, Found: []Found{
			{ID: "right", Legs: Weights{right: 1, "words": 0.5}},
			{ID: "a-wrong-one", Legs: Weights{"words": 1}},
		}})
	}
	return p
}

func TestTuneFindsTheLegThatIsRight(t *testing.T) {
	legs := []string{"words", "sense"}
	p := pool("p", 10, func(int) string { return "sense" })
	w := Tune([]Pool{p}, legs)
	if w["sense"] <= w["words"]/2 || !near(w["sense"]+w["words"], 1) || !near(p.NDCG(w), 1) {
		t.Errorf("the weights are %v and reach %v", w, p.NDCG(w))
	}
	if even := Tune([]Pool{pool("none", 3, func(int) string { return "words" })}, legs); !near(even["words"], 0.5) {
		t.Errorf("where nothing can be told apart the weights are %v", even)
	}
}

func TestFitsAreShownOnWhatWasKeptOut(t *testing.T) {
	legs := []string{"words", "sense"}
	a, b := pool("a", 8, func(int) string { return "sense" }), pool("b", 4, func(int) string { return "sense" })
	fits := CrossFit([]Pool{a, b}, legs, Weights{"words": 1}, 1)
	if len(fits) != 2 || fits[0].On != "b" || fits[0].Shown != "a" || fits[0].Queries != 8 || fits[1].On != "a" {
		t.Fatalf("the fits are %+v", fits)
	}
	if f := fits[0]; !near(f.Tuned, 1) || f.BM25 >= 1 || f.Given != f.BM25 {
		t.Errorf("the fit is %+v", f)
	}
	one, other := a.Halves(1)
	seen := map[string]bool{}
	for _, q := range append(one.Queries, other.Queries...) {
		seen[q.ID] = true
	}
	if len(seen) != 8 || len(one.Queries)+len(other.Queries) != 8 {
		t.Errorf("the halves have %d and %d queries", len(one.Queries), len(other.Queries))
	}
}
