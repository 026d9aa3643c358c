package coderank

import (
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// Ranker ranks the files of one tree for one question. Collectors feed it;
// Candidates and Rank are called by one goroutine once they are done.
type Ranker struct {
	plan *plan
	w    Weights

	mu   sync.Mutex
	cols []*Collector

	files       []counted // by path
	df          []int     // number of source files that hold a unit
	occurs      []bool    // whether a file of any kind holds the unit
	base        int       // number of files that df counts
	meanTokens  float64
	meanLines   float64 // of the segments read
	unitWeights []float64
	share       map[string]float64 // of source tokens, by extension
	named       map[string]float64 // votes for files that the question names
	lines       map[string][]int   // line numbers that the question names, by file
	frames      map[frame]string   // functions that a trace names for these lines
	pointed     []string           // files of lines, as named: the deepest frame first
	docs        []*document        // by path
	past        past               // what the repository's history says
	before      *Ranker            // the ranker whose counts are shared, see Again
	witnesses   []witness          // tests that hold most of the question, best first
}

// New prepares the ranking of a tree for a question.
func New(q *Query, w Weights) *Ranker { return &Ranker{plan: newPlan(q), w: w} }

// Collector returns a new collector, one for each worker. It may be called at
// any time and from any goroutine.
func (r *Ranker) Collector() *Collector {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &Collector{r: r, id: len(r.cols), m: newMatcher(r.plan), deep: newMatcher(r.plan), count: make([]posting, r.plan.units)}
	c.deep.deep = true
	c.deep.memo = c.m.memo
	r.cols = append(r.cols, c)
	return c
}

// Collectors returns all collectors made so far, in order.
func (r *Ranker) Collectors() []*Collector {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.cols)
}

// mergeCounts joins the counts of the collectors, in the order of paths.
func (r *Ranker) mergeCounts() {
	r.files = r.files[:0]
	for _, c := range r.cols {
		r.files = append(r.files, c.files...)
	}
	slices.SortStableFunc(r.files, func(a, b counted) int { return strings.Compare(a.path, b.path) })
	source := func(f *counted) bool { return f.bucket.isSource() }
	if !slices.ContainsFunc(r.files, func(f counted) bool { return source(&f) }) {
		source = func(*counted) bool { return true } // a tree of documents
	}
	r.df, r.occurs = make([]int, r.plan.units), make([]bool, r.plan.units)
	r.share, r.base = map[string]float64{}, 0
	total := 0
	for i := range r.files {
		f := &r.files[i]
		in := source(f)
		if in {
			r.base++
			total += f.tokens
			r.share[path.Ext(f.path)] += float64(f.tokens)
		}
		for _, p := range r.postings(f) {
			r.occurs[p.unit] = true
			if in {
				r.df[p.unit]++
			}
		}
	}
	r.meanTokens = math.Max(1, float64(total)/math.Max(1, float64(r.base)))
	for ext := range r.share {
		r.share[ext] /= math.Max(1, float64(total))
	}
}

func (r *Ranker) postings(f *counted) []posting { return r.cols[f.arena].arena[f.lo:f.hi] }

// weighUnits computes the weight of every unit: the weight that the question gives it, times its rarity
// in the tree. Surface forms and neighbours are not counted in the first step, so they get the
// rarity of their rarer term.
func (r *Ranker) weighUnits() {
	p := r.plan
	r.unitWeights = make([]float64, p.units)
	for i := range p.query.Terms {
		r.unitWeights[i] = r.rarity(i) * r.termWeight(i)
		if p.query.Terms[i].Of < 0 {
			r.unitWeights[p.surface0+i] = r.rarity(i) * r.termWeight(i) * r.w.Surface
		}
	}
	for i := range p.query.Idents {
		r.unitWeights[p.ident0+i] = r.rarity(p.ident0+i) * r.w.Ident * beforeFactor(p.query.Idents[i].Before) * r.pastedName(i)
	}
	for i := range p.query.Pairs {
		r.unitWeights[p.pair0+i] = r.rarity(p.pair0+i) * r.w.Pair * p.pairFactor(p.query.Pairs[i].A, p.query.Pairs[i].B)
		if p.query.pasted[p.query.Pairs[i]] {
			r.unitWeights[p.pair0+i] *= pastedPair
		}
	}
	for a, links := range p.near {
		for _, l := range links {
			w := r.w.Neighbours
			if int(l.unit) >= p.companion0 {
				w = r.w.Companions
			}
			r.unitWeights[l.unit] = w * (r.rarity(a) + r.rarity(int(l.to))) * p.pairFactor(a, int(l.to))
		}
	}
}

