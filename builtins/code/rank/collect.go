package rank

import (
	"math"
	"path"
	"sort"
	"strings"
)

// posting counts one unit in one file.
type posting struct {
	unit unit
	tf   uint16
	defs uint8 // of them right after a defining keyword
}

type scanned struct {
	path   string
	bucket Bucket
	size   int
	tokens int
	posts  []posting
	pathTF []posting
}

// Collector gathers what one worker reads.
type Collector struct {
	m     *matcher
	r     reader
	files []scanned
	deep  []*document
	count []posting
	touch []unit
	pm    *matcher
}

func (c *Collector) Scan(p string, data []byte) {
	head := data
	if len(head) > 1024 {
		head = head[:1024]
	}
	f := scanned{path: p, bucket: BucketOf(p, head), size: len(data)}
	f.tokens = c.m.find(data)
	f.posts = c.tally(data, c.m.hits, nil)
	c.m.find([]byte(p))
	f.pathTF = c.tally(nil, c.m.hits, nil)
	c.files = append(c.files, f)
}

func (c *Collector) tally(data []byte, hits []hit, dst []posting) []posting {
	if c.count == nil {
		c.count = make([]posting, c.m.units)
	}
	c.touch = c.touch[:0]
	for _, h := range hits {
		p := &c.count[h.unit]
		if p.tf == 0 {
			c.touch = append(c.touch, h.unit)
		}
		if p.tf < math.MaxUint16 {
			p.tf++
		}
		if data != nil && p.defs < 255 && afterKeyword(data, int(h.off)) {
			p.defs++
		}
	}
	sort.Slice(c.touch, func(i, j int) bool { return c.touch[i] < c.touch[j] })
	dst = make([]posting, 0, len(c.touch))
	for _, u := range c.touch {
		p := c.count[u]
		p.unit = u
		dst = append(dst, p)
		c.count[u] = posting{}
	}
	return dst
}

var defWords = set("func def class type struct fn interface enum trait function const let var static object fun module mod impl namespace macro_rules record protocol union typedef define")

// afterKeyword reports whether the word that off is in follows a defining keyword.
func afterKeyword(data []byte, off int) bool {
	for off > 0 && class[data[off-1]] != sep {
		off--
	}
	e := off
	for e > 0 && (data[e-1] == ' ' || data[e-1] == '*') {
		e--
	}
	if e == off || e == 0 {
		return false
	}
	s := e
	for s > 0 && e-s < 12 && class[data[s-1]] == lower {
		s--
	}
	if s < e && data[e-1] == ')' {
		return false
	}
	return defWords[string(data[s:e])]
}

// Ranker ranks the files of a tree for one question.
type Ranker struct {
	plan *plan
	w    Weights
	cols []*Collector

	files            []scanned
	df               []int
	nImpl            int
	avg              float64
	uw               []float64
	companion, langs map[string]float64
	dirs             map[string][]float64
	docs             []*document
}

// New prepares the ranking of one tree.
func New(q *Query, w Weights) *Ranker { return &Ranker{plan: newPlan(q), w: w} }

// Collector returns a new collector; one per worker, used by one goroutine at a time.
func (r *Ranker) Collector() *Collector {
	c := &Collector{m: newMatcher(r.plan), pm: newMatcher(r.plan)}
	r.cols = append(r.cols, c)
	return c
}

func (r *Ranker) merge() {
	for _, c := range r.cols {
		r.files = append(r.files, c.files...)
	}
	sort.Slice(r.files, func(i, j int) bool { return r.files[i].path < r.files[j].path })
	r.df = make([]int, r.plan.units)
	total := 0
	for i := range r.files {
		f := &r.files[i]
		if f.bucket == Implementation || f.bucket == Entry || f.bucket == Types {
			r.nImpl++
			total += f.tokens
			for _, p := range f.posts {
				r.df[p.unit]++
			}
			for _, p := range f.pathTF {
				if !has(f.posts, p.unit) {
					r.df[p.unit]++
				}
			}
		}
	}
	r.avg = float64(total) / math.Max(1, float64(r.nImpl))
}

func has(ps []posting, u unit) bool {
	i := sort.Search(len(ps), func(i int) bool { return ps[i].unit >= u })
	return i < len(ps) && ps[i].unit == u
}

func (r *Ranker) idf(u unit) float64 {
	n := float64(r.nImpl)
	df := float64(r.df[u])
	return math.Pow(math.Log(1+(n-df+0.5)/(df+0.5)), r.w.IdfPow)
}

