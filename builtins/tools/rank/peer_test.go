package rank

import (
	"math"
	"sort"
)

// peer is plain BM25 over name and description: what most gateways do.
type peer struct {
	posts map[string]map[int]float64
	size  []float64
	mean  float64
}

func newPeer(docs []Doc) *peer {
	p := &peer{posts: map[string]map[int]float64{}, size: make([]float64, len(docs))}
	for i, d := range docs {
		split(d.Name+" "+d.Description, func(w word) {
			if w.join || stopWords[w.text] {
				return
			}
			if p.posts[w.text] == nil {
				p.posts[w.text] = map[int]float64{}
			}
			p.posts[w.text][i]++
			p.size[i]++
			p.mean += 1 / float64(len(docs))
		})
	}
	return p
}

func (p *peer) search(text string, limit int) []int {
	const k, b = 1.2, 0.75
	score, told := map[int]float64{}, map[string]bool{}
	split(text, func(w word) {
		if told[w.text] {
			return
		}
		told[w.text] = true
		posts := p.posts[w.text]
		idf := math.Log(1 + (float64(len(p.size))-float64(len(posts))+0.5)/(float64(len(posts))+0.5))
		for d, n := range posts {
			score[d] += idf * n * (k + 1) / (n + k*(1-b+b*p.size[d]/p.mean))
		}
	})
	var list []int
	for d := range score {
		list = append(list, d)
	}
	sort.Slice(list, func(i, j int) bool {
		if x, y := score[list[i]], score[list[j]]; x != y {
			return x > y
		}
		return list[i] < list[j]
	})
	return list[:min(limit, len(list))]
}
