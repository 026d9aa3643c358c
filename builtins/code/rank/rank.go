package rank

import (
	"math"
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
		h := Hit{Path: d.path, Score: d.score, Bucket: d.bucket, Sub: [4]float64{d.fileS, d.defS, d.named, d.exactS}}
		segs := append([]segment(nil), d.segs...)
		sort.SliceStable(segs, func(i, j int) bool { return segs[i].score > segs[j].score })
		for i, s := range segs {
			if i == 3 {
				break
			}
			h.Spans = append(h.Spans, Span{Line: s.def.Line, EndLine: s.def.EndLine, Name: s.def.Name, Kind: s.def.Kind, Signature: s.def.Signature, Score: s.score})
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

func (r *Ranker) fileScores() {
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
	fw := [nFields]float64{fBody: r.w.FBody, fComment: r.w.FComment, fSig: r.w.FSig, fName: r.w.FName}
	fb := [nFields]float64{fBody: r.w.BBody, fComment: r.w.BComment, fSig: r.w.BSig, fName: r.w.BName}
	for _, d := range r.docs {
		var mul [nFields]float64
		for f := range mul {
			mul[f] = fw[f] / (1 - fb[f] + fb[f]*float64(d.lens[f])/avg[f])
		}
		s := 0.0
		wt := map[unit]float64{}
		for _, t := range d.tfs {
			for f, n := range t.tf {
				wt[t.unit] += mul[f] * float64(n)
			}
		}
		for _, p := range d.dirTF {
			wt[p.unit] += r.w.FPath * float64(min(p.tf, 1))
		}
		for _, p := range d.baseTF {
			wt[p.unit] += r.w.FBase * float64(min(p.tf, 1))
		}
		for u := unit(0); int(u) < r.plan.units; u++ {
			if x := wt[u]; x > 0 {
				s += r.idf(u) * r.unitWeight(u) * sat(x, r.w.K1)
			}
		}
		d.fileS = s * r.demote(d.bucket)
	}
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
			for _, t := range g.tfs {
				x := 0.0
				for f, c := range t.tf {
					x += fw[f] * float64(c)
				}
				s += r.idf(t.unit) * r.unitWeight(t.unit) * sat(x/norm, r.w.DefK1)
			}
			g.score = s
			for k := range q.Idents {
				id := &q.Idents[k]
				if g.def.Name != "" && normal(g.def.Name) == id.Norm {
					v := 1.0
					if g.def.Name == id.Text {
						v = 1.5
					}
					if id.Qualifier != "" && strings.EqualFold(id.Qualifier, g.def.Container) {
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
