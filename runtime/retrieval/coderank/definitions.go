package coderank

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// Features by which the definitions of all files are ranked against one another.
const (
	featFile     = iota // score of its file, over the best
	featPlace           // score among the definitions of its file, over the best of all files
	featBest            // the same, over the best of its own file
	featContext         // share of the question, by weight, that it holds together with its path
	featName            // share that its name holds
	featPairs           // weight of the question's pairs that it holds
	featValue           // it is a constant, a variable, a field
	featBlock           // it is not a definition: lines outside all of them
	featType            // it is a class, an interface, a type
	featExact           // it bears a name of the question
	featDoc             // share of the question that its comments hold
	featString          // share that its strings hold
	featFull            // share that its file holds
	featRare            // weight of the heaviest term of its name, over the question's heaviest
	featDense           // saturated occurrences of the question's terms
	featSynonym         // share that only synonyms of the question's terms hold
	featTwice           // share that it holds more than once
	featCalls           // score of the best definition that it calls
	featLang            // share of its language in the tree
	featDeclared        // its file only declares, and the question asks what happens
	featEveryday        // weight of code words for its everyday words, over the question's; twice in names and comments
	featLong            // logarithm of a function's lines
	featGiant           // logarithm of a function's lines over longLines, at least 0
	featBodiless        // a function that is declared here and defined elsewhere
	featBrief           // a function of a few lines, which mostly delegates
	featMakes           // its name says that it makes something
	featCalled          // score of the best definition that calls it
	nFeatures
)

// featWeights were fitted by gradient descent on a listwise loss, on questions with the lines that
// answer them and on commit messages with the lines that the commits changed; repositories that
// were left out in turn gain as much as those fitted on.
var featWeights = [nFeatures]float64{
	featFile: 3.5, featPlace: 1.5, featBest: 1.9, featContext: 3, featName: .7, featPairs: 2, featValue: -.3, featBlock: .4,
	featType: .8, featExact: 1, featDoc: 1.6, featString: 1, featFull: -.1, featRare: 1.3, featDense: -.5, featSynonym: .1,
	featTwice: -1.2, featCalls: 1.9, featLang: .6, featDeclared: -.8, featEveryday: 4,
}

// actWeights apply to questions that ask how, where or when something is done: the answer is then a function
// that acts, not the type, the option or the declaration that bears the words. They were fitted on 229 such
// questions about 15 repositories; each repository left out in turn gains about a third of first places.
var actWeights = [nFeatures]float64{
	featFile: 4.2, featPlace: 1.1, featBest: 1.9, featContext: 2.6, featName: .5, featPairs: 1.2, featValue: -.6, featBlock: .3,
	featType: -1, featExact: .5, featDoc: .7, featString: 2.1, featFull: -.9, featRare: 1.1, featDense: -.5, featSynonym: 1,
	featTwice: -1.8, featCalls: 1.7, featLang: .8, featDeclared: -.9, featEveryday: 4.6, featLong: .52, featGiant: -1.8,
	featBodiless: -.4, featBrief: -1, featMakes: -.8, featCalled: 1.3,
}

// asksForAct reports whether a question asks how, where or when something is done, and not where a thing is. "How routes
// are grouped" asks for the same as "how are routes grouped?".
func (q *Query) asksForAct() bool {
	in := q.Intent
	if in.Extend || in.Examples || in.Option || in.Overview {
		return false
	}
	t := notDone.ReplaceAllString(strings.ToLower(firstSentence(q.Text)), "")
	return in.How || in.Happens || in.Topic && in.Question || in.Definition && (q.Foreign > 0 || asksWhereDone.MatchString(t))
}

// notDone matches words that look like an action and are not one: a thing merely is somewhere (where can I find it,
// where is it defined), and an article is followed by a name or an adjective (the token, a shared buffer).
var notDone = lazyregexp.New(`\b(the|an?)\s+\S+|\b(defined|declared|located)\b|\bwhere\s+(can|could|will|would)\s.*\bbe\s+found\b|\b(can|could|do|would|will)\s+(i|we|you|one)\s+(find|see|look)\b`)

// asksWhereDone matches a question for the place where something is done: where does it retry, where are blocks deleted.
var asksWhereDone = lazyregexp.New(`\bwhere\s+(do|does|did|can|will|would)\b|\bwhere\s.*\b(\w+[^\We]ed|freed|(\w*writ|tak|giv|brok|\w*wok|driv|froz|chos|hidd|\w+ridd|forgott|prov|spok)en|` +
	`built|sent|kept|read|set|made|found|held|put|lost|thrown|drawn|bound|run|cut|split|done|shut|known|shown|caught|told)\b`)

// weightedSum returns the weighted sum of the features.
func (k *ranked) weightedSum(weights *[nFeatures]float64) float64 {
	v := 0.0
	for f, x := range k.feats {
		v += weights[f] * x
	}
	return v
}

