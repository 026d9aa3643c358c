package code

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/option"
	"github.com/compactor-mcp/compactor/builtins/code/rank"
	"github.com/compactor-mcp/compactor/builtins/retrieval"
	"github.com/compactor-mcp/compactor/runtime/words"
)

// optionTerm is a word of the question that tells which option is meant.
type optionTerm struct {
	stem, word string
	of         int // the term that it is a synonym of, else its own place
	weight     float64
}

// optionTerms leaves out the words that only ask for an option.
func optionTerms(q *rank.Query) []optionTerm {
	asking := option.AskingWords()
	var out []optionTerm
	at := map[int]int{}
	for i, t := range q.Terms {
		if t.Foreign || asking[t.Word] || asking[t.Stem] && t.Of < 0 || t.Of >= 0 {
			continue
		}
		w := 1.0
		if t.Weak {
			w = .6
		}
		if t.Before > 0 {
			w *= t.Before
		}
		at[i] = len(out)
		out = append(out, optionTerm{t.Stem, t.Word, len(out), w})
	}
	for _, t := range q.Terms {
		if k, ok := at[t.Of]; ok && t.Of >= 0 && !asking[t.Word] {
			out = append(out, optionTerm{t.Stem, t.Word, k, .4 * out[k].weight})
		}
	}
	return out
}

// declared is an option with where it stands and what of the question it holds.
type declared struct {
	option.Option
	file  *optionFile
	held  []float32 // by term: occurrences, weighed by where they stand
	size  float64   // words of the help
	score float64
	cover float64
}

// optionGroup are the declarations of one option: the flag, the field, the document.
type optionGroup struct {
	key   string
	list  []*declared // the best first
	score float64
}

type optionRanking struct {
	terms []optionTerm
	all   []declared
}

func newOptionRanking(q *rank.Query, files []optionFile) *optionRanking {
	r := &optionRanking{terms: optionTerms(q)}
	index := map[string]int{}
	for i, t := range r.terms {
		if _, ok := index[t.stem]; !ok {
			index[t.stem] = i
		}
	}
	for i := range files {
		for _, o := range files[i].options {
			r.all = append(r.all, r.hold(o, &files[i], index))
		}
	}
	return r
}

// What a word counts for by where it stands.
const (
	inName  = 3
	inOwner = .8
	inHelp  = 1
)

func (r *optionRanking) hold(o option.Option, f *optionFile, index map[string]int) declared {
	d := declared{Option: o, file: f, held: make([]float32, len(r.terms))}
	count := func(text string, w float32) {
		words.Split(text, nil, func(word words.Word) {
			if word.Join {
				return
			}
			d.size += float64(min(w, 1))
			if k, ok := index[words.StemOf(word.Text)]; ok {
				if d.held[k] += w; w == inName {
					d.held[k] = min(d.held[k], inName+2)
				}
			}
		})
	}
	count(o.Name, inName)
	count(o.Owner, inOwner)
	count(o.Help, inHelp)
	flat := strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(o.Name))
	for i, t := range r.terms {
		if len(t.stem) > 2 && d.held[i] < inName && strings.Contains(flat, t.stem) && (len(t.stem) > 3 || strings.HasPrefix(flat, t.stem)) {
			d.held[i] += 2
		}
	}
	return d
}

// Bounds of what is an answer at all.
const (
	optionLeast = .34 // share of the question that the first must hold
	optionNear  = .8  // of the first's score that an alternative must have
)

// groups scores all options and returns the best, those of one name together.
func (r *optionRanking) groups() []optionGroup {
	if len(r.terms) == 0 || len(r.all) == 0 {
		return nil
	}
	own := 0
	df := make([]float64, len(r.terms))
	mean := 0.0
	for i := range r.terms {
		if r.terms[i].of == i {
			own = i + 1
		}
	}
	for i := range r.all {
		mean += r.all[i].size
		for k, h := range r.all[i].held {
			if h > 0 {
				df[k]++
			}
		}
	}
	n := float64(len(r.all))
	mean = math.Max(1, mean/n)
	total := 0.0
	for k := range own {
		total += r.terms[k].weight * retrieval.IDF(n, df[k])
	}
	by := map[string]int{}
	var out []optionGroup
	for i := range r.all {
		d := &r.all[i]
		r.score(d, df, n, mean, own, total)
		if d.score <= 0 {
			continue
		}
		key := normalOption(d.Name)
		g, ok := by[key]
		if !ok {
			g = len(out)
			by[key] = g
			out = append(out, optionGroup{key: key})
		}
		out[g].list = append(out[g].list, d)
	}
	for i := range out {
		g := &out[i]
		slices.SortStableFunc(g.list, func(a, b *declared) int {
			return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.file.src.ref, b.file.src.ref), a.Line-b.Line)
		})
		g.score = g.list[0].score
		for _, d := range g.list[1:min(len(g.list), 4)] {
			g.score += .06 * d.score
		}
	}
	slices.SortStableFunc(out, func(a, b optionGroup) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.key, b.key))
	})
	if len(out) > 0 && out[0].list[0].cover < optionLeast {
		return nil
	}
	return out[:min(len(out), 12)]
}

// score is BM25 over name, owner and help, times what share of the question is held.
func (r *optionRanking) score(d *declared, df []float64, n, mean float64, own int, total float64) {
	norm := retrieval.Norm(.35, d.size, mean)
	held := make([]float64, own)
	for k, t := range r.terms {
		if d.held[k] > 0 {
			w := retrieval.Saturate(float64(d.held[k])/norm, 1.5)
			if k >= own {
				w *= .45
			}
			held[t.of] = math.Max(held[t.of], w)
		}
	}
	covered := 0.0
	for k, h := range held {
		idf := r.terms[k].weight * retrieval.IDF(n, df[k])
		d.score += idf * h
		covered += idf * math.Min(1, h)
	}
	d.cover = covered / math.Max(1e-9, total)
	d.score *= math.Sqrt(d.cover) * d.trust()
}

// trust is how surely a declaration of this kind, in this kind of file, is an option.
func (d *declared) trust() float64 {
	t := 1.0
	switch d.Kind {
	case option.Field:
		t = .8
	case option.Setter:
		t = .75
	case option.Documented:
		t = .85
	}
	switch d.file.bucket {
	case rank.Test:
		t *= .2
	case rank.Docs:
		t *= .95
	}
	if d.Help == "" {
		t *= .8
	}
	return t / (1 + .004*float64(d.file.at))
}

// normalOption is a name without what its spellings differ in.
func normalOption(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(s))
}
