package coderank

import "github.com/compactor-mcp/compactor/runtime/retrieval"

// Thresholds for questions that are answered by definitions. They were fitted on questions of all
// kinds, some of which have no answer in their tree.
const (
	sureContext = 0.75 // share of the question that the first must hold with its path, to be sure
	sureGap     = 0.8  // how far the first must be ahead of the second, to be sure
	// sureName is the share that the first's name must hold, to be sure by one word of it.
	sureName = 0.6
	// sureLines is the maximum length of a definition that is sure by its body alone: in a longer
	// one the words may be far apart. They are together from surePairs on.
	sureLines = 60
	surePairs = 0.5
	// weakLink is the share of the question, by weight, that must occur near other words of the
	// question somewhere in the code: words that never meet belong to something that is not there.
	weakLink = 0.35
	thinLink = 0.5 // the same, if the first file is weak
	// whereContext is the minimum leadingContext of a question that asks where something is: it may
	// not be there at all.
	whereContext = 0.45
	// maxLeading is the number of definitions that lead.
	maxLeading = 3
	// knownWords is the share of a foreign question that must be translated.
	knownWords = 0.4
)

// judgeDefinitions sets the confidence of an answer made of definitions.
func (r *Ranker) judgeDefinitions(res *Result, list []ranked) {
	if len(list) == 0 || len(res.Hits) == 0 || r.docs[0].mentioned >= voteModule {
		return
	}
	in := r.plan.query.Intent
	first, link := &list[0], r.linkedShare()
	context := first.feats[featContext]
	switch {
	case link < weakLink,
		r.strength(r.docs[0]) < r.w.WeakBelow && r.bestCoverage(r.docs[0]) < wellCovered && link < thinLink,
		in.Definition && !in.lacksSinglePlace() && r.plan.query.Foreign == 0 && leadingContext(list) < whereContext:
		res.Confidence = retrieval.Low
	case !in.lacksSinglePlace() && context >= sureContext && (len(list) == 1 || first.value-list[1].value >= sureGap):
		res.Ahead, res.Confidence = true, retrieval.Medium
		if r.isAbout(first) {
			res.Confidence = retrieval.High
		}
	default:
		res.Confidence = retrieval.Medium
	}
}

// leadingContext returns the largest share of the question that one of the leading definitions
// holds with its path. The first alone would not do: a function need not name the thing it acts on.
func leadingContext(list []ranked) float64 {
	most := 0.0
	for i := range list[:min(len(list), maxLeading)] {
		most = max(most, list[i].feats[featContext])
	}
	return most
}

// isAbout reports whether a definition is about the question and does not merely hold its words: its
// name bears two of them, or most of their weight, or they occur together in a short body.
func (r *Ranker) isAbout(k *ranked) bool {
	s := &k.doc.segs[k.seg]
	named := 0
	for i := range s.counts {
		if t := &s.counts[i]; r.isOwnTerm(t.unit) && t.tf[fieldName] > 0 {
			named++
		}
	}
	return named > 1 || k.feats[featName] >= sureName || k.feats[featPairs] >= surePairs && s.def.EndLine-s.def.Line < sureLines
}

// judgeKind lowers the confidence if no single place is the answer.
func (r *Ranker) judgeKind(res *Result) {
	if in := r.plan.query.Intent; res.Confidence == retrieval.High && in.lacksSinglePlace() && !in.Message {
		res.Confidence = retrieval.Medium
	}
}

// lacksSinglePlace reports whether one definition cannot answer this kind of question.
func (in Intent) lacksSinglePlace() bool {
	return in.Callers || in.Option || in.Extend || in.Coverage || in.Overview || in.Examples || in.Message
}

// linkedShare returns the share of the first sentence, by weight, of terms that occur near another term
// of the question in some file read. Only files of the kind that is asked for count. It is 1 if
// fewer than two terms could occur together.
func (r *Ranker) linkedShare() float64 {
	p := r.plan
	near := make([]bool, p.units)
	for _, d := range r.docs {
		if r.bucketFactor(d.bucket) < r.w.Unwanted {
			continue
		}
		for i := range d.counts {
			near[d.counts[i].unit] = true
		}
	}
	linked := make([]bool, len(p.query.Terms))
	for a, links := range p.near {
		for _, l := range links {
			if near[l.unit] {
				linked[a], linked[l.to] = true, true
			}
		}
	}
	for i, k := range p.query.Pairs {
		if near[p.pair0+i] {
			linked[k.A], linked[k.B] = true, true
		}
	}
	held, total, n := 0.0, 0.0, 0
	for i, t := range p.query.Terms {
		if t.Of >= 0 || t.Weak || t.Foreign || t.Title == 0 {
			continue
		}
		n++
		total += r.unitWeights[i]
		if linked[i] {
			held += r.unitWeights[i]
		}
	}
	if n < 2 || total == 0 || p.query.Foreign > 0 { // a word-by-word translation does not keep words together
		return 1
	}
	return held / total
}

// judgeForeign lowers the confidence in the answer to a question in a language other than English:
// its words were translated one by one, if they are known.
func (r *Ranker) judgeForeign(res *Result) {
	q := r.plan.query
	switch {
	case q.Foreign == 0:
	case float64(q.Known) < knownWords*float64(q.Foreign):
		res.Confidence = retrieval.Low
	case res.Confidence == retrieval.High && len(res.Hits) > 0 && len(r.docs[0].exactDefs) == 0:
		res.Confidence = retrieval.Medium
	}
}
