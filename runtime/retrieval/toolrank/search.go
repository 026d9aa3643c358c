package toolrank

import (
	"cmp"
	"slices"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// defaultLimit is the number of hits if the caller sets no limit, and pool the number of documents
// that are examined closely.
const (
	defaultLimit = 10
	pool         = 40
)

// scratch is the working memory of one search.
type scratch struct {
	tally []tally
	seen  []int32
	held  []int32 // of a word
	list  []candidate
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) reset(n int) {
	if cap(s.tally) < n {
		s.tally = make([]tally, n)
	}
	s.tally, s.seen, s.held = s.tally[:n], s.seen[:0], s.held[:0]
	clear(s.tally)
}

// Search finds the tools that fit a query, best first. The same query gives the same order. It
// accepts any bytes, and reads no more than 16 KiB of them.
func (ix *Index) Search(text string, o Options) Result {
	q := ix.parse(text)
	if len(q.units) == 0 {
		return ix.nothingFits(q, nil)
	}
	top := ix.bestDocs(q, o)
	if len(top) == 0 {
		return ix.nothingFits(q, nil)
	}
	confidence := ix.confidence(ix.computeSigns(q, top)) // before spreadHits, which moves the first
	if believed.Of(confidence) == retrieval.Low && (ix.isWeak(q, top[0]) || ix.offTopic(q, top)) {
		return ix.nothingFits(q, top)
	}
	parts := ix.searchParts(text, o)
	top = ix.joinParts(q, top, parts)
	limit := o.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	limit = min(limit, len(top))
	r := Result{Confidence: confidence}
	ix.spreadHits(q, top, parts, limit)
	r.Hits = make([]Hit, 0, limit)
	shown := top[:0:0]
	last := 1.0
	on, lacks := ix.matterHeld(q, top[0].doc)
	for _, c := range top[:limit] {
		if on >= matters && !lacks && ix.lacksMatter(q, c.doc) {
			continue
		}
		x := ix.strength(q, c.score)
		last = min(last, x/(x+0.5))
		shown = append(shown, c)
		r.Hits = append(r.Hits, Hit{Doc: int(c.doc), Score: last, Why: ix.explainHit(q, c.doc)})
	}
	if level := believed.Of(confidence); level != retrieval.High {
		r.Missed = ix.unsaidWords(q, shown, (*asked).isTelling, maxDoubts)
		if len(r.Missed) == 0 { // every word is in some hit
			r.Missed, r.Apart = ix.unsaidWords(q, shown[:1], (*asked).isTelling, maxDoubts), true
		}
		if len(r.Missed) == 0 && level == retrieval.Low { // only values are left
			r.Missed, r.Apart = ix.unsaidWords(q, shown, (*asked).isContentWord, maxDoubts), false
		}
		r.Unsure = len(r.Missed) > 0
	}
	return r
}

// candidate is a document and its score.
type candidate struct {
	doc   int32
	score float64
}

// bestDocs returns the documents with the highest scores, in order.
func (ix *Index) bestDocs(q *query, o Options) []candidate {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.reset(len(ix.docs))
	ix.gatherScores(q, s)
	list := s.list[:0]
	for _, d := range s.seen {
		if o.Keep != nil && !o.Keep(int(d)) {
			continue
		}
		x := s.tally[d].score
		x *= (1 + ix.w.Cover*ix.nameCoverage(q, d)) * ix.valueFactor(q, d) * ix.actFactor(q, d)
		if ix.isOnNamedServer(q, d) {
			x *= 1 + ix.w.Where
		}
		if o.Uses != nil {
			n := float64(max(o.Uses(int(d)), 0))
			x *= 1 + ix.w.Uses*n/(n+5)
		}
		list = append(list, candidate{d, x})
	}
	s.list = list
	slices.SortFunc(list, candidate.compare)
	return slices.Clone(list[:min(len(list), max(pool, o.Limit))])
}

// compare orders by descending score, and equal scores by document.
func (c candidate) compare(d candidate) int {
	return cmp.Or(cmp.Compare(d.score, c.score), cmp.Compare(c.doc, d.doc))
}
