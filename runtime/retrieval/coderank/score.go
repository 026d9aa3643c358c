package coderank

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// scoreFiles computes BM25F: the occurrences in all fields are weighted and normalized by the
// length of their field before they saturate together.
func (r *Ranker) scoreFiles() {
	mean := r.meanLengths()
	w := &r.w
	fields := [nText]retrieval.Field{{Weight: w.Body, Norm: w.BodyNorm}, {Weight: w.Comment, Norm: w.CommentNorm},
		{Weight: w.Signature, Norm: w.NameNorm}, {Weight: w.Name, Norm: w.NameNorm}}
	for _, d := range r.docs {
		gain := [nFields]float64{fieldDir: w.Directory, fieldBase: w.FileName}
		for f := range nText {
			gain[f] = fields[f].Gain(d.lens[f], mean[f])
		}
		d.file, d.learned = 0, 0
		for i := range d.counts {
			t := &d.counts[i]
			tf := 0.0
			for f := range nText {
				tf += gain[f] * float64(t.tf[f])
			}
			tf += gain[fieldBody] * float64(t.tf[fieldString])
			for f := fieldDir; f < nFields; f++ {
				tf += gain[f] * float64(min(t.tf[f], 1))
			}
			counted := r.unitWeights[t.unit] * retrieval.Saturate(tf, w.Saturation)
			d.file += counted
			if c, ok := r.past.countIn(d.path, t.unit); ok {
				d.learned += r.unitWeights[t.unit]*retrieval.Saturate(tf+r.pastTF(c, d.lens[fieldBody]), w.Saturation) - counted
			}
		}
		d.learned += r.pastOnly(d)
		sum, share := r.nameCover(d)
		d.file = (d.file + w.NameCover*sum*share*share) * r.bucketFactor(d.bucket)
		d.learned = d.file + d.learned*r.bucketFactor(d.bucket)
	}
}

func (r *Ranker) meanLengths() [nText]float64 {
	var mean [nText]float64
	for _, d := range r.docs {
		for f := range mean {
			mean[f] += d.lens[f] / float64(len(r.docs))
		}
	}
	mean[fieldBody] = r.meanTokens
	for f := range mean {
		mean[f] = math.Max(1, mean[f])
	}
	return mean
}

// nameCover returns the weight of the terms in a file's name, and the share of the name
// that they cover.
func (r *Ranker) nameCover(d *document) (sum, share float64) {
	n := 0
	for i := range d.counts {
		t := &d.counts[i]
		if int(t.unit) < r.plan.ident0 && t.tf[fieldBase] > 0 && r.plan.query.Terms[t.unit].Of < 0 {
			sum += r.unitWeights[t.unit]
			n++
		}
	}
	if n == 0 {
		sum, n = r.joinedName(d)
	}
	if n == 0 || d.parts == 0 {
		return 0, 0
	}
	share = math.Min(1, float64(n)/float64(d.parts))
	return sum, share
}

// scoreDefs computes BM25 over definitions; a file gets the score of its best one and a share of
// the next two.
func (r *Ranker) scoreDefs() {
	mean, n := 0.0, 0.0
	for _, d := range r.docs {
		for i := range d.segs {
			mean += float64(d.segs[i].lines)
			n++
		}
	}
	r.meanLines = math.Max(1, mean/math.Max(1, n))
	weight := [nLines]float64{1, r.w.DefDoc, r.w.DefSignature, r.w.DefName, r.w.DefString}
	for _, d := range r.docs {
		d.defScores = d.defScores[:0]
		d.best = d.best[:0]
		dirs := d.directoryUnits()
		for i := range d.segs {
			d.defScores = append(d.defScores, r.bm25(&d.segs[i], weight, dirs))
			d.best = append(d.best, i)
		}
		slices.SortStableFunc(d.best, func(a, b int) int { return retrieval.Descending(d.defScores[a], d.defScores[b]) })
		d.defs = 0
		share := 1.0
		for _, i := range d.best[:min(3, len(d.best))] {
			d.defs += share * d.defScores[i]
			share *= r.w.DefNext
		}
		d.defs *= r.bucketFactor(d.bucket)
	}
}

// directoryUnits returns the units in the directories of a file.
func (d *document) directoryUnits() []unit {
	var units []unit
	for i := range d.counts {
		if d.counts[i].tf[fieldDir] > 0 {
			units = append(units, d.counts[i].unit)
		}
	}
	return units
}

// bm25 returns the score of a segment with the given weights of its fields. The units of dirs count
// as if they occurred in the segment, too.
func (r *Ranker) bm25(s *segment, weight [nLines]float64, dirs []unit) float64 {
	w := &r.w
	norm := retrieval.Norm(w.DefNorm, float64(s.lines), r.meanLines)
	above := retrieval.Saturate(w.DefDirectory, w.DefSaturation)
	score := 0.0
	for _, u := range dirs {
		score += r.unitWeights[u] * above
	}
	for i := range s.counts {
		t := &s.counts[i]
		tf := 0.0
		for f := range nLines {
			tf += weight[f] * float64(t.tf[f])
		}
		tf /= norm
		if slices.Contains(dirs, t.unit) {
			tf += w.DefDirectory
			score -= r.unitWeights[t.unit] * above
		}
		score += r.unitWeights[t.unit] * retrieval.Saturate(tf, w.DefSaturation)
	}
	return score
}

