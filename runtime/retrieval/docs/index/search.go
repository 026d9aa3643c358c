package index

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sourcegraph/conc"
)

// Query describes a search.
type Query struct {
	Text    string
	More    []More    // words that are searched for in addition
	Others  []Wording // other wordings of the same question
	Limit   int       // of hits; 0 for ten
	Weights Weights   // of the legs; nil for the weights in the settings
	Allow   *Set      // the passages that may be found and that legs score; nil for all
	Legs    []Leg     // in addition to the legs of the index
	Explain bool      // whether hits report which parts of the question gave them their score
}

// Wording is another way to ask a question. It is searched like the question.
type Wording struct {
	Text string
	Legs []Leg // in place of the query's
}

// shareOfQuestion is the weight of the question, where each other wording of it counts 1. The
// shares add up to 1, so that a score means the same with and without other wordings.
const shareOfQuestion = 2

// Hit is a passage that was found.
type Hit struct {
	Passage int        `json:"-"`
	ID      string     `json:"id"`
	Score   float64    `json:"score"` // the sum of the legs' scores
	Legs    []LegScore `json:"legs"`
}

// LegScore is the contribution of one leg to a hit.
type LegScore struct {
	Leg    string  `json:"leg"`
	Raw    float64 `json:"raw"`             // the score of the leg, in its own unit; below 0 it counts nothing
	Best   float64 `json:"best"`            // the leg's highest score of any passage
	Weight float64 `json:"weight"`          //
	Score  float64 `json:"score"`           // Weight × Raw / Best
	Parts  []Part  `json:"parts,omitempty"` // add up to Raw
	Asked  string  `json:"asked,omitempty"` // the wording that gave it; "" for the question's own
}

// Answer is the result of a search.
type Answer struct {
	Hits       []Hit   `json:"hits"`       // the best first; equal scores in the order of their ids
	Confidence float64 `json:"confidence"` // 0..1: the best score, as a share of the most that the words could count
}

// defaultLimit is the number of hits of a query without a limit.
const defaultLimit = 10

// Search returns the passages that fit a query best, possibly none. An unknown leg among the
// weights is an error.
func (ix *Index) Search(ctx context.Context, q Query) (Answer, error) {
	legs, err := ix.wordingLegs(q)
	if err != nil {
		return Answer{}, err
	}
	defer func() {
		for _, l := range legs {
			giveBack(l.scores)
		}
	}()
	if err := scoreLegs(ctx, legs, q.Allow, ix.Len()); err != nil {
		return Answer{}, err
	}
	limit := q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	limit = min(limit, ix.Len())
	found := ix.pickBest(legs, q.Allow, limit)
	answer := Answer{Hits: make([]Hit, len(found)), Confidence: ix.confidence(legs[0].asked, legs[0])}
	parts := make([][][]Part, len(legs))
	for i, l := range legs {
		if q.Explain && len(found) > 0 {
			if parts[i], err = l.Explain(ctx, l.asked, found); err != nil {
				return Answer{}, fmt.Errorf("leg %s: %w", l.Name(), err)
			}
		}
	}
	for i, p := range found {
		answer.Hits[i] = ix.buildHit(legs, parts, i, p)
	}
	return answer, nil
}

// scored is a leg with its scores.
type scored struct {
	Leg
	asked  *Question
	other  string // wording, "" for the question
	weight float64
	best   float64
	scores []float64
	slack  float64                   // maximum error of the scores
	exact  func(passage int) float64 // nil if all scores are exact
}

// wordingLegs returns the legs of the question, and after them the legs of its other wordings. All of
// them have the words that come with the question.
func (ix *Index) wordingLegs(q Query) ([]*scored, error) {
	all, err := ix.usedLegs(q)
	if err != nil {
		return nil, err
	}
	sum := float64(shareOfQuestion + len(q.Others))
	asked := ix.parseQuestion(q.Text, q.More)
	for _, l := range all {
		l.asked = asked
		if len(q.Others) > 0 {
			l.weight *= shareOfQuestion / sum
		}
	}
	for _, w := range q.Others {
		of := q
		of.Legs = w.Legs
		legs, err := ix.usedLegs(of)
		if err != nil {
			return nil, err
		}
		asked := ix.parseQuestion(w.Text, q.More)
		for _, l := range legs {
			if l.asked, l.other, l.weight = asked, w.Text, l.weight/sum; l.weight > 0 {
				all = append(all, l)
			}
		}
	}
	return all, nil
}

