package toolrank

import (
	"math"
	"slices"
)

// If the strength of the best tool is below floor, nothing fits, unless the tool has the share sure
// of the query. Both were set so that few queries that a tool answers are turned away: see
// TestRetrieval, which prints how many.
const (
	floor = 0.17
	sure  = 0.45
)

// Maximum lengths of the lists in an answer without hits.
const (
	maxMissed = 8
	maxNear   = 3
)

// strength returns how well a score answers a query, comparable between queries: the geometric mean
// of the share of the query that is held and of how much is held, in words that only one tool has.
func (ix *Index) strength(q *query, score float64) float64 {
	if q.full <= 0 || ix.maxIDF <= 0 {
		return 0
	}
	return score / math.Sqrt(q.full*ix.maxIDF)
}

// isWeak reports whether even the best tool does not fit.
func (ix *Index) isWeak(q *query, best candidate) bool {
	return ix.strength(q, best.score) < floor && best.score < sure*q.full
}

// nothingFits returns the answer if no tool fits. near are the nearest documents, best first.
func (ix *Index) nothingFits(q *query, near []candidate) Result {
	r := Result{Nothing: true}
	best := near[:min(len(near), aboutDepth)]
	r.Missed = ix.unsaidWords(q, best, (*asked).isTelling, maxMissed)
	if len(r.Missed) == 0 {
		r.Missed = ix.unsaidWords(q, best, (*asked).isContentWord, maxMissed)
	}
	for _, c := range near {
		if s := ix.docs[c.doc].Server; s != "" && len(r.Near) < maxNear && !slices.Contains(r.Near, s) {
			r.Near = append(r.Near, s)
		}
	}
	return r
}