// unitWeight is the weight of a unit in the question.
func (r *Ranker) unitWeight(u unit) float64 {
	q := r.plan.query
	i := int(u)
	if i < len(q.Terms) {
		t := q.Terms[i]
		tf := r.w.TitleTerm*math.Min(1, float64(t.Title)) + r.w.BodyTerm*math.Log1p(float64(t.Body))
		if weak[t.Word] {
			tf *= r.w.Weak
		}
		if t.Of >= 0 {
			tf *= r.w.Syn
		}
		return tf / (1 + r.w.K3*tf)
	}
	if i >= r.plan.nearAll {
		return r.w.NearAll
	}
	if i >= r.plan.near0 {
		return r.w.Near
	}
	if i >= r.plan.soft0 {
		return r.w.Soft * r.unitWeight(unit(i-r.plan.soft0))
	}
	i -= len(q.Terms)
	if i < len(q.Idents) {
		if !q.Idents[i].Shaped {
			return r.w.IdentWeak
		}
		return r.w.Ident
	}
	return r.w.Pair
}

// Candidates ranks roughly and returns the files worth reading in depth, best first.
func (r *Ranker) Candidates(limit int) []string {
	r.merge()
	r.context()
	type sc struct {
		i int
		s float64
	}
	list := make([]sc, 0, len(r.files))
	for i := range r.files {
		if s := r.rough(&r.files[i]); s > 0 {
			list = append(list, sc{i, s})
		}
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].s != list[j].s {
			return list[i].s > list[j].s
		}
		return list[i].i < list[j].i
	})
	if len(list) > limit {
		list = list[:limit]
	}
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = r.files[x.i].path
	}
	return out
}

func (r *Ranker) rough(f *scanned) float64 {
	s := 0.0
	norm := 1 - r.w.B + r.w.B*float64(f.tokens)/math.Max(1, r.avg)
	pi := 0
	for _, p := range f.posts {
		wtf := (float64(p.tf) + 3*float64(p.defs)) / norm
		for pi < len(f.pathTF) && f.pathTF[pi].unit < p.unit {
			s += r.idf(f.pathTF[pi].unit) * r.unitWeight(f.pathTF[pi].unit) * sat(4, r.w.K1)
			pi++
		}
		if pi < len(f.pathTF) && f.pathTF[pi].unit == p.unit {
			wtf += 4
			pi++
		}
		s += r.idf(p.unit) * r.unitWeight(p.unit) * sat(wtf, r.w.K1)
	}
	for ; pi < len(f.pathTF); pi++ {
		s += r.idf(f.pathTF[pi].unit) * r.unitWeight(f.pathTF[pi].unit) * sat(4, r.w.K1)
	}
	return s * r.demote(f.bucket)
}

func sat(tf, k1 float64) float64 { return tf * (k1 + 1) / (tf + k1) }

func (r *Ranker) demote(b Bucket) float64 {
	switch b {
	case Implementation, Entry:
		return 1
	case Types:
		return r.w.Types
	case Config:
		return r.w.Config
	case Docs:
		return r.w.Docs
	case Test:
		return r.w.Test
	case Vendored:
		return r.w.Vendored
	}
	return r.w.Generated
}

func pathParts(p string) (dir, base string) {
	base = path.Base(p)
	base = strings.TrimSuffix(base, path.Ext(base))
	return path.Dir(p), base
}

func testStem(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	base = strings.TrimPrefix(base, "test_")
	for _, s := range []string{"_test", "-test", "Tests", "Test", "TestCase", "_spec", "Spec", "Specs", "IT"} {
		base = strings.TrimSuffix(base, s)
	}
	return strings.ToLower(base)
}

// context sums what other files say about a file.
func (r *Ranker) context() {
	r.companion = map[string]float64{}
	r.dirs = map[string][]float64{}
	r.langs = map[string]float64{}
	total := 0.0
	for i := range r.files {
		f := &r.files[i]
		s := r.rough(f) / r.demote(f.bucket)
		if f.bucket == Test {
			k := testStem(f.path)
			r.companion[k] = math.Max(r.companion[k], s)
		}
		if f.bucket == Implementation || f.bucket == Entry || f.bucket == Types {
			d := path.Dir(f.path)
			r.dirs[d] = append(r.dirs[d], s)
			r.langs[path.Ext(f.path)] += float64(f.tokens)
			total += float64(f.tokens)
		}
	}
	for k := range r.langs {
		r.langs[k] /= math.Max(1, total)
	}
	for _, v := range r.dirs {
		sort.Sort(sort.Reverse(sort.Float64Slice(v)))
	}
}
