package coderank

import "github.com/compactor-mcp/compactor/runtime/retrieval"

// Confidence rests on two figures of the answer:
//
//   - strength: the score of the best file without its bucket's factor, per unit of weight in
//     the question. A file that holds only a few scattered words has little of it, however far
//     it leads the others.
//   - crowd: the score of the fifth file divided by the score of the first.
//
// Both were fitted by logistic regression on 668 questions from the history of 24 repositories,
// each asked of its own tree and of another project's. The levels with the default weights, in this
// order: share of the questions, first file right, one of the first five right, share of the
// questions asked of a tree that has no answer:
//
//	high  53 %  78 %  95 %   2 %
//	med   36 %  47 %  81 %  24 %
//	low   10 %  21 %  51 %  73 %
const (
	crowding = 3.45 // strength deducted for a crowd of 1
	// wellCovered is the share of the question, by weight, that one definition must hold for the
	// answer not to be weak. It matters in small trees only, where the words of an answer hardly
	// occur twice.
	wellCovered = 0.6
)

// setConfidence sets the confidence of the answer.
func (r *Ranker) setConfidence(res *Result) {
	res.Confidence = retrieval.Low
	if len(res.Hits) == 0 {
		res.NotFound = "no file holds a word of the question"
		return
	}
	d := r.docs[0]
	asked := r.plan.query.Intent.Definition || r.plan.query.Intent.Bare
	strength := r.strength(d)
	switch {
	case asked && len(d.exactDefs) > 0 && d.bucket.isSource() || d.mentioned >= voteModule:
		res.Confidence = retrieval.High
	case asked && len(d.exactDefs) > 0: // in a test, a document or other people's code
		res.Confidence = retrieval.Medium
	case asked && len(r.plan.query.Idents) > 0 || strength < r.w.WeakBelow && r.bestCoverage(d) < wellCovered:
	case strength-crowding*r.crowdRatio() > r.w.SureAbove:
		res.Confidence = retrieval.High
	default:
		res.Confidence = retrieval.Medium
	}
}

// strength returns the file score of d per unit of the question's weight.
func (r *Ranker) strength(d *document) float64 {
	return d.file / r.bucketFactor(d.bucket) / r.queryWeight()
}

// queryWeight returns the total weight of the question's own terms, never 0. Terms that say nothing if
// the tree does not hold them are then left out: fillers such as "defined", and words of languages
// other than English.
func (r *Ranker) queryWeight() float64 {
	total := 0.0
	for i, t := range r.plan.query.Terms {
		if t.Of < 0 && (!t.Weak && !t.Foreign || r.occurs[i]) {
			total += r.unitWeights[i]
		}
	}
	return max(total, 1e-9)
}

// bestCoverage returns the largest share of the question, by weight, that a single definition of d holds.
func (r *Ranker) bestCoverage(d *document) float64 {
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
	return best / r.queryWeight()
}

// crowdRatio returns the score of the fifth file divided by the score of the first, or 0 if there are
// fewer files.
func (r *Ranker) crowdRatio() float64 {
	const fifth = 4
	if len(r.docs) <= fifth || r.docs[0].score <= 0 {
		return 0
	}
	return max(0, r.docs[fifth].score/r.docs[0].score)
}
