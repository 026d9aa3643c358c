package index

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// LegBM25 is the name of the leg that scores words.
const LegBM25 = "bm25"

// bm25 is Robertson and Zaragoza's BM25 over weighted fields.
type bm25 struct{ *Index }

func (bm25) Name() string { return LegBM25 }

func (l bm25) Score(_ context.Context, q *Question, _ *Set, scores []float64) error {
	for _, t := range q.terms {
		if t.id >= 0 {
			k := l.terms.keys[t.id]
			l.addPostings(scores, l.terms.data[k.at:k.at+k.size], l.mostScore(t))
		}
	}
	return nil
}

// addPostings adds the contributions of a term's postings to scores. The posting of a word that occurs once
// in the body is one byte, and read in place.
func (l bm25) addPostings(scores []float64, data []byte, most float64) {
	once := l.set.Fields.weigh(counts{Body: 1})
	p := posting{}
	for i := 0; i < len(data); {
		if b := data[i]; b&0x81 == 1 && once > 0 {
			p.passage += uint32(b >> 1)
			scores[p.passage] += float64(most * retrieval.Share(once, float64(l.saturation[p.passage])))
			i++
			continue
		}
		var n int
		p, n = nextPosting(data[i:], p.passage)
		scores[p.passage] += float64(most * l.share(p))
		i += n
	}
}

func (l bm25) Explain(_ context.Context, q *Question, passages []int) ([][]Part, error) {
	return l.explainParts(&l.terms, q.terms, passages, func(i int, p posting) float64 {
		return l.mostScore(q.terms[i]) * l.share(p)
	}), nil
}

// share returns the part of a term's largest possible contribution that a passage gets.
func (l bm25) share(p posting) float64 {
	tf := l.set.Fields.weigh(p.counts)
	if tf == 0 {
		return 0
	}
	return retrieval.Share(tf, float64(l.saturation[p.passage]))
}

// mostScore returns the largest possible contribution of a question's term to a passage.
func (l bm25) mostScore(t asked) float64 {
	return t.count * l.idf(&l.terms, t.id) * (l.set.K1 + 1)
}

// explainParts collects the parts of the passages' scores, in the order of the question.
func (ix *Index) explainParts(t *table, keys []asked, passages []int, gain func(asked int, p posting) float64) [][]Part {
	at := make(map[uint32]int, len(passages))
	among := NewSet(ix.Len())
	for i, p := range passages {
		at[uint32(p)] = i
		among.Add(p)
	}
	parts := make([][]Part, len(passages))
	for k, key := range keys {
		if key.id < 0 {
			continue
		}
		for c := t.cursor(key.id); c.next(); {
			if among.Has(int(c.passage)) {
				i := at[c.passage]
				parts[i] = append(parts[i], Part{Key: key.name, Score: gain(k, c.posting), From: key.from})
			}
		}
	}
	return parts
}
