package toolrank

import (
	"math"
	"sort"
)

// peer is plain BM25 over name and description: what most gateways do. With
// stems it finds the forms of a word too.
type peer struct {
	stems bool
	posts map[string]map[int]float64
	size  []float64
	mean  float64
}

func newPeer(docs []Doc, stems bool) *peer {
	p := &peer{stems: stems, posts: map[string]map[int]float64{}, size: make([]float64, len(docs))}
	for i, d := range docs {
		splitWords(d.Name+" "+d.Description, func(w word) {
			if w.Join || stopWords()[w.Text] {
				return
			}
			key := p.key(w)
			if p.posts[key] == nil {
				p.posts[key] = map[int]float64{}
			}
			p.posts[key][i]++
			p.size[i]++
			p.mean += 1 / float64(len(docs))
		})
	}
	return p
}

func (p *peer) key(w word) string {
	if p.stems {
		return w.stem
	}
	return w.Text
}

func (p *peer) search(text string, limit int) []int {
	const k, b = 1.2, 0.75
	score, told := map[int]float64{}, map[string]bool{}
	splitWords(text, func(w word) {
		if told[p.key(w)] {
			return
		}
		told[p.key(w)] = true
		posts := p.posts[p.key(w)]
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
