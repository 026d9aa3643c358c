package toolrank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// verdicts counts the three answers.
type verdicts struct{ hits, unsure, nothing, shown int }

func (v *verdicts) add(r Result) {
	switch {
	case r.Nothing:
		v.nothing++
	case r.Unsure:
		v.unsure++
	default:
		v.hits++
	}
	v.shown += len(r.Hits)
}

func (v verdicts) String() string {
	n := float64(max(v.hits+v.unsure+v.nothing, 1)) / 100
	return fmt.Sprintf("hits %.1f %% unsure %.1f %% nothing %.1f %% of %.0f", float64(v.hits)/n, float64(v.unsure)/n, float64(v.nothing)/n, n*100)
}

// sample is a query that a catalog can or cannot serve.
type sample struct {
	signs
	half       int
	confidence float64
	fits       bool
}

// someTools is how many tools a small catalog holds: few gateways have hundreds.
const someTools = 50

// answers prints which of the three answers queries get whose tool is there and
// queries all of whose tools are left out, among all tools and among few.
func (c *collection) answers(t *testing.T, w weights) []sample {
	ix, kin, random := buildIndex(c.docs, w), c.akin(), rand.New(rand.NewPCG(1, 2))
	var all []sample
	var there, found, gone, fewThere, fewGone verdicts
	ask := func(ix *Index, q labelled, half int, fits bool, v *verdicts) Result {
		r := ix.Search(q.Query, Options{Limit: 5})
		v.add(r)
		p := ix.parse(q.Query)
		if top := ix.bestDocs(p, Options{}); len(top) > 0 {
			all = append(all, sample{ix.computeSigns(p, top), half, r.Confidence, fits})
		}
		return r
	}
	rest := map[string]*Index{}
	for i, q := range c.queries {
		if r := ask(ix, q, i%2, true, &there); c.rate(q, docsOf(r)).recall5 > 0 {
			found.add(r)
		}
		if i%4 > 1 {
			continue
		}
		half := i % 2
		left := c.without(q, kin)
		key := strings.Join(q.Gold, " ")
		if rest[key] == nil {
			rest[key] = buildIndex(left, w)
		}
		ask(rest[key], q, half, false, &gone)
		var few []Doc
		for _, k := range random.Perm(len(left))[:min(len(left), someTools)] {
			few = append(few, left[k])
		}
		ask(buildIndex(few, w), q, half, false, &fewGone)
		ask(buildIndex(slices.Concat(few, c.wanted(q)), w), q, half, true, &fewThere)
	}
	t.Logf("%s: its tool there: %v; and shown: %v", c.name, there, found)
	t.Logf("%s: all that fit left out: %v, %.1f tools each", c.name, gone, float64(gone.shown)/float64(gone.hits+gone.unsure+gone.nothing))
	t.Logf("%s: of %d tools: there: %v; left out: %v", c.name, someTools, fewThere, fewGone)
	return all
}

// wanted are the tools that a query asks for.
func (c *collection) wanted(q labelled) (docs []Doc) {
	for i, id := range c.ids {
		if slices.Contains(q.Gold, id) {
			docs = append(docs, c.docs[i])
		}
	}
	return docs
}

// calibration prints, by fifths of the confidence, how many of the queries a
// tool fits, were there as many that none fits.
func calibration(t *testing.T, name string, list []sample) {
	n := [2]float64{}
	var fifth [5][2]float64
	for _, s := range list {
		k := 0
		if s.fits {
			k = 1
		}
		n[k]++
		fifth[min(int(s.confidence*5), 4)][k]++
	}
	for i, f := range fifth {
		yes, no := f[1]/n[1], f[0]/n[0]
		t.Logf("%s: confidence %.1f to %.1f: %.2f fit (%.0f queries)", name, float64(i)/5, float64(i+1)/5, yes/max(yes+no, 1e-9), f[0]+f[1])
	}
}

// fit finds the weights that tell best which queries a tool fits, by descent.
func fit(list []sample) sureness {
	var w sureness
	n := [2]float64{}
	for _, s := range list {
		if s.fits {
			n[1]++
		} else {
			n[0]++
		}
	}
	for range 3000 {
		var g sureness
		for _, s := range list {
			x := s.list()
			y, share := 0.0, 1/n[0]
			if s.fits {
				y, share = 1, 1/n[1]
			}
			z := 0.0
			for k := range w {
				z += w[k] * x[k]
			}
			for k := range w {
				g[k] += (y - 1/(1+math.Exp(-z))) * x[k] * share
			}
		}
		for k := range w {
			w[k] += g[k]
		}
	}
	return w
}

// order is how often a query that a tool fits is surer than one that none fits.
func order(list []sample, w sureness) float64 {
	ix := &Index{w: weights{Sure: w}}
	var is, not []float64
	for _, s := range list {
		if x := ix.confidence(s.signs); s.fits {
			is = append(is, x)
		} else {
			not = append(not, x)
		}
	}
	slices.Sort(not)
	won := 0.0
	for _, x := range is {
		i, _ := slices.BinarySearch(not, x)
		won += float64(i)
	}
	return won / float64(max(len(is)*len(not), 1))
}

// crossFit prints for each collection how well the weights that are fitted on
// the first half of another, and of all, tell its second half apart, beside the
// standard ones.
func crossFit(t *testing.T, names []string, lists [][]sample) {
	names, lists = append(names, "all"), append(lists, slices.Concat(lists...))
	for i := range lists {
		w := fit(ofHalf(lists[i], 0))
		for j := range lists {
			rest := ofHalf(lists[j], 1)
			t.Logf("fitted on %s %.1f, tried on %s: %.3f; standard: %.3f", names[i], w, names[j], order(rest, w), order(rest, standardWeights().Sure))
		}
	}
}

func ofHalf(list []sample, half int) (out []sample) {
	for _, s := range list {
		if s.half == half {
			out = append(out, s)
		}
	}
	return out
}
