package coderank

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// commentShare is the share of comments from which on a source file that defines nothing is a
// document: a page of prose with the name of a module.
const commentShare = 0.6

// asDocument moves a source file that is nothing but documentation to the Docs bucket.
func (d *document) asDocument(defs []symbols.Def, size int) {
	if len(defs) == 0 && d.bucket.isSource() && d.lens[fieldComment]*commentBytes > commentShare*float64(size) {
		d.bucket = Docs
	}
}

// scoreCompounds finds definitions whose whole name is two adjacent words of the question: "where
// is the SETEX command" means setexCommand. A name that several files define counts less.
func (r *Ranker) scoreCompounds() {
	for _, d := range r.docs {
		d.compound = 0
	}
	if in := r.plan.query.Intent; !in.Definition && !in.How || in.Examples {
		return // a request for a change uses words that happen to be names
	}
	for k, p := range r.plan.query.Pairs {
		if name, ok := r.joinPair(p); ok {
			r.scoreCompound(name, r.rarity(r.plan.pair0+k)*r.plan.pairFactor(p.A, p.B))
		}
	}
}

// joinPair joins a pair of terms of the first sentence into one name. It reports false for other
// pairs, and if a name of the question contains the pair anyway.
func (r *Ranker) joinPair(p Pair) (string, bool) {
	q := r.plan.query
	a, b := &q.Terms[p.A], &q.Terms[p.B]
	joined := a.Word + b.Word
	for i := range q.Idents {
		if strings.Contains(q.Idents[i].Norm, joined) {
			return "", false
		}
	}
	return joined, a.Title > 0 && b.Title > 0 && !a.Weak
}

func (r *Ranker) scoreCompound(name string, rarity float64) {
	best, definers := map[*document]float64{}, 0.0
	for _, d := range r.docs {
		for i := range d.segs {
			def := &d.segs[i].def
			if len(def.Name) >= len(name) && carriesOut(def.Kind) && normalizeName(def.Name) == name {
				best[d] = max(best[d], r.bucketFactor(d.bucket))
			}
		}
		if best[d] > 0 {
			definers++
		}
	}
	for d, v := range best {
		d.compound = max(d.compound, v*rarity/definers)
	}
}

// carriesOut reports whether definitions of this kind do or are something. Other kinds name values,
// which two words name by chance: ITEM_PIPELINES is a setting.
func carriesOut(k symbols.Kind) bool {
	switch k {
	case symbols.KindFunction, symbols.KindMethod, symbols.KindClass, symbols.KindStruct, symbols.KindInterface,
		symbols.KindTrait, symbols.KindEnum, symbols.KindType, symbols.KindMacro:
		return true
	}
	return false
}

// joinedName returns the weight of the adjacent terms of the question that form one word in a
// file's name, and how many such words there are: "feed export" names feedexport.py.
func (r *Ranker) joinedName(d *document) (sum float64, n int) {
	for i := range d.counts {
		t := &d.counts[i]
		if k := int(t.unit) - r.plan.pair0; k >= 0 && k < len(r.plan.query.Pairs) && t.tf[fieldBase] > 0 {
			p := r.plan.query.Pairs[k]
			sum += r.unitWeights[p.A] + r.unitWeights[p.B]
			n++
		}
	}
	return sum, n
}