// maxRanked limits the number of files, best first, whose definitions are ranked.
const maxRanked = 25

// ranked is a segment in the ranking over all files.
type ranked struct {
	doc   *document
	seg   int
	feats [nFeatures]float64
	value float64
}

// rankDefinitions ranks the definitions of the best files against one another, best first. The
// files are already ranked, and the rank of the file weighs most.
func (r *Ranker) rankDefinitions() []ranked {
	var list []ranked
	docs := r.docs[:min(len(r.docs), maxRanked)]
	top := r.topScores()
	for _, d := range docs {
		if d.score > 0 {
			list = append(list, r.describeSegments(d, top)...)
		}
	}
	weights := &featWeights
	if r.plan.query.asksForAct() {
		weights = &actWeights
	}
	linkCalls(list, weights)
	for i := range list {
		list[i].value = list[i].weightedSum(weights)
	}
	slices.SortStableFunc(list, func(a, b ranked) int {
		return cmp.Or(retrieval.Descending(a.value, b.value), cmp.Compare(a.doc.path, b.doc.path), cmp.Compare(a.seg, b.seg))
	})
	return list
}

// maxOfFile limits the definitions that are listed per file: whoever opens the file sees the
// others.
const maxOfFile = 3

// wantsDefinitions reports whether the answer is a few definitions wherever they are. It is not if a
// name, a path or a line says which one is meant, nor for a report, which is about files to be
// changed.
func (r *Ranker) wantsDefinitions() bool {
	in := r.plan.query.Intent
	if !in.Question || in.Path || in.Trace || len(r.lines) > 0 {
		return false
	}
	if in.Definition || in.Bare {
		for _, d := range r.docs {
			if len(d.exactDefs) > 0 {
				return false
			}
		}
	}
	return true
}

// bestDefinitions returns the best definitions of all files, at most limit, and of overloads only the best one.
func bestDefinitions(list []ranked, limit int) []Definition {
	type name struct {
		doc             *document
		container, name string
	}
	var out []Definition
	of, given := map[*document]int{}, map[name]bool{}
	for _, k := range list {
		def := &k.doc.segs[k.seg].def
		own := name{k.doc, def.Container, def.Name}
		if own.name != "" && given[own] {
			continue
		}
		given[own] = true
		if of[k.doc]++; of[k.doc] > maxOfFile {
			continue
		}
		if len(out) == limit {
			break
		}
		out = append(out, Definition{Path: k.doc.path, Place: k.doc.placeOf(k.seg), Behind: list[0].value - k.value})
	}
	return out
}

// topScores holds the best scores of all files.
type topScores struct{ file, place float64 }

func (r *Ranker) topScores() topScores {
	t := topScores{1e-9, 1e-9}
	for _, d := range r.docs {
		if d.score <= 0 {
			continue
		}
		t.file = math.Max(t.file, d.score)
		for i := range d.segs {
			t.place = math.Max(t.place, r.placeValue(d, &d.segs[i])*r.bucketFactor(d.bucket))
		}
	}
	return t
}

// placeValue returns the score of a segment within its file, including its name.
func (r *Ranker) placeValue(d *document, s *segment) float64 {
	v := r.scorePlace(s)
	for k := range r.plan.query.Idents {
		id := &r.plan.query.Idents[k]
		v += d.matchName(id, &s.def) * r.rarity(r.plan.ident0+k) * beforeFactor(id.Before)
	}
	return v
}

// describeSegments returns all segments of a file with their features, except the features of calls.
func (r *Ranker) describeSegments(d *document, top topScores) []ranked {
	out := make([]ranked, len(d.segs))
	total := r.queryWeight()
	var above []unit // in the path
	held := 0.0
	for i := range d.counts {
		if t := &d.counts[i]; r.isOwnTerm(t.unit) {
			held += r.unitWeights[t.unit] / total
			if t.tf[fieldDir]+t.tf[fieldBase] > 0 {
				above = append(above, t.unit)
			}
		}
	}
	best := 1e-9
	for i := range d.segs {
		out[i] = ranked{doc: d, seg: i}
		f := &out[i].feats
		f[featPlace] = r.placeValue(d, &d.segs[i])
		best = math.Max(best, f[featPlace])
	}
	for i := range d.segs {
		f := &out[i].feats
		f[featFile], f[featFull], f[featLang] = d.score/top.file, held, r.share[path.Ext(d.path)]
		f[featBest] = f[featPlace] / best
		f[featPlace] /= top.place
		r.describeKind(f, d, &d.segs[i].def)
		r.describeTerms(f, &d.segs[i], above, total)
	}
	return out
}

