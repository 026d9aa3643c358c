package coderank

import "github.com/compactor-mcp/compactor/runtime/retrieval"

// Confidence rests on two figures of the answer:
//
//   - strength: the score of the best file, its bucket's factor taken off, for
//     each unit of weight in the question. A file that holds no more than a few
//     scattered words has little of it, however well it leads the others.
//   - crowd: the score of the fifth file over that of the first.
//
// Both were fitted by logistic regression on 668 questions from the history of
// 24 repositories, each asked of its own tree and of another project's. Levels
// with the default weights, in this order: share of the questions, first file
// right, one of the first five right, share of the questions to a tree that has
// no answer:
//
//	high  53 %  78 %  95 %   2 %
//	med   36 %  47 %  81 %  24 %
//	low   10 %  21 %  51 %  73 %
const (
	crowding = 3.45 // strength that a crowd of 1 is worth
	// wellCovered is the share of the question, by weight, that one definition
	// must hold to be no weak answer. It matters in small trees only, where the
	// words of an answer hardly occur twice.
	wellCovered = 0.6
)

// judge sets the confidence of the answer.
func (r *Ranker) judge(res *Result) {
	res.Confidence = retrieval.Low
	if len(res.Hits) == 0 {
		res.NotFound = "no file holds a word of the question"
		return
	}
	d := r.docs[0]
	asked := r.plan.query.Intent.Definition || r.plan.query.Intent.Bare
	strength := r.strength(d)
	switch {
	case asked && len(d.exactDefs) > 0 && d.bucket.source() || d.mentioned >= voteModule:
		res.Confidence = retrieval.High
	case asked && len(d.exactDefs) > 0: // in a test, a document or other people's code
		res.Confidence = retrieval.Medium
	case asked && len(r.plan.query.Idents) > 0 || strength < r.w.WeakBelow && r.covered(d) < wellCovered:
	case strength-crowding*r.crowd() > r.w.SureAbove:
		res.Confidence = retrieval.High
	default:
		res.Confidence = retrieval.Medium
	}
}

// strength is the file score of d for each unit of the question's weight.
func (r *Ranker) strength(d *document) float64 {
	return d.file / r.factor(d.bucket) / r.weight()
}

// weight is that of the question's own terms, without those that say nothing
// where the tree does not have them: fillers such as "defined", and the words of
// another language than English; never 0.
func (r *Ranker) weight() float64 {
	total := 0.0
	for i, t := range r.plan.query.Terms {
		if t.Of < 0 && (!t.Weak && !t.Foreign || r.occurs[i]) {
			total += r.unitWeights[i]
		}
	}
	return max(total, 1e-9)
}

// covered is the largest share of the question, by weight, that one definition of d holds.
func (r *Ranker) covered(d *document) float64 {
	best := 0.0
	for i := range d.segs {
		held := 0.0
		for _, t := range d.segs[i].counts {
			if int(t.unit) < r.plan.ident0 && r.plan.query.Terms[t.unit].Of < 0 {
				held += r.unitWeights[t.unit]
			}
		}
		best = max(best, held)
	}
	return best / r.weight()
}

// crowd is the score of the fifth file over that of the first; 0 where there
// are fewer.
func (r *Ranker) crowd() float64 {
	const fifth = 4
	if len(r.docs) <= fifth || r.docs[0].score <= 0 {
		return 0
	}
	return max(0, r.docs[fifth].score/r.docs[0].score)
}
