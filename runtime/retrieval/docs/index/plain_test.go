package index

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// plain answers a query by the formulas of the README: each leg scores all passages, one
// posting after the other and by whole vectors, and all are sorted.
func (ix *Index) plain(t testing.TB, q Query) Answer {
	t.Helper()
	asked := ix.parseQuestion(q.Text, q.More)
	legs, err := ix.usedLegs(q)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range legs {
		l.scores = make([]float64, ix.Len())
		switch leg := l.Leg.(type) {
		case bm25:
			for _, term := range asked.terms {
				if term.id >= 0 {
					ix.terms.each(term.id, func(p posting) { l.scores[p.passage] += float64(leg.mostScore(term) * leg.share(p)) })
				}
			}
		case ngram:
			for _, g := range asked.grams {
				if g.id >= 0 {
					ix.grams.each(g.id, func(p posting) { l.scores[p.passage] += float64(leg.weight(g) * logCount(p.counts[Body])) })
				}
			}
			for p, s := range l.scores {
				if s > 0 {
					l.scores[p] = s / float64(ix.magnitude[p])
				}
			}
		case lsi:
			v, _ := leg.questionVector(asked)
			for p := range l.scores {
				l.scores[p] = ix.space.passages.dot(p, v)
			}
		default:
			if err := leg.Score(t.Context(), asked, q.Allow, l.scores); err != nil {
				t.Fatal(err)
			}
		}
		for p := range l.scores {
			if !q.Allow.Has(p) {
				l.scores[p] = 0
			}
		}
		l.best = max(0, slices.Max(l.scores))
	}
	var found []int
	for p := range ix.ids {
		if totalScore(legs, p) > 0 {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b int) int { return ix.comparePassages(a, b, totalScore(legs, a), totalScore(legs, b)) })
	if q.Limit == 0 {
		q.Limit = defaultLimit
	}
	found = found[:min(len(found), q.Limit)]
	a := Answer{Hits: make([]Hit, len(found)), Confidence: ix.confidence(asked, legs[0])}
	for i, p := range found {
		a.Hits[i] = ix.buildHit(legs, make([][][]Part, len(legs)), i, p)
	}
	return a
}

// drawn is a leg of numbers that are any.
type drawn []float64

func (drawn) Name() string { return "drawn" }
func (d drawn) Score(_ context.Context, _ *Question, _ *Set, scores []float64) error {
	copy(scores, d)
	return nil
}
func (drawn) Explain(context.Context, *Question, []int) ([][]Part, error) { return nil, nil }

// drawWords draws words, some of them much more often than others.
func drawWords(r *rand.Rand, vocabulary []string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(vocabulary[int(float64(len(vocabulary))*math.Pow(r.Float64(), 3))] + " ")
	}
	return b.String()
}

func drawVocabulary(r *rand.Rand, n int) (out []string) {
	pieces := []string{"con", "trans", "port", "ing", "tion", "s", "ed", "ment", "ra", "le", "ki", "o", "un", "pre", "view", "ly"}
	for range n {
		w := pieces[r.IntN(len(pieces))]
		for range 1 + r.IntN(3) {
			w += pieces[r.IntN(len(pieces))]
		}
		out = append(out, w)
	}
	return out
}

// TestSearchIsThePlainEvaluation draws indexes and queries: what short loops, rounded
// vectors and skipped passages give is bit for bit what the formulas give.
func TestSearchIsThePlainEvaluation(t *testing.T) {
	rounds := 12
	if os.Getenv("COMPACTOR_LONG") != "" {
		rounds = 400
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(round), 3))
		vocabulary := drawVocabulary(r, 20+r.IntN(300))
		set := Default()
		set.LSI.Dimensions = []int{0, 1, 7, 16, 61}[r.IntN(5)]
		set.Fields = FieldWeights{Title: float64(r.IntN(3)), Section: float64(r.IntN(2)), Body: float64(r.IntN(3))}
		var list []Passage
		for i := range 1 + r.IntN(1200) {
			if i > 0 && r.IntN(10) == 0 { // equal scores
				same := list[r.IntN(i)]
				same.ID = fmt.Sprint(i)
				list = append(list, same)
				continue
			}
			list = append(list, Passage{ID: fmt.Sprint(i), Title: drawWords(r, vocabulary, r.IntN(4)), Section: drawWords(r, vocabulary, r.IntN(3)),
				Body: strings.Repeat(drawWords(r, vocabulary, r.IntN(12)), 1+r.IntN(2)*r.IntN(40))})
		}
		ix := build(t, set, list...)
		for range 25 {
			q := Query{Text: drawWords(r, vocabulary, r.IntN(7)), Limit: []int{0, 1, 3, 100, 5000}[r.IntN(5)]}
			if r.IntN(3) == 0 {
				q.Weights = Weights{LegBM25: float64(r.IntN(2)), LegLSI: r.Float64(), LegNGram: float64(r.IntN(2))}
			}
			if r.IntN(3) == 0 {
				q.Allow = NewSet(ix.Len())
				for range 1 + r.IntN(ix.Len()) {
					q.Allow.Add(r.IntN(ix.Len()))
				}
			}
			if r.IntN(4) == 0 {
				q.More = []More{{Text: drawWords(r, vocabulary, 2), Weight: r.Float64()}}
			}
			if r.IntN(4) == 0 {
				leg, size := make(drawn, ix.Len()), []float64{1, 1e-300, 1e300, 5e-324}[r.IntN(4)]
				for p := range leg {
					leg[p] = size * (r.Float64() - 0.3)
				}
				q.Legs, q.Weights = []Leg{leg}, Weights{LegLSI: 1, LegBM25: 0.5, "drawn": r.Float64()}
			}
			got, want := search(t, ix, q), ix.plain(t, q)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: %q\nfinds %+v\nwant  %+v", round, q.Text, got, want)
			}
		}
	}
}

// TestCoarseProductsAreAsNearAsTheySay draws vectors and rows of bytes.
func TestCoarseProductsAreAsNearAsTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 3))
	for range 300 {
		dims := 1 + r.IntN(300)
		draw := func() []float64 {
			x := make([]float64, dims)
			for i := range x {
				x[i] = r.NormFloat64()
				if r.IntN(20) == 0 {
					x[i] *= 30
				}
			}
			return x
		}
		rows := newVectors(dims, 5)
		for p := range 4 { // the last is zero
			rows.set(p, draw())
		}
		s := &space{passages: rows}
		for p := range 5 {
			sum, length := rows.measure(p)
			s.sums = append(s.sums, sum)
			s.longest = max(s.longest, length)
		}
		v := draw()
		scaleToUnit(v)
		c := newCoarse(v)
		scores := make([]float64, 5)
		s.scoreNear(c, nil, scores)
		for p, got := range scores {
			if want := rows.dot(p, v); !(math.Abs(got-want) <= c.slack(s.longest)) {
				t.Fatalf("%d numbers: the product is %v, want %v within %v", dims, got, want, c.slack(s.longest))
			}
		}
	}
}
