package rank

import (
	"math"
	"path"
	"sort"
	"strings"
)

// Hit is one file of the answer.
type Hit struct {
	Path   string
	Score  float64
	Bucket Bucket
	Spans  []Span
	Exact  bool
	Sub    [4]float64
	Feat   []float64
}

// Span is a place in a hit.
type Span struct {
	Line, EndLine         int
	Name, Kind, Signature string
	Score                 float64
}

// Result is the ranking.
type Result struct {
	Hits   []Hit
	Absent bool
	Reason string
}

// SetWeights changes the weights of a ranker already fed; for tuning.
func (r *Ranker) SetWeights(w Weights) { r.w = w }

// Rank ranks the documents read.
func (r *Ranker) Rank(limit int) Result {
	if r.docs == nil {
		for _, c := range r.cols {
			r.docs = append(r.docs, c.deep...)
		}
		sort.Slice(r.docs, func(i, j int) bool { return r.docs[i].path < r.docs[j].path })
	}
	if res, ok := r.absent(); ok {
		return res
	}
	r.fileScores()
	r.defScores()
	r.namedScores()
	r.fuse()
	docs := append([]*document(nil), r.docs...)
	sort.SliceStable(docs, func(i, j int) bool { return docs[i].score > docs[j].score })
	if len(docs) > limit {
		docs = docs[:limit]
	}
	var res Result
	for _, d := range docs {
		if d.score <= 0 {
			break
		}
		h := Hit{Exact: d.exactS > 0, Path: d.path, Score: d.score, Bucket: d.bucket, Sub: [4]float64{d.fileS, d.defS, d.named, d.exactS}, Feat: d.feat}
		segs := append([]segment(nil), d.segs...)
		sort.SliceStable(segs, func(i, j int) bool { return segs[i].score > segs[j].score })
		for i, s := range segs {
			if i == 3 {
				break
			}
			h.Spans = append(h.Spans, Span{Line: s.def.Line, EndLine: s.def.EndLine, Name: s.def.Name, Kind: string(s.def.Kind), Signature: s.def.Signature, Score: s.score})
		}
		res.Hits = append(res.Hits, h)
	}
	return res
}

func (r *Ranker) absent() (Result, bool) {
	q := r.plan.query
	if len(q.Idents) == 0 || !q.Intent.Definition && q.Words > 3 {
		return Result{}, false
	}
	seen := make([]bool, r.plan.units)
	for i := range r.files {
		for _, p := range r.files[i].posts {
			seen[p.unit] = true
		}
		for _, p := range r.files[i].pathTF {
			seen[p.unit] = true
		}
	}
	for i := range q.Idents {
		if seen[len(q.Terms)+i] {
			return Result{}, false
		}
	}
	return Result{Absent: true, Reason: "name occurs nowhere"}, true
}

func (r *Ranker) prepare() {
	r.uw = make([]float64, r.plan.units)
	for u := range r.uw {
		r.uw[u] = r.idf(unit(u)) * r.unitWeight(unit(u))
	}
}

