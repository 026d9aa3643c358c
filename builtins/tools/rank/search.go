package rank

import (
	"slices"
	"sort"
	"sync"
)

// defaultLimit is how many hits are given when none is asked for, and pool how
// many documents are looked at closely.
const (
	defaultLimit = 10
	pool         = 60
)

// scratch is the memory of one search.
type scratch struct {
	score, name []float64
	seen        []int32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) reset(n int) {
	if cap(s.score) < n {
		s.score, s.name = make([]float64, n), make([]float64, n)
	}
	s.score, s.name, s.seen = s.score[:n], s.name[:n], s.seen[:0]
	clear(s.score)
	clear(s.name)
}

// Search finds the tools that fit a query, best first. The same query gives the
// same order. It reads any bytes and no more than 16 KiB of them.
func (ix *Index) Search(text string, o Options) Result {
	q := ix.parse(text)
	if len(q.units) == 0 {
		return ix.nothing(q, nil)
	}
	top := ix.best(q, o)
	if len(top) == 0 {
		return ix.nothing(q, nil)
	}
	limit := o.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	top = ix.spread(q, top, limit)
	hits := make([]Hit, 0, min(limit, len(top)))
	for _, c := range top[:min(limit, len(top))] {
		hits = append(hits, Hit{Doc: int(c.doc), Score: ix.normal(q, c.score), Why: ix.why(q, c.doc)})
	}
	return Result{Hits: hits}
}

// candidate is a document and its score.
type candidate struct {
	doc   int32
	score float64
}

// best are the documents that score highest, in order.
func (ix *Index) best(q *query, o Options) []candidate {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.reset(len(ix.docs))
	for i := range q.units {
		u := &q.units[i]
		for _, p := range u.term.posts {
			if s.score[p.doc] == 0 {
				s.seen = append(s.seen, p.doc)
			}
			s.score[p.doc] += u.weight * float64(p.weight)
			if u.kind == exact && p.fields&(1<<fieldName) != 0 {
				s.name[p.doc] += u.term.idf
			}
		}
	}
	list := make([]candidate, 0, len(s.seen))
	for _, d := range s.seen {
		if o.Keep != nil && !o.Keep(int(d)) {
			continue
		}
		x := s.score[d]
		if ix.name[d] > 0 {
			x *= 1 + ix.w.Cover*s.name[d]/ix.name[d]
		}
		if o.Uses != nil {
			n := float64(max(o.Uses(int(d)), 0))
			x *= 1 + ix.w.Uses*n/(n+5)
		}
		list = append(list, candidate{d, x})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].before(list[j]) })
	return list
}

func (c candidate) before(d candidate) bool {
	if c.score != d.score {
		return c.score > d.score
	}
	return c.doc < d.doc
}

// spread orders the best documents so that a query for two things finds both:
// a word counts less once a document above has it.
func (ix *Index) spread(q *query, list []candidate, limit int) []candidate {
	if ix.w.Spread >= 1 || len(list) < 2 {
		return list
	}
	head := min(len(list), pool)
	left := make([]float64, len(q.units))
	for i := range left {
		left[i] = 1
	}
	for k := 0; k < min(limit, head); k++ {
		best, top := k, -1.0
		for j := k; j < head; j++ {
			if x := ix.rescore(q, list[j], left); x > top {
				best, top = j, x
			}
		}
		c := list[best]
		copy(list[k+1:best+1], list[k:best])
		list[k] = c
		for i := range q.units {
			if p := q.units[i].term.in(c.doc); p != nil {
				left[i] *= 1 - (1-ix.w.Spread)*float64(p.weight)
			}
		}
	}
	return list
}

// rescore is a candidate's score when only a part of each unit is left.
func (ix *Index) rescore(q *query, c candidate, left []float64) float64 {
	lost := 0.0
	full := 0.0
	for i := range q.units {
		if p := q.units[i].term.in(c.doc); p != nil {
			x := q.units[i].weight * float64(p.weight)
			full += x
			lost += x * (1 - left[i])
		}
	}
	if full == 0 {
		return c.score
	}
	return c.score * (1 - lost/full)
}

// normal brings a score to 0..1.
func (ix *Index) normal(q *query, score float64) float64 {
	if q.full <= 0 {
		return 0
	}
	return max(0, min(1, score/q.full))
}

// nothing is the answer when no tool fits.
func (ix *Index) nothing(q *query, near []candidate) Result {
	r := Result{Nothing: true}
	for i := range q.words {
		if a := &q.words[i]; a.id < 0 && !a.part {
			r.Missed = append(r.Missed, a.text)
		}
	}
	for _, c := range near {
		if s := ix.docs[c.doc].Server; s != "" && len(r.Near) < 3 && !slices.Contains(r.Near, s) {
			r.Near = append(r.Near, s)
		}
	}
	return r
}
