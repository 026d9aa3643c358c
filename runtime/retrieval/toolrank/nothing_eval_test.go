package toolrank

import (
	"math"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// without is the collection for a query of which truly nothing fits: the wanted
// tools are left out, and so is each that is akin to one of them.
func (c *collection) without(q labelled, kin [][]bool) []Doc {
	gone := make([]bool, len(c.docs))
	for _, g := range q.Gold {
		for i, id := range c.ids {
			if id == g || slices.Contains(q.Alts[g], id) {
				for j, akin := range kin[i] {
					gone[j] = gone[j] || akin
				}
			}
		}
	}
	var docs []Doc
	for i, d := range c.docs {
		if !gone[i] {
			docs = append(docs, d)
		}
	}
	return docs
}

// akin says for each two tools whether one may do what the other does: their
// names share a word that few tools have and that is no verb, or their
// descriptions are alike.
func (c *collection) akin() [][]bool {
	n := len(c.docs)
	names, texts := make([]map[string]bool, n), make([]map[string]bool, n)
	held := map[string]int{}
	for i, d := range c.docs {
		names[i], texts[i] = stems(d.Name), stems(d.Name+" "+d.Description)
		for _, g := range topicsOf(d.Name) {
			names[i][g] = true
		}
		for s := range texts[i] {
			held[s]++
		}
	}
	out := make([][]bool, n)
	for i := range out {
		out[i] = make([]bool, n)
		for j := range out[i] {
			out[i][j] = i == j || shares(names[i], names[j]) || cosine(texts[i], texts[j], held, n) > 0.2
		}
	}
	return out
}

func stems(text string) map[string]bool {
	m := map[string]bool{}
	splitWords(text, func(w word) {
		if !stopWords()[w.Text] && !frameWords()[w.Text] && actOf()[w.stem] == 0 && !w.Join && !words.Digits(w.Text) && len(w.Text) > 1 {
			m[w.stem] = true
		}
	})
	return m
}

func topicsOf(text string) (out []string) {
	for s := range stems(text) {
		for _, g := range thesaurus().of[s] {
			if thesaurus().groups[g].topic {
				out = append(out, "#"+string(rune('A'+g)))
			}
		}
	}
	return out
}

func shares(a, b map[string]bool) bool {
	for s := range a {
		if b[s] {
			return true
		}
	}
	return false
}

func cosine(a, b map[string]bool, held map[string]int, n int) float64 {
	both, left, right := 0.0, 0.0, 0.0
	idf := func(s string) float64 { x := math.Log(float64(n) / float64(held[s])); return x * x }
	for s := range a {
		left += idf(s)
		if b[s] {
			both += idf(s)
		}
	}
	for s := range b {
		right += idf(s)
	}
	return both / math.Sqrt(max(left*right, 1e-9))
}