func (r *Ranker) fileScores() {
	r.prepare()
	var avg [nFields]float64
	for _, d := range r.docs {
		for f := range avg {
			avg[f] += float64(d.lens[f])
		}
	}
	for f := range avg {
		avg[f] = math.Max(1, avg[f]/math.Max(1, float64(len(r.docs))))
	}
	avg[fBody] = math.Max(1, r.avg)
	fw := [nFields]float64{fBody: r.w.FBody, fComment: r.w.FComment, fSig: r.w.FSig, fName: r.w.FName, fDir: r.w.FPath, fBase: r.w.FBase}
	fb := [nFields]float64{fBody: r.w.BBody, fComment: r.w.BComment, fSig: r.w.BSig, fName: r.w.BName}
	nt := len(r.plan.query.Terms)
	tot := 0.0
	for u := 0; u < nt; u++ {
		if r.plan.query.Terms[u].Of < 0 {
			tot += r.uw[u]
		}
	}
	for _, d := range r.docs {
		var mul [nFields]float64
		for f := range mul {
			mul[f] = fw[f] / (1 - fb[f] + fb[f]*float64(d.lens[f])/avg[f])
		}
		s := 0.0
		cov, base, baseK := 0.0, 0.0, 0
		for i := range d.tfs {
			t := &d.tfs[i]
			x := 0.0
			for f := field(0); f < nDef; f++ {
				x += mul[f] * float64(t.tf[f])
			}
			for f := nDef; f < nFields; f++ {
				x += mul[f] * float64(min(t.tf[f], 1))
			}
			s += r.uw[t.unit] * sat(x, r.w.K1)
			if int(t.unit) < nt && r.plan.query.Terms[t.unit].Of < 0 {
				cov += r.uw[t.unit]
				if t.tf[fBase] > 0 {
					base += r.uw[t.unit]
					baseK++
				}
			}
		}
		cover := cov / math.Max(1e-9, tot)
		s *= math.Pow(cover, r.w.Cover)
		if d.baseN > 0 && baseK > 0 {
			fr := math.Min(1, float64(baseK)/float64(d.baseN))
			s += r.w.BaseCover * base * fr * fr
		}
		s *= math.Pow(math.Max(.2, float64(d.lens[fBody])/math.Max(1, r.avg)), r.w.Size)
		d.fileS = s * r.demote(d.bucket)
		if Features {
			d.pre = r.features(d, &mul, tot)
		}
	}
}

// Features switches the dump of features.
var Features bool

func (r *Ranker) features(d *document, mul *[nFields]float64, tot float64) []float64 {
	q := r.plan.query
	nt := len(q.Terms)
	ni := nt + len(q.Idents)
	out := make([]float64, 22)
	for i := range d.tfs {
		t := &d.tfs[i]
		u := int(t.unit)
		w := r.uw[u]
		kind := 0
		if u >= r.plan.soft0 {
			kind = 3
			w = r.idf(t.unit) * r.unitWeight(unit(u-r.plan.soft0))
		} else if u >= ni {
			kind = 2
		} else if u >= nt {
			kind = 1
		}
		all := 0.0
		for f := field(0); f < nFields; f++ {
			x := mul[f] / r.wf(f) * float64(t.tf[f])
			all += x
			if kind == 0 && x > 0 {
				out[int(f)] += w * sat(x, 1.2)
			}
		}
		out[7+kind] += w * sat(all, 1.5)
		if kind == 0 {
			out[11] += w
			out[12] = math.Max(out[12], r.idf(t.unit))
			out[13]++
			if q.Terms[u].Title > 0 {
				out[14] += w * sat(all, 1.5)
				out[15] += w
			} else {
				out[16] += w * sat(all, 1.5)
			}
			if !weak[q.Terms[u].Word] {
				out[17] += r.idf(t.unit)
			}
			out[18] += w * math.Log1p(float64(t.tf[0]))
			if t.tf[fBase] > 0 {
				out[19] += 1 / float64(max(1, d.baseN))
				out[20] += w
			}
			if t.tf[fDir] > 0 {
				out[21] += w
			}
		}
	}
	for _, k := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 20, 21} {
		out[k] /= math.Max(1e-9, tot)
	}
	return out
}

func (r *Ranker) wf(f field) float64 {
	v := [nFields]float64{fBody: r.w.FBody, fComment: r.w.FComment, fSig: r.w.FSig, fName: r.w.FName, fDir: r.w.FPath, fBase: r.w.FBase}
	return math.Max(1e-9, v[f])
}