// Factors of names and pairs that only pasted code contains: they are the user's own, or one of
// many of a trace. Measured on public bug reports.
const (
	pastedIdent = .4
	pastedPair  = .3
)

// pastedName returns the factor of a name, which is below 1 if it occurs only in pasted code.
func (r *Ranker) pastedName(i int) float64 {
	if id := &r.plan.query.Idents[i]; id.Said || id.Before > 0 {
		return 1
	}
	return pastedIdent
}

// rarity returns the inverse document frequency of a unit, damped by an exponent.
func (r *Ranker) rarity(u int) float64 {
	return math.Pow(retrieval.IDF(float64(r.base), float64(r.df[u])), r.w.Rarity)
}

func (r *Ranker) termWeight(i int) float64 {
	t := &r.plan.query.Terms[i]
	w := r.w.Prose*math.Log1p(float64(t.Body)) + r.w.Pasted*math.Log1p(float64(t.Pasted))
	if t.Title > 0 {
		w += r.w.Title
	}
	if t.Weak {
		w *= r.w.Weak
	}
	switch {
	case t.Everyday:
		w *= r.w.Everyday
	case t.Of >= 0:
		w *= r.w.Synonym
	}
	return w * beforeFactor(t.Before)
}

// beforeFactor returns the factor of a term or a name with the given Before: 0, which marks the question's own, counts as 1.
func beforeFactor(before float64) float64 {
	if before == 0 {
		return 1
	}
	return before
}

// pairFactor returns the factor of two terms together, the lesser of theirs.
func (p *plan) pairFactor(a, b int) float64 {
	return min(beforeFactor(p.query.Terms[a].Before), beforeFactor(p.query.Terms[b].Before))
}

// foundBefore returns the gain of a file that an earlier question led to, from 0 to 1: the first
// file gets all of it, each later one less.
func (r *Ranker) foundBefore(d *document) float64 {
	at := slices.Index(r.plan.query.Found, d.path)
	if at < 0 {
		return 0
	}
	return r.bucketFactor(d.bucket) / float64(1+at)
}

// besideFound returns the factor of a file, above 1 if an earlier question led to its directory,
// because the next question is mostly about something near.
func (r *Ranker) besideFound(file string) float64 {
	for i, f := range r.plan.query.Found {
		if path.Dir(f) == path.Dir(file) {
			return 1 + r.w.Beside/float64(1+i)
		}
	}
	return 1
}

// declaredTopic is the factor of type declarations if a topic is asked for: they name all of it and do none of it.
const declaredTopic = .5

// bucketFactor returns the demotion factor of a bucket, 1 if the question asks for it.
func (r *Ranker) bucketFactor(b Bucket) float64 {
	in := r.plan.query.Intent
	wanted := in.Tests && b == Test || in.Docs && b == Docs || in.Config && b == Config
	switch {
	case wanted:
		return 1
	case b == Test:
		return r.w.Test
	case b == Docs:
		return r.w.Docs
	case b == Config:
		return r.w.Config
	case b == Generated:
		return r.w.Generated
	case b == Vendored:
		return r.w.Vendored
	case in.Tests || in.Docs || in.Config:
		return r.w.Unwanted
	case b == Types && in.Topic:
		return r.w.Types * declaredTopic
	case b == Types:
		return r.w.Types
	}
	return 1
}
