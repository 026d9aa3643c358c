package index

import "context"

// LegNGram is the name of the leg that compares sequences of characters.
const LegNGram = "ngram"

// ngram scores by the cosine of vectors of weighted character n-grams. The length of the question's
// vector is left out: it is the same for all passages.
type ngram struct{ *Index }

func (ngram) Name() string { return LegNGram }

func (l ngram) Score(_ context.Context, q *Question, _ *Set, scores []float64) error {
	for _, g := range q.grams {
		if g.id >= 0 {
			k := l.grams.keys[g.id]
			addGram(scores, l.grams.data[k.at:k.at+k.size], l.weight(g))
		}
	}
	for p, s := range scores {
		if s > 0 {
			scores[p] = s / float64(l.magnitude[p])
		}
	}
	return nil
}

// addGram adds the contributions of a sequence's postings, each w·logged(count). Its loop takes
// most of a search: it reads the two short forms of a posting in place.
func addGram(scores []float64, data []byte, w float64) {
	var counted [len(logs)]float64
	for n := range counted {
		counted[n] = w * logs[n]
	}
	passage := uint32(0)
	for i := 0; i < len(data); {
		b := data[i]
		if b&0x81 == 1 { // one byte: occurs once
			passage += uint32(b >> 1)
			scores[passage] += w
			i++
			continue
		}
		if b < 0x80 && i+1 < len(data) && data[i+1]&0x81 == 0 { // two bytes: occurs less than 64 times
			passage += uint32(b >> 1)
			scores[passage] += counted[data[i+1]>>1]
			i += 2
			continue
		}
		p, n := nextPosting(data[i:], passage)
		passage = p.passage
		scores[passage] += float64(w * logCount(p.counts[Body]))
		i += n
	}
}

func (l ngram) Explain(_ context.Context, q *Question, passages []int) ([][]Part, error) {
	return l.explainParts(&l.grams, q.grams, passages, func(i int, p posting) float64 {
		return l.weight(q.grams[i]) * logCount(p.counts[Body]) / float64(l.magnitude[p.passage])
	}), nil
}

// weight returns the weight of one occurrence of a sequence of the question.
func (l ngram) weight(g asked) float64 {
	idf := l.idf(&l.grams, g.id)
	return loggedAll(g.count) * idf * idf
}
