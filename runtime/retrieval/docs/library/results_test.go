package library_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
	passages "github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/rerank"
)

// text is all that an answer says.
func text(t testing.TB, a library.Answer, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// drawQuery draws a query of few words, so that many are asked twice.
func drawQuery(r *rand.Rand) library.Query {
	words := []string{"pool", "Retry", "the", "timeout?", "Of", "Document 3", "-buffer", `"ends here"`, "path:*1*.md", "section:Part", "journal"}
	q := library.Query{Limit: []int{1, 3, 8, 50, 60}[r.IntN(5)], Explain: r.IntN(5) == 0, Whole: r.IntN(8) == 0}
	for range r.IntN(3) {
		q.Text += words[r.IntN(len(words))] + " "
	}
	if r.IntN(5) == 0 {
		q.Weights = passages.Weights{passages.LegBM25: 1, passages.LegNGram: float64(r.IntN(2))}
	}
	if r.IntN(5) == 0 {
		q.Only.Path = []string{"*2*.md", "**"}[r.IntN(2)]
	}
	if r.IntN(5) == 0 {
		q.Only.Since = time.Date(2020+r.IntN(2)*20, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	if r.IntN(6) == 0 {
		q.More = []passages.More{{Text: words[r.IntN(2)], Weight: 0.5, From: "earlier"}}
	}
	if r.IntN(6) == 0 {
		q.Expand = passages.Expansion{Terms: 3, Weight: 0.2}
	}
	return q
}

// TestWhatIsKeptIsWhatASearchFinds draws searches and changes of the documents: an answer
// from what is kept is byte for byte that of a library which keeps nothing, of the
// version that is there now.
func TestWhatIsKeptIsWhatASearchFinds(t *testing.T) {
	rounds := 3
	if os.Getenv("COMPACTOR_LONG") != "" {
		rounds = 100
	}
	r := rand.New(rand.NewPCG(8, 8))
	dir := t.TempDir()
	for n := range 30 {
		write(t, dir, fmt.Sprintf("d%d.md", n), document(n))
	}
	s := shelf(t, filepath.Join(t.TempDir(), "guide.db"))
	for _, size := range []int64{1 << 20, 30_000} { // also where most makes room for others
		results := library.NewResults(size, time.Hour, time.Now)
		keeping, plain := library.Open(s), library.Open(s)
		for range rounds {
			write(t, dir, fmt.Sprintf("d%d.md", r.IntN(30)), document(r.IntN(1000)))
			indexed(t, s, dir)
			var drawn []library.Query
			for range 60 {
				q := drawQuery(r)
				if len(drawn) > 0 && r.IntN(2) == 0 {
					q = drawn[r.IntN(len(drawn))]
				}
				drawn = append(drawn, q)
				want, err := plain.Search(t.Context(), q)
				wanted := text(t, want, err)
				q.Results = results
				got, err := keeping.Search(t.Context(), q)
				if got := text(t, got, err); got != wanted {
					t.Fatalf("%+v\ngives %s\nwant  %s", q, got, wanted)
				}
				for i := range got.Found { // as a set of collections does
					got.Found[i].Score = -1
					for k := range got.Found[i].Legs {
						got.Found[i].Legs[k].Score = -1
					}
				}
			}
		}
		if hits, misses := results.Looks(); hits < 20 || misses < 60 {
			t.Errorf("%d of %d searches were known", hits, hits+misses)
		}
	}
}

func TestKeptSearches(t *testing.T) {
	dir := manual(t)
	s := shelf(t, filepath.Join(t.TempDir(), "guide.db"))
	indexed(t, s, dir)
	l := library.Open(s)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r := library.NewResults(1<<20, time.Hour, func() time.Time { return now })
	known := func(q library.Query) bool {
		t.Helper()
		before, _ := r.Looks()
		q.Results = r
		if _, err := l.Search(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		after, _ := r.Looks()
		return after > before
	}
	first := library.Query{Text: "where is soup served", Limit: 8}
	if known(first) || !known(first) {
		t.Error("the same question is searched for twice")
	}
	for _, same := range []library.Query{{Text: "Where is SOUP served?!", Limit: 8}, {Text: "the soup, served", Limit: 8}, {Text: first.Text, Limit: 6}, {Text: first.Text, Limit: 50}} {
		if !known(same) {
			t.Errorf("%+v is another search", same)
		}
	}
	for _, other := range []library.Query{{Text: "served soup", Limit: 8}, {Text: first.Text, Limit: 51}, {Text: first.Text, Limit: 8, Explain: true},
		{Text: first.Text, Limit: 8, Weights: passages.Weights{passages.LegBM25: 1}}, {Text: first.Text + " -noon", Limit: 8}, {Text: first.Text, Limit: 8, Only: library.Only{Kind: "md"}}} {
		if known(other) || !known(other) {
			t.Errorf("%+v is the same search, or is not kept", other)
		}
	}
	now = now.Add(time.Hour)
	if known(first) {
		t.Error("what is too old is given")
	}
	write(t, dir, "food.md", "# Food\n\nSoup is served at eleven.\n")
	indexed(t, s, dir)
	if known(first) {
		t.Error("a version before this one answers")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Search(ctx, library.Query{Text: "noon", Limit: 8, Results: r}); err == nil {
		t.Error("a search that was given up ends well")
	}
	if known(library.Query{Text: "noon", Limit: 8}) {
		t.Error("a search that was given up is kept")
	}
}

// verdicts is a model that says what it is told to.
type verdicts struct {
	broken bool
	asked  int
}

func (v *verdicts) Chat(_ context.Context, req model.Request, _ func(model.Delta)) (*model.Reply, error) {
	if v.asked++; v.broken {
		return nil, fmt.Errorf("out of memory")
	}
	var scores []string
	for n := range strings.Count(req.Messages[1].Content, "\n[") {
		scores = append(scores, fmt.Sprintf(`{"passage":%d,"score":%d}`, n+1, n%4))
	}
	return &model.Reply{Content: `{"scores":[` + strings.Join(scores, ",") + `]}`}, nil
}

// A search without a signal that was away, or without its judge, is not kept: the next one
// asks again. The marks of vectors and what the judge is told are parts of what is asked.
func TestADegradedSearchIsNotKept(t *testing.T) {
	dir, server := manual(t), newEmbedServer(t)
	s := shelf(t, filepath.Join(t.TempDir(), "guide.db"))
	tier := server.tier(t)
	indexWith(t, s, dir, tier)
	l := library.Open(s)
	r := library.NewResults(1<<20, time.Hour, time.Now)
	says := &verdicts{}
	judge := &rerank.Judge{From: says, Model: "m", Top: 3, Time: time.Minute, Weight: 1}
	ask := func(q library.Query, want bool, notes int) {
		t.Helper()
		before, _ := r.Looks()
		q.Limit, q.Results = 2, r
		a, err := l.Search(t.Context(), q)
		if err != nil || len(a.Notes) != notes {
			t.Fatal(err, a.Notes)
		}
		if after, _ := r.Looks(); (after > before) != want {
			t.Errorf("%q was known: %t", q.Text, after > before)
		}
		if notes > 0 {
			return
		}
		q.Results = nil
		plain, err := l.Search(t.Context(), q)
		if got := text(t, a, nil); got != text(t, plain, err) {
			t.Errorf("%q gives %s, want %s", q.Text, got, text(t, plain, err))
		}
	}
	away := library.Query{Text: "vehicle", Tiers: []library.Tier{tier}}
	server.broken.Store(true)
	ask(away, false, 1)
	away.Tiers[0] = server.tier(t) // the one before is not asked again for a while
	ask(away, false, 1)
	server.broken.Store(false)
	away.Tiers[0] = server.tier(t)
	ask(away, false, 0)
	ask(away, true, 0)
	ask(library.Query{Text: "Vehicle", Tiers: away.Tiers}, false, 0) // a model may read capitals
	judged := library.Query{Text: "soup noon physician automobile", Judge: judge}
	says.broken = true
	ask(judged, false, 1)
	ask(judged, false, 1)
	says.broken = false
	ask(judged, false, 0)
	asked := says.asked
	ask(judged, true, 0)
	judged.Judge = &rerank.Judge{From: says, Model: "m", Top: 3, Time: time.Minute, Weight: 2}
	ask(judged, false, 0)
	if asked == 0 {
		t.Error("the judge was never asked")
	}
	write(t, dir, "more.md", "# More\n\nA vehicle of the doctor.\n")
	indexWith(t, s, dir, away.Tiers...)
	ask(away, false, 0)
}
