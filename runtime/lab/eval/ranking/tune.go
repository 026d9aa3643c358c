package ranking

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
)

// Pool is what weights are fitted on: for each query the documents that any weights could
// bring to the front, with the score of each leg.
type Pool struct {
	Suite   string
	Queries []PoolQuery
}

// PoolQuery is a query of a pool.
type PoolQuery struct {
	ID     string
	Grades map[string]int
	Found  []Found
}

// poolDepth is how many documents a pool has for a query.
const poolDepth = 1000

// Collect asks the queries of a suite with all legs at the same weight.
func Collect(ctx context.Context, s *Suite, from Searcher, legs []string, step func()) (Pool, error) {
	p := Pool{Suite: s.Name}
	equal := Weights{}
	for _, l := range legs {
		equal[l] = 1
	}
	for _, q := range s.Queries {
		found, err := from.Search(ctx, q.Text, equal, poolDepth)
		if err != nil {
			return p, fmt.Errorf("query %s: %w", q.ID, err)
		}
		p.Queries = append(p.Queries, PoolQuery{q.ID, q.Grades, found})
		step()
	}
	return p, nil
}

// Halves splits the queries of a pool in two by their ids; another seed gives other halves.
func (p Pool) Halves(seed uint64) (a, b Pool) {
	a.Suite, b.Suite = p.Suite, p.Suite
	for _, q := range p.Queries {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", seed, q.ID)
		if h.Sum64()>>32%2 == 0 {
			a.Queries = append(a.Queries, q)
		} else {
			b.Queries = append(b.Queries, q)
		}
	}
	return a, b
}

// NDCG returns the mean nDCG@10 that weights reach over a pool.
func (p Pool) NDCG(weights Weights) float64 {
	names := slices.Sorted(maps.Keys(weights))
	sum := 0.0
	for _, q := range p.Queries {
		sum += q.ndcg(names, weights)
	}
	return sum / float64(max(1, len(p.Queries)))
}

func (q PoolQuery) ndcg(names []string, weights Weights) float64 {
	type scored struct {
		id    string
		score float64
	}
	list := make([]scored, 0, len(q.Found))
	for _, f := range q.Found {
		s := scored{id: f.ID}
		for _, n := range names {
			s.score += weights[n] * f.Legs[n]
		}
		if s.score > 0 {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	var ids []string
	for _, s := range list[:min(10, len(list))] {
		ids = append(ids, s.id)
	}
	return Score(ids, q.Grades).NDCG
}

// parts is how finely weights are tried: in tenths.
const parts = 10

// Tune returns the weights, which add up to 1, with the best mean over the pools. A choice is
// scored together with its neighbours a tenth away: a peak on a few queries that its
// neighbours do not share is chance. Of equal choices it returns the one nearest to even.
func Tune(pools []Pool, legs []string) Weights {
	grid := compositions(len(legs), parts)
	reached := map[string]float64{}
	for _, g := range grid {
		for _, p := range pools {
			reached[fmt.Sprint(g)] += p.NDCG(asWeights(legs, g)) / float64(len(pools))
		}
	}
	var best []int
	most, even := -1.0, 0.0
	for _, g := range grid {
		s, e := smoothedMean(g, reached), evenness(g)
		if s > most+1e-12 || s > most-1e-12 && e > even {
			best, most, even = g, s, e
		}
	}
	return asWeights(legs, best)
}

// smoothedMean returns the mean of what a choice and its neighbours reach.
func smoothedMean(g []int, reached map[string]float64) float64 {
	sum, n := reached[fmt.Sprint(g)], 1.0
	for i := range g {
		for j := range g {
			if i == j || g[i] == 0 {
				continue
			}
			beside := slices.Clone(g)
			beside[i]--
			beside[j]++
			sum += reached[fmt.Sprint(beside)]
			n++
		}
	}
	return sum / n
}

// evenness returns the entropy of a choice.
func evenness(g []int) float64 {
	sum := 0.0
	for _, x := range g {
		if x > 0 {
			sum -= float64(x) / parts * math.Log(float64(x)/parts)
		}
	}
	return sum
}

// compositions returns the ways to write total as a sum of n whole numbers.
func compositions(n, total int) [][]int {
	if n == 1 {
		return [][]int{{total}}
	}
	var all [][]int
	for first := 0; first <= total; first++ {
		for _, rest := range compositions(n-1, total-first) {
			all = append(all, append([]int{first}, rest...))
		}
	}
	return all
}

func asWeights(legs []string, g []int) Weights {
	w := Weights{}
	for i, l := range legs {
		w[l] = float64(g[i]) / parts
	}
	return w
}

// Fit is a choice of weights, fitted on some queries and shown on others.
type Fit struct {
	On      string  `json:"fitted_on"`
	Shown   string  `json:"shown_on"`
	Queries int     `json:"queries"` // that it is shown on
	Weights Weights `json:"weights"`
	Fitted  float64 `json:"ndcg_fitted"` // on the queries it was fitted on
	BM25    float64 `json:"ndcg_first"`  // of the first leg alone, on those it is shown on
	Given   float64 `json:"ndcg_given"`  // of the given weights, on the same
	Tuned   float64 `json:"ndcg_tuned"`
}

// CrossFit fits weights on all pools but one and shows them on that one, for each
// in turn. A single pool is split in two halves.
func CrossFit(pools []Pool, legs []string, given Weights, seed uint64) []Fit {
	names := make([]string, len(pools))
	for i, p := range pools {
		names[i] = p.Suite
	}
	if len(pools) == 1 {
		a, b := pools[0].Halves(seed)
		pools, names = []Pool{a, b}, []string{names[0] + ", one half", names[0] + ", the other"}
	}
	var fits []Fit
	for i, shown := range pools {
		others := append(slices.Clone(pools[:i]), pools[i+1:]...)
		on := append(slices.Clone(names[:i]), names[i+1:]...)
		f := Fit{On: strings.Join(on, ", "), Shown: names[i], Queries: len(shown.Queries), Weights: Tune(others, legs)}
		for _, p := range others {
			f.Fitted += p.NDCG(f.Weights) / float64(len(others))
		}
		f.BM25, f.Given, f.Tuned = shown.NDCG(Weights{legs[0]: 1}), shown.NDCG(given), shown.NDCG(f.Weights)
		fits = append(fits, f)
	}
	return fits
}
