package library_test

import (
	"bufio"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// questionsOf are those of the suites that COMPACTOR_BENCH_SUITES names, or else some
// that are made of the words of the tests' documents.
func questionsOf(t *testing.T, r *rand.Rand) (out []string) {
	for _, dir := range filepath.SplitList(os.Getenv("COMPACTOR_BENCH_SUITES")) {
		f, err := os.Open(filepath.Join(dir, "queries.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for in := bufio.NewScanner(f); in.Scan(); {
			var q struct{ Text string }
			if err := json.Unmarshal(in.Bytes(), &q); err != nil {
				t.Fatal(err)
			}
			out = append(out, q.Text)
		}
	}
	for len(out) < 400 {
		list := []string{"how", "does", "the"}
		for range 2 + r.IntN(3) {
			list = append(list, vocabulary[r.IntN(len(vocabulary))])
		}
		if q := strings.Join(list, " "); !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// popular draws numbers below n, the k-th as often as 1/k to the power of 0.85, which is
// about what logs of search engines have.
func popular(n int) func(*rand.Rand) int {
	sums := make([]float64, n)
	sum := 0.0
	for k := range sums {
		sum += math.Pow(float64(k+1), -0.85)
		sums[k] = sum
	}
	return func(r *rand.Rand) int {
		at, _ := slices.BinarySearch(sums, r.Float64()*sum)
		return min(at, n-1)
	}
}

// again is a question as somebody types it a second time.
func again(r *rand.Rand, q string) string {
	switch r.IntN(4) {
	case 0:
		return strings.ToUpper(q[:1]) + q[1:] + "?"
	case 1:
		return "what about " + q
	case 2:
		return strings.ToLower(strings.TrimRight(q, " .?"))
	}
	return q + " please explain" // other words: another question
}

// TestRepeatedQuestionsAreKnown plays sessions over some working days. A session has one to three
// subjects, popular ones more often. A subject is searched for; in half of the sessions
// its passages are then asked for by answer_with_citations, with a limit of its own, and
// in a fifth it is typed once more in other letters, with words of no meaning or with
// others. One in ten is narrowed by a filter, one in seven is followed by similar of the
// first passage and by a question that leans on the one before. The documents change
// twice a day. What an answer's second stage asks again is not counted.
func TestRepeatedQuestionsAreKnown(t *testing.T) {
	sessions, days := 240, 3
	r := rand.New(rand.NewPCG(11, 11))
	list := questionsOf(t, r)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	draw := popular(len(list))
	dir := t.TempDir()
	for n := range 20 {
		write(t, dir, "d"+string(rune('a'+n))+".md", document(n))
	}
	s := shelf(t, filepath.Join(t.TempDir(), "guide.db"))
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	results := library.NewResults(16<<20, 8*time.Hour, func() time.Time { return now })
	l := library.Open(s)
	ask := func(q library.Query) library.Answer {
		q.Results = results
		a, err := l.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for n := range sessions {
		if n%(sessions/days/2) == 0 {
			write(t, dir, "news.md", document(1000+n))
			indexed(t, s, dir)
		}
		for range 1 + r.IntN(3) {
			q := list[draw(r)]
			found := ask(library.Query{Text: q, Limit: 8}).Found
			now = now.Add(time.Duration(r.ExpFloat64() * float64(30*time.Second)))
			if r.IntN(2) == 0 {
				ask(library.Query{Text: q, Limit: 6})
			}
			if r.IntN(5) == 0 {
				ask(library.Query{Text: again(r, q), Limit: 8})
			}
			if r.IntN(10) == 0 {
				ask(library.Query{Text: q + " path:*.md", Limit: 8})
			}
			if r.IntN(7) == 0 && len(found) > 0 {
				ask(library.Query{Text: found[0].Text, Limit: 5, Whole: true})
				ask(library.Query{Text: "and for " + list[draw(r)], Limit: 8})
			}
		}
		now = now.Add(time.Duration(r.ExpFloat64() * float64(6*time.Minute)))
		if n%(sessions/days) == sessions/days-1 {
			now = now.Add(16 * time.Hour)
		}
	}
	hits, misses := results.Looks()
	rate := float64(hits) / float64(hits+misses)
	t.Logf("%d questions, %d searches: %.1f %% were known", len(list), hits+misses, 100*rate)
	if rate <= 0.4 {
		t.Errorf("%.1f %% were known", 100*rate)
	}
}