func (r *Ranker) defScores() {
	total, n := 0.0, 0.0
	for _, d := range r.docs {
		for i := range d.segs {
			total += float64(d.segs[i].len)
			n++
		}
	}
	avg := math.Max(1, total/math.Max(1, n))
	fw := [nFields]float64{fBody: r.w.DefBody, fComment: r.w.DefDoc, fSig: r.w.DefSig, fName: r.w.DefName}
	q := r.plan.query
	for _, d := range r.docs {
		d.exactS = 0
		top := [3]float64{}
		for i := range d.segs {
			g := &d.segs[i]
			norm := 1 - r.w.DefB + r.w.DefB*float64(g.len)/avg
			s := 0.0
			for k := range g.tfs {
				t := &g.tfs[k]
				x := 0.0
				for f := field(0); f < nDef; f++ {
					x += fw[f] * float64(t.tf[f])
				}
				s += r.uw[t.unit] * sat(x/norm, r.w.DefK1)
			}
			g.score = s
			for k := range q.Idents {
				id := &q.Idents[k]
				if g.def.Name != "" && normal(g.def.Name) == id.Norm {
					v := 1.0
					if g.def.Name == id.Text {
						v = 1.5
					}
					if id.Qualifier != "" && (strings.EqualFold(id.Qualifier, g.def.Container) || strings.HasSuffix(strings.ToLower(g.def.Container), strings.ToLower("."+id.Qualifier))) {
						v += 1
					}
					if q.Intent.Definition {
						v *= 10
					}
					d.exactS += v * r.idf(unit(len(q.Terms)+k)) * r.demote(d.bucket)
					g.score += 1000 * v
				}
			}
			for j := range top {
				if s > top[j] {
					copy(top[j+1:], top[j:])
					top[j] = s
					break
				}
			}
		}
		d.top = top
		d.segSum = 0
		for i := range d.segs {
			if d.segs[i].score < 900 {
				d.segSum += d.segs[i].score
			}
		}
		d.defS = (top[0] + r.w.DefSum*top[1] + r.w.DefSum*r.w.DefSum*top[2]) * r.demote(d.bucket)
	}
}

func (r *Ranker) namedScores() {
	for _, d := range r.docs {
		d.named = 0
	}
}

func (r *Ranker) fuse() {
	if r.w.RRF > 0 {
		for _, d := range r.docs {
			d.score = 0
		}
		r.rrf(r.w.RFile, func(d *document) float64 { return d.fileS })
		r.rrf(r.w.RDef, func(d *document) float64 { return d.defS })
		r.rrf(r.w.RExact, func(d *document) float64 { return d.exactS })
		return
	}
	mx := [4]float64{}
	for _, d := range r.docs {
		mx[0] = math.Max(mx[0], d.fileS)
		mx[1] = math.Max(mx[1], d.defS)
	}
	for _, d := range r.docs {
		d.score = r.w.RFile*d.fileS/math.Max(1e-9, mx[0]) + r.w.RDef*d.defS/math.Max(1e-9, mx[1]) + r.w.RExact*d.exactS/math.Max(1e-9, mx[0])
		comp := r.companion[testStem(d.path)] / math.Max(1e-9, mx[0]) * r.demote(d.bucket)
		dir := 0.0
		if v := r.dirs[path.Dir(d.path)]; len(v) > 1 {
			for i := 0; i < 3 && i < len(v); i++ {
				dir += v[i] / 3
			}
		}
		dir = dir / math.Max(1e-9, mx[0]) * r.demote(d.bucket)
		d.score += r.w.Companion*comp + r.w.Dir*dir
		d.score *= math.Pow(math.Max(.01, r.langs[path.Ext(d.path)]), r.w.Lang)
		d.feat = append(append(d.feat[:0], d.pre...), float64(len(d.segs)), d.top[0], d.top[1], d.top[2], d.segSum, r.demote(d.bucket), d.fileS/math.Max(1e-9, mx[0]), d.defS/math.Max(1e-9, mx[1]), d.exactS/math.Max(1e-9, mx[0]), comp, dir, r.langs[path.Ext(d.path)], math.Log1p(float64(d.lens[fBody])))
	}
}

func (r *Ranker) rrf(w float64, f func(*document) float64) {
	ds := append([]*document(nil), r.docs...)
	sort.SliceStable(ds, func(i, j int) bool { return f(ds[i]) > f(ds[j]) })
	for i, d := range ds {
		if f(d) <= 0 {
			return
		}
		d.score += w / (r.w.RRF + float64(i+1))
	}
}
