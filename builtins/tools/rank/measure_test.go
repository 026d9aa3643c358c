package rank

import (
	"bytes"
	"encoding/json"
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

// measure prints the figures of the ranking and of plain BM25 side by side.
func (c *collection) measure(t *testing.T, w weights) {
	ix, peer := build(c.docs, w), newPeer(c.docs)
	var ours, theirs figures
	up, down := 0, 0
	var run bytes.Buffer
	for _, q := range c.queries {
		a := c.rate(q, docsOf(ix.Search(q.Query, Options{Limit: 10})))
		b := c.rate(q, peer.search(q.Query, 10))
		if a.recall5 > b.recall5 {
			up++
		} else if a.recall5 < b.recall5 {
			down++
		}
		ours.add(a)
		theirs.add(b)
		if os.Getenv("COMPACTOR_TOOLRET_RUNS") != "" {
			c.line(&run, q, docsOf(ix.Search(q.Query, Options{Limit: 100})))
		}
	}
	n := float64(len(c.queries))
	t.Logf("%-22s %4d tools %4d queries: R@5 %.4f R@10 %.4f nDCG@10 %.4f; plain BM25 %.3f %.3f %.3f; up %d down %d", c.name,
		len(c.docs), len(c.queries), ours.recall5/n, ours.recall10/n, ours.ndcg10/n,
		theirs.recall5/n, theirs.recall10/n, theirs.ndcg10/n, up, down)
	if dir := os.Getenv("COMPACTOR_TOOLRET_RUNS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, c.name), run.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
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
