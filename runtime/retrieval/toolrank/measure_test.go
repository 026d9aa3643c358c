package toolrank

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// figures are means over queries.
type figures struct{ recall5, recall10, ndcg10 float64 }

// halves are the names of the odd and the even queries: what is chosen is
// chosen on the odd ones.
var halves = [2]string{"developed on", "held out"}

// measure prints the figures of the ranking and of stemmed BM25 side by side,
// for each half of the queries and for all.
func (c *collection) measure(t *testing.T, w weights) {
	ix, peer := buildIndex(c.docs, w), newPeer(c.docs, true)
	var ours, theirs [2]figures
	var n [2]float64
	var run bytes.Buffer
	for i, q := range c.queries {
		half := i % 2
		n[half]++
		ours[half].add(c.rate(q, docsOf(ix.Search(q.Query, Options{Limit: 10}))))
		theirs[half].add(c.rate(q, peer.search(q.Query, 10)))
		if os.Getenv("COMPACTOR_TOOLRET_RUNS") != "" {
			c.line(&run, q, docsOf(ix.Search(q.Query, Options{Limit: 100})))
		}
	}
	for half, name := range halves {
		t.Logf("%s %s, %.0f queries: %v; stemmed BM25: %v", c.name, name, n[half], ours[half].over(n[half]), theirs[half].over(n[half]))
	}
	ours[0].add(ours[1])
	theirs[0].add(theirs[1])
	t.Logf("%s all, %d tools, %.0f queries: %v; stemmed BM25: %v", c.name, len(c.docs), n[0]+n[1], ours[0].over(n[0]+n[1]), theirs[0].over(n[0]+n[1]))
	if dir := os.Getenv("COMPACTOR_TOOLRET_RUNS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, c.name), run.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (f figures) over(n float64) figures {
	return figures{f.recall5 / n, f.recall10 / n, f.ndcg10 / n}
}

func (f figures) String() string {
	return fmt.Sprintf("R@5 %.4f R@10 %.4f nDCG@10 %.4f", f.recall5, f.recall10, f.ndcg10)
}

func docsOf(r Result) []int {
	var out []int
	for _, h := range r.Hits {
		out = append(out, h.Doc)
	}
	return out
}

func (f *figures) add(g figures) {
	f.recall5 += g.recall5
	f.recall10 += g.recall10
	f.ndcg10 += g.ndcg10
}

// rate is one query's figures. Another name of a wanted tool counts as it.
func (c *collection) rate(q labelled, docs []int) figures {
	var f figures
	ideal := 0.0
	var at []int
	for i, g := range q.Gold {
		names := append([]string{g}, q.Alts[g]...)
		p := slices.IndexFunc(docs, func(d int) bool { return slices.Contains(names, c.ids[d]) })
		if p >= 0 {
			at = append(at, p)
		}
		if i < 10 {
			ideal += 1 / math.Log2(float64(i)+2)
		}
	}
	n := float64(len(q.Gold))
	for _, p := range at {
		if p < 5 {
			f.recall5 += 1 / n
		}
		if p < 10 {
			f.recall10 += 1 / n
			f.ndcg10 += 1 / math.Log2(float64(p)+2) / ideal
		}
	}
	return f
}

func (c *collection) line(run *bytes.Buffer, q labelled, docs []int) {
	names := []string{}
	for _, d := range docs {
		names = append(names, c.ids[d])
	}
	data, _ := json.Marshal(map[string]any{"id": q.ID, "tools": names})
	run.Write(append(data, '\n'))
}