func (r *Ranker) describeKind(f *[nFeatures]float64, d *document, def *symbols.Def) {
	switch def.Kind {
	case symbols.KindConstant, symbols.KindVariable, symbols.KindField, symbols.KindMember, symbols.KindPrototype, symbols.KindKey:
		f[featValue] = 1
	case symbols.KindClass, symbols.KindInterface, symbols.KindStruct, symbols.KindEnum, symbols.KindTrait, symbols.KindType:
		f[featType] = 1
	}
	if def.Name == "" {
		f[featBlock] = 1
	}
	if isConstructorName(def.Name) {
		f[featMakes] = 1
	}
	describeLength(f, def)
	if in := r.plan.query.Intent; d.bucket == Types && (in.How || in.Happens || in.Definition) {
		f[featDeclared] = 1
	}
	for k := range r.plan.query.Idents {
		f[featExact] += d.matchName(&r.plan.query.Idents[k], def) * beforeFactor(r.plan.query.Idents[k].Before)
	}
}

// Lengths of a function in lines: a brief one mostly delegates, one of more than longLines holds words of everything.
const (
	briefLines = 4
	longLines  = 80
	maxLines   = 1000 // more lines make no difference
)

func describeLength(f *[nFeatures]float64, def *symbols.Def) {
	n := def.EndLine - def.Line + 1
	switch {
	case def.Kind == symbols.KindPrototype:
		f[featBodiless] = 1
		return
	case def.Kind != symbols.KindFunction && def.Kind != symbols.KindMethod && def.Kind != symbols.KindMacro:
		return
	case n == 1 && !strings.ContainsAny(def.Signature, "{="):
		f[featBodiless] = 1
	case n > 1 && n <= briefLines:
		f[featBrief] = 1
	}
	f[featLong] = math.Log(float64(min(n, maxLines)))
	f[featGiant] = math.Max(0, math.Log(float64(n)/longLines))
}

// isConstructorName reports whether a name begins with a word of constructors and factories: NewPool, init_pool, but not newline.
func isConstructorName(name string) bool {
	return slices.ContainsFunc([]string{"new", "create", "build", "init", "make"}, func(w string) bool {
		return len(name) >= len(w) && strings.EqualFold(name[:len(w)], w) && (len(name) == len(w) || name[len(w)] < 'a' || name[len(w)] > 'z')
	})
}

// describeTerms adds the features of the question's terms in a segment. Units in the path count as
// held, once.
func (r *Ranker) describeTerms(f *[nFeatures]float64, s *segment, above []unit, total float64) {
	p := r.plan
	seen := map[unit]bool{}
	for i := range s.counts {
		t := &s.counts[i]
		w := r.unitWeights[t.unit] / total
		switch u := int(t.unit); {
		case u >= p.pair0 && u < p.surface0 || u >= p.neighbour0:
			f[featPairs] += w
		case u >= p.ident0:
		case p.query.Terms[u].Everyday:
			if t.tf[fieldName]+t.tf[fieldComment] > 0 {
				w *= 2
			}
			f[featEveryday] += w
		case p.query.Terms[u].Of < 0:
			seen[t.unit] = true
			r.describeTerm(f, t, w, total)
		}
	}
	for _, u := range above {
		if !seen[u] {
			f[featContext] += r.unitWeights[u] / total
		}
	}
	for i := range s.counts {
		if u := s.counts[i].unit; int(u) < p.ident0 && !p.query.Terms[u].Everyday {
			if of := p.query.Terms[u].Of; of >= 0 && !seen[unit(of)] {
				seen[unit(of)] = true
				f[featSynonym] += r.unitWeights[of] / total
			}
		}
	}
}

func (r *Ranker) describeTerm(f *[nFeatures]float64, t *counts, w, total float64) {
	f[featContext] += w
	if t.tf[fieldName] > 0 {
		f[featName] += w
		f[featRare] = math.Max(f[featRare], w*total/r.heaviestWeight())
	}
	if t.tf[fieldComment] > 0 {
		f[featDoc] += w
	}
	if t.tf[fieldString] > 0 {
		f[featString] += w
	}
	n := 0.0
	for x := range nLines {
		n += float64(t.tf[x])
	}
	f[featDense] += w * n / (n + 3)
	if n > 1 {
		f[featTwice] += w
	}
}

// isOwnTerm reports whether u is a term of the question itself.
func (r *Ranker) isOwnTerm(u unit) bool {
	return int(u) < r.plan.ident0 && r.plan.query.Terms[u].Of < 0
}

// heaviestWeight returns the weight of the question's heaviest own term; never 0.
func (r *Ranker) heaviestWeight() float64 {
	most := 1e-9
	for u := range r.plan.ident0 {
		if r.isOwnTerm(unit(u)) {
			most = math.Max(most, r.unitWeights[u])
		}
	}
	return most
}
