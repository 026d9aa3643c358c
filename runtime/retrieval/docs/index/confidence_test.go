package index

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/lab/eval/ranking"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// asking is a query with what came of it.
type asking struct {
	signs []float64
	right bool // a relevant passage is among the first ten
	home  bool // it is a query of the suite, and not of another
}

// TestConfidenceOnSuites shows how often answers of a confidence are right: fitted on one
// suite, shown on the other. Half of the queries are those of the other suite, which
// nothing answers:
//
//	COMPACTOR_BENCH_SUITES=cranfield:pydocs go test ./runtime/retrieval/docs/index -run ConfidenceOnSuites -v
func TestConfidenceOnSuites(t *testing.T) {
	dirs := filepath.SplitList(os.Getenv("COMPACTOR_BENCH_SUITES"))
	if len(dirs) < 2 {
		t.Skip("COMPACTOR_BENCH_SUITES names no two folders of judged documents")
	}
	var suites []*ranking.Suite
	for _, dir := range dirs {
		s, err := ranking.Read(os.DirFS(dir), filepath.Base(dir), "")
		if err != nil {
			t.Fatal(err)
		}
		suites = append(suites, s)
	}
	var lists [][]asking
	for _, s := range suites {
		var list []Passage
		for _, d := range s.Documents {
			list = append(list, Passage{ID: d.ID, Title: d.Title, Body: d.Text})
		}
		ix := build(t, Default(), list...)
		var asked []asking
		for _, of := range suites {
			for _, q := range of.Queries {
				a := search(t, ix, Query{Text: q.Text, Limit: 10})
				x := asking{home: of == s, signs: signsOf(a)}
				for _, id := range ids(a) {
					x.right = x.right || x.home && q.Grades[id] > 0
				}
				asked = append(asked, x)
			}
		}
		lists = append(lists, asked)
	}
	for i, on := range lists {
		shown := lists[1-i]
		w := fit(on)
		least, sure := -w[0]/w[1], (math.Log(0.95/0.05)-w[0])/w[1]
		t.Logf("fitted on %s: half at %.3f, 0.95 at %.3f; shown on %s (area under the curve %.3f): %s", suites[i].Name, least, sure,
			suites[1-i].Name, auc(shown, w, func(x asking) bool { return x.home }), bands(shown, []float64{0, least, sure, 1.01}))
	}
	for i, l := range lists {
		t.Log(suites[i].Name, bands(l, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.01}))
	}
}

func signsOf(a Answer) []float64 {
	return []float64{1, a.Confidence}
}

func confidenceOf(x asking, w []float64) float64 { return retrieval.Logistic(w, x.signs) }

// fit is a logistic regression by gradient ascent, a little held back.
func fit(list []asking) []float64 {
	w := make([]float64, len(list[0].signs))
	for range 40_000 {
		g := make([]float64, len(w))
		for _, x := range list {
			y := 0.0
			if x.home {
				y = 1
			}
			e := y - retrieval.Logistic(w, x.signs)
			for k, s := range x.signs {
				g[k] += e * s
			}
		}
		for k := range w {
			w[k] += 2 * (g[k]/float64(len(list)) - 1e-4*w[k])
		}
	}
	return w
}

// bands says for bands of confidence how many queries are in each, how many of them are the
// suite's own, and how many have a relevant passage among the first ten.
func bands(list []asking, at []float64) string {
	out := ""
	for i := range at[1:] {
		n, right, home := 0.0, 0.0, 0.0
		for _, x := range list {
			if c := x.signs[1]; c >= at[i] && c < at[i+1] {
				n++
				if x.home {
					home++
				}
				if x.right {
					right++
				}
			}
		}
		out += fmt.Sprintf("\n  %.2f..%.2f: %3.0f queries, %.2f of the suite, %.2f answered", at[i], at[i+1], n, home/max(1, n), right/max(1, n))
	}
	return out
}

func auc(list []asking, w []float64, is func(asking) bool) float64 {
	wins, all := 0.0, 0.0
	for _, a := range list {
		for _, b := range list {
			if is(a) && !is(b) {
				all++
				switch x, y := confidenceOf(a, w), confidenceOf(b, w); {
				case x > y:
					wins++
				case x == y:
					wins += 0.5
				}
			}
		}
	}
	return wins / all
}