// scoreExact finds the definitions that bear a name of the question.
func (r *Ranker) scoreExact() {
	for _, d := range r.docs {
		d.exact = 0
		d.exactDefs = d.exactDefs[:0]
		for k := range r.plan.query.Idents {
			id := &r.plan.query.Idents[k]
			best, at := 0.0, -1
			for i := range d.segs {
				if v := d.matchName(id, &d.segs[i].def); v > best {
					best, at = v, i
				}
			}
			if at >= 0 {
				d.exact += best * r.rarity(r.plan.ident0+k) * r.bucketFactor(d.bucket) * beforeFactor(id.Before)
				if id.Before == 0 {
					d.exactDefs = append(d.exactDefs, at)
				}
			}
		}
	}
}

// matchName returns how well a definition of the file matches a name. A qualifier that is not the
// container may be the package or the module: the file's directory, or its name.
func (d *document) matchName(id *Ident, def *symbols.Def) float64 {
	v := exactness(id, def)
	if v == 0 || id.Qualifier == "" {
		return v
	}
	q := id.Qualifier
	if lastPart(def.Container) == strings.ToLower(q) {
		return v
	}
	dir, base := splitPath(d.path)
	switch dir = path.Base(strings.TrimSuffix(dir, "/")); {
	case base == q, dir == q && (def.Container == "" || base == dir):
		return v + kindFactor(def.Kind)
	case dir == q, strings.HasSuffix(dir, "-"+q):
		return v + .5*kindFactor(def.Kind)
	}
	return v
}

// exactness returns how well a definition matches a name: 0 if not at all, and more if the case
// agrees and if the container is the qualifier.
func exactness(id *Ident, def *symbols.Def) float64 {
	name := strings.TrimRight(def.Name, "?!") // of Ruby and Elixir; in a question they look like the end of a sentence
	if name == "" || len(name) < len(id.Norm) || normalizeName(name) != id.Norm {
		return 0
	}
	v := 1.0
	if strings.Trim(name, "_") == id.Text {
		v = 1.5
	}
	if q := id.Qualifier; q != "" && lastPart(def.Container) == strings.ToLower(q) {
		v++
		if strings.HasSuffix(def.Container, q) {
			v += .2
		}
	}
	return v * kindFactor(def.Kind)
}

// kindFactor prefers what defines a thing over what mentions or declares it.
func kindFactor(k symbols.Kind) float64 {
	switch k {
	case symbols.KindPrototype, symbols.KindHeading, symbols.KindKey:
		return .4
	case symbols.KindField, symbols.KindMember, symbols.KindVariable:
		return .8
	case symbols.KindConstant:
		return .9 // exports.run = run repeats a function
	}
	return 1
}

// lastPart returns the innermost part of a container, in lower case.
func lastPart(container string) string {
	i := strings.LastIndexAny(container, ".:#/ >")
	return strings.ToLower(container[i+1:])
}

// fuse adds up the scores of the lists. The score of definitions that bear a name of the question
// is normalized by the best file, as they are rare.
func (r *Ranker) fuse() {
	topFile, topDefs := 1e-9, 1e-9
	for _, d := range r.docs {
		topFile, topDefs = math.Max(topFile, d.learned), math.Max(topDefs, d.defs)
	}
	exact := r.w.Exact
	if in := r.plan.query.Intent; in.Definition || in.Bare {
		exact *= r.w.Asked
	}
	tested := r.testVotes()
	for _, d := range r.docs {
		d.mentioned = r.named[d.path]
		d.score = retrieval.Fuse(retrieval.Part{Score: d.learned, Best: topFile, Weight: 1}, retrieval.Part{Score: d.defs, Best: topDefs, Weight: r.w.Definitions},
			retrieval.Part{Score: d.exact, Best: topFile, Weight: exact}, retrieval.Part{Score: d.compound, Best: topFile, Weight: r.w.Compound})
		d.score = d.score*math.Pow(math.Max(.01, r.share[path.Ext(d.path)]), r.w.Language)*r.besideFound(d.path) + r.w.PastVotes*r.past.votes[d.path]*r.bucketFactor(d.bucket) + r.w.Named*d.mentioned + r.w.Found*r.foundBefore(d)
		d.score *= 1 + testedGain*tested[d.path]
		if r.plan.query.Intent.Topic {
			// A file that defines little is a facade for the one that is meant.
			sum, share := r.nameCover(d)
			d.score *= 1 + r.w.NameTopic*share*min(1, sum/r.queryWeight())*math.Log1p(float64(len(d.segs)))
		}
	}
	r.traceFirst()
	slices.SortStableFunc(r.docs, func(a, b *document) int {
		if c := retrieval.Descending(a.score, b.score); c != 0 {
			return c
		}
		return strings.Compare(a.path, b.path)
	})
}
