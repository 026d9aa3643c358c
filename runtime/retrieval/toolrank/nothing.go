package toolrank

import (
	"math"
	"slices"
)

// Below floor the strength of the best tool says that nothing fits, unless it
// has the share sure of what is asked for. Both were set so that few queries that
// a tool answers are turned away: see TestRetrieval, which prints how many.
const (
	floor = 0.17
	sure  = 0.45
)

// The lengths of the lists in an answer without hits.
const (
	maxMissed = 8
	maxNear   = 3
)

// strength says how well a score answers a query, comparable between queries:
// the mean of the share of the query that is held and of how much is held, in
// words that one tool alone has.
func (ix *Index) strength(q *query, score float64) float64 {
	if q.full <= 0 || ix.maxIDF <= 0 {
		return 0
	}
	return score / math.Sqrt(q.full*ix.maxIDF)
}

// weak reports that even the best tool does not fit.
func (ix *Index) weak(q *query, best candidate) bool {
	return ix.strength(q, best.score) < floor && best.score < sure*q.full
}

// nothing is the answer when no tool fits. near are the documents that came
// nearest, best first.
func (ix *Index) nothing(q *query, near []candidate) Result {
	r := Result{Nothing: true}
	best := near[:min(len(near), aboutDepth)]
	r.Missed = ix.unsaid(q, best, (*asked).telling, maxMissed)
	if len(r.Missed) == 0 {
		r.Missed = ix.unsaid(q, best, (*asked).asks, maxMissed)
	}
	for _, c := range near {
		if s := ix.docs[c.doc].Server; s != "" && len(r.Near) < maxNear && !slices.Contains(r.Near, s) {
			r.Near = append(r.Near, s)
		}
	}
	return r
}