// usedLegs returns the legs that a query uses: BM25 first, which determines the confidence even if its
// weight is 0, then the others that have a weight.
func (ix *Index) usedLegs(q Query) ([]*scored, error) {
	weights := q.Weights
	if weights == nil {
		weights = ix.set.Weights
	}
	if err := weights.Check(); err != nil {
		return nil, err
	}
	all := append([]Leg{bm25{ix}, lsi{ix}, ngram{ix}}, q.Legs...)
	var names []string
	var used []*scored
	for i, l := range all {
		names = append(names, l.Name())
		if w := weights[l.Name()]; i == 0 || w > 0 && (i != 1 || ix.space != nil) {
			used = append(used, &scored{Leg: l, weight: w})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("index: there is no leg %q; there are %v", name, names)
		}
	}
	return used, nil
}

// scoreLegs runs the legs concurrently.
func scoreLegs(ctx context.Context, legs []*scored, allow *Set, passages int) error {
	var wait conc.WaitGroup // repeats a panic here, where it ends the call and not the process
	errs := make([]error, len(legs))
	for i, l := range legs {
		wait.Go(func() {
			l.scores = borrowScores(passages)
			if err := l.Score(ctx, l.asked, allow, l.scores); err != nil {
				errs[i] = fmt.Errorf("leg %s: %w", l.Name(), err)
				return
			}
			l.settle(allow)
		})
	}
	wait.Wait()
	return cmp.Or(cmp.Or(errs...), ctx.Err())
}

// settle removes the passages that are not allowed, which a leg may have scored anyway, and finds
// the best of the rest.
func (l *scored) settle(allow *Set) {
	if allow != nil {
		for p := range l.scores {
			if !allow.Has(p) {
				l.scores[p] = 0
			}
		}
	}
	for _, s := range l.scores {
		if s > l.best {
			l.best = s
		}
	}
	r, ok := l.Leg.(rescorer)
	if !ok {
		return
	}
	if l.exact, l.slack = r.exact(l.asked); l.exact == nil {
		return
	}
	near := l.best - 2*l.slack
	l.best = 0
	for p, s := range l.scores {
		if s >= near && allow.Has(p) {
			l.best = max(l.best, l.exact(p))
		}
	}
}

// buildHit returns the i-th hit, passage p, with its breakdown.
func (ix *Index) buildHit(legs []*scored, parts [][][]Part, i, p int) Hit {
	h := Hit{Passage: p, ID: ix.ids[p]}
	for k, l := range legs {
		if l.weight == 0 {
			continue
		}
		s := LegScore{Leg: l.Name(), Raw: l.scores[p], Best: l.best, Weight: l.weight, Score: l.legPart(p), Asked: l.other}
		if parts[k] != nil {
			s.Parts = parts[k][i]
		}
		h.Legs = append(h.Legs, s)
		h.Score += s.Score
	}
	return h
}

// legPart returns the contribution of a leg to the fused score of a passage.
func (l *scored) legPart(p int) float64 {
	if !(l.scores[p] > 0) {
		return 0
	}
	return l.weight * l.scores[p] / l.best
}

// totalScore returns the fused score of a passage.
func totalScore(legs []*scored, p int) float64 {
	sum := 0.0
	for _, l := range legs {
		sum += l.legPart(p)
	}
	return sum
}

// comparePassages orders passages by score, equal ones by their ids.
func (ix *Index) comparePassages(a, b int, scoreA, scoreB float64) int {
	return cmp.Or(cmp.Compare(scoreB, scoreA), cmp.Compare(ix.ids[a], ix.ids[b]))
}

// confidence returns the score of the best passage, as a share of the most that the question's
// words could count. Words that occur in no passage count in full: the more of a question is
// unknown, the less an answer can be trusted.
func (ix *Index) confidence(q *Question, words *scored) float64 {
	most := 0.0
	for _, t := range q.terms {
		most += bm25{ix}.mostScore(t)
	}
	if most == 0 || q.idle {
		return 0 // words such as "and" and "not" occur in every text, and say nothing about it
	}
	return words.best / most
}
