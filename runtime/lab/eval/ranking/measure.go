package ranking

import (
	"math"
	"slices"
)

// Scores are the measures of one list, or their means over lists; each is 0..1.
type Scores struct {
	NDCG      float64 `json:"ndcg@10"`
	Recall10  float64 `json:"recall@10"`
	Recall100 float64 `json:"recall@100"`
	Hit1      float64 `json:"hit@1"`
	Hit10     float64 `json:"hit@10"`
	MRR       float64 `json:"mrr@10"`
}

// Measures are the names of the measures, in the order in which they are shown.
var Measures = []string{"ndcg@10", "recall@10", "recall@100", "hit@1", "hit@10", "mrr@10"}

// fieldPointers returns pointers to the measures, in the order of Measures.
func (s *Scores) fieldPointers() []*float64 {
	return []*float64{&s.NDCG, &s.Recall10, &s.Recall100, &s.Hit1, &s.Hit10, &s.MRR}
}

// Values returns the measures in the order of Measures.
func (s Scores) Values() []float64 {
	var values []float64
	for _, v := range s.fieldPointers() {
		values = append(values, *v)
	}
	return values
}

// Score measures a list of documents, best first, against grades, at least one of which is
// above 0. A document that is in the list twice counts at its first place.
func Score(list []string, grades map[string]int) Scores {
	var s Scores
	seen := map[string]bool{}
	rank, gain := 0, 0.0
	found10, found100 := 0, 0
	for _, d := range list {
		if seen[d] {
			continue
		}
		seen[d] = true
		if rank++; rank > 100 {
			break
		}
		grade := grades[d]
		if grade <= 0 {
			continue
		}
		found100++
		if rank > 10 {
			continue
		}
		found10++
		gain += discountedGain(grade, rank)
		s.Hit10 = 1
		s.MRR = max(s.MRR, 1/float64(rank))
		if rank == 1 {
			s.Hit1 = 1
		}
	}
	all := float64(countRelevant(grades))
	s.NDCG = gain / idealGain(grades)
	s.Recall10, s.Recall100 = float64(found10)/all, float64(found100)/all
	return s
}

// discountedGain returns the gain of a document with a grade at a rank.
func discountedGain(grade, rank int) float64 { return float64(grade) / math.Log2(float64(rank)+1) }

// idealGain returns the gain of the best possible list of ten.
func idealGain(grades map[string]int) float64 {
	var best []int
	for _, g := range grades {
		if g > 0 {
			best = append(best, g)
		}
	}
	slices.Sort(best)
	slices.Reverse(best)
	sum := 0.0
	for i, g := range best[:min(10, len(best))] {
		sum += discountedGain(g, i+1)
	}
	return sum
}

// Mean returns the means of the measures.
func Mean(list []Scores) Scores {
	var mean Scores
	to := mean.fieldPointers()
	for _, s := range list {
		for i, v := range s.Values() {
			*to[i] += v / float64(len(list))
		}
	}
	return mean
}
