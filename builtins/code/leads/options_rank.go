package leads

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/settings"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

//go:embed lists/measures.txt
var measuresList string

// optionTerm is a word of the question that identifies the option.
type optionTerm struct {
	stem, word string
	of         int // index of the term that it is a synonym of, or its own
	weight     float64
}

// askingWeight is the weight of a word that only asks for an option; it counts only in names.
const askingWeight = .2

// optionTerms returns the terms of a question, with low weights for words that only ask for an
// option.
func optionTerms(q *coderank.Query) []optionTerm {
	asking := settings.AskingWords()
	var out []optionTerm
	at := map[int]int{}
	for i, t := range q.Terms {
		if t.Foreign || t.Of >= 0 {
			continue
		}
		w := 1.0
		switch {
		case asking[t.Word] || asking[t.Stem]:
			w = askingWeight
		case t.Weak || t.Stem == "limit": // what is limited says more than the word limit
			w = .6
		}
		if t.Before > 0 {
			w *= t.Before
		}
		at[i] = len(out)
		out = append(out, optionTerm{t.Stem, t.Word, len(out), w})
	}
	for _, t := range q.Terms {
		if k, ok := at[t.Of]; ok && t.Of >= 0 && !asking[t.Word] && out[k].weight > askingWeight {
			out = append(out, optionTerm{t.Stem, t.Word, k, .4 * out[k].weight})
		}
	}
	return append(out, measuredTerms(q, out)...)
}

// measure maps words of questions to words in option names: how long means a timeout, how many a
// maximum.
type measure struct {
	asked []string // phrases in lower case
	named []string
}

// measures returns those of the embedded list.
var measures = sync.OnceValue(func() (out []measure) {
	for line := range words.Lines(measuresList) {
		asked, named, _ := strings.Cut(line, ":")
		m := measure{named: strings.Fields(named)}
		for a := range strings.SplitSeq(asked, ",") {
			m.asked = append(m.asked, strings.Join(strings.Fields(a), " "))
		}
		out = append(out, m)
	}
	return out
})

// in returns the phrase that asks for the measure in a question with single spaces, or "".
func (m measure) in(question string) string {
	for _, a := range m.asked {
		if strings.Contains(question, " "+a+" ") {
			return a
		}
	}
	return ""
}

// measuredTerms returns the words that measures add to a question, each as a synonym of the
// question's own word.
func measuredTerms(q *coderank.Query, have []optionTerm) []optionTerm {
	low := " " + strings.Join(strings.FieldsFunc(strings.ToLower(q.Text), func(r rune) bool { return !unicode.IsLetter(r) }), " ") + " "
	var out []optionTerm
	for _, m := range measures() {
		asked := m.in(low)
		if asked == "" {
			continue
		}
		of := -1
		for i, t := range have {
			if t.of == i && strings.Contains(asked, t.word) {
				of = i
			}
		}
		for _, w := range m.named {
			stem := words.StemOf(w)
			if of < 0 || slices.ContainsFunc(have, func(t optionTerm) bool { return t.stem == stem }) {
				continue
			}
			out = append(out, optionTerm{stem, w, of, .5})
		}
	}
	return out
}

// declared is a declaration of an option, scored against the question.
type declared struct {
	settings.Option
	file  *optionFile
	held  []float32 // by term: occurrences, weighted by position
	size  float64   // words of name, owner and help
	score float64
	cover float64
	named float64 // share of its name's words that are in the question, squared
	asked float64 // factor for its kind, by the question's word for options
}

// optionGroup holds the declarations of one option: the flag, the field, the document.
type optionGroup struct {
	key   string
	list  []*declared // best first
	score float64
}

type optionRanking struct {
	terms []optionTerm
	all   []declared
	kinds map[settings.Kind]float64
}

// kindsAsked returns factors for the kinds of options, depending on the question's word for the
// option.
func kindsAsked(text string) map[settings.Kind]float64 {
	low := " " + strings.ToLower(text)
	f := map[settings.Kind]float64{settings.Flag: 1, settings.Env: 1, settings.Setting: 1, settings.Field: 1, settings.Setter: 1, settings.Feature: 1, settings.Documented: 1, settings.Parameter: .75}
	switch {
	case strings.Contains(low, " flag"):
		f[settings.Flag], f[settings.Field], f[settings.Setter] = 1.5, .7, .7
	case strings.Contains(low, "environment variable"), strings.Contains(low, "env var"):
		f[settings.Env], f[settings.Field], f[settings.Setter] = 2, .6, .6
	case strings.Contains(low, " feature"):
		f[settings.Feature] = 1.4
	case strings.Contains(low, " setting"), strings.Contains(low, " key "), strings.Contains(low, " propert"):
		f[settings.Setting], f[settings.Setter] = 1.15, .8
	}
	return f
}

func newOptionRanking(q *coderank.Query, files []optionFile) *optionRanking {
	r := &optionRanking{terms: optionTerms(q), kinds: kindsAsked(q.Text)}
	index := map[string]int{}
	for i, t := range r.terms {
		if _, ok := index[t.stem]; !ok {
			index[t.stem] = i
		}
	}
	for i := range files {
		for _, o := range files[i].options {
			r.all = append(r.all, r.newDeclared(o, &files[i], index))
		}
	}
	return r
}

// Weights of a word by position.
const (
	inName  = 3
	inOwner = .8
	inHelp  = 1
)

func (r *optionRanking) newDeclared(o settings.Option, f *optionFile, index map[string]int) declared {
	d := declared{Option: o, file: f, held: make([]float32, len(r.terms)), asked: r.kinds[o.Kind]}
	parts, hit := 0, 0
	words.Split(o.Name, nil, func(word words.Word) {
		if !word.Join {
			parts++
			if _, ok := index[words.StemOf(word.Text)]; ok {
				hit++
			}
		}
	})
	if parts > 1 {
		d.named = float64(hit*hit) / float64(parts*parts)
	}
	count := func(text string, w float32) {
		words.Split(text, nil, func(word words.Word) {
			if word.Join {
				return
			}
			d.size += float64(min(w, 1))
			if k, ok := index[words.StemOf(word.Text)]; ok {
				t := &r.terms[k]
				if t.weight <= askingWeight && w < inName {
					return
				}
				v := w
				if t.word != word.Text {
					if v *= .8; len(t.stem) <= 4 {
						v *= .6
					}
				}
				if d.held[k] += v; w == inName {
					d.held[k] = min(d.held[k], inName+2)
				}
			}
		})
	}
	count(o.Name, inName)
	count(o.Owner, inOwner)
	count(o.Help, inHelp)
	joined := 0
	flat := strings.ToLower(unjoined.Replace(o.Name))
	for i, t := range r.terms {
		if len(t.stem) > 2 && d.held[i] < inName && strings.Contains(flat, t.stem) && (len(t.stem) > 4 || strings.Contains(flat, t.word)) && (len(t.stem) > 3 || strings.HasPrefix(flat, t.stem)) {
			d.held[i] += 2
			joined += len(t.stem)
		}
	}
	if parts == 1 { // a single word such as maxclients
		share := math.Min(1, float64(joined+hit*len(flat))/float64(max(1, len(flat))))
		d.named = share * share * .7
	}
	return d
}

// Thresholds for an answer.
const (
	minOption  = .25 // share of the question that the first must cover
	optionNear = .8  // share of the first's score that an alternative needs
)

// groups scores all options and returns the best, grouped by name.
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
			return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.file.src.Ref, b.file.src.Ref), a.Line-b.Line)
		})
		g.score = g.list[0].score
		if len(g.list) > 1 {
			r.scoreGroup(g, df, n, mean, own, total)
		}
	}
	slices.SortStableFunc(out, func(a, b optionGroup) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.key, b.key))
	})
	if len(out) > 0 && out[0].list[0].cover < minOption {
		return nil
	}
	return out[:min(len(out), 12)]
}

// scoreGroup scores a group as if its declarations were one: a table names the option, a document
// explains it.
func (r *optionRanking) scoreGroup(g *optionGroup, df []float64, n, mean float64, own int, total float64) {
	best := 0
	for i, d := range g.list[:min(len(g.list), 8)] {
		if d.score >= .4*g.list[0].score && d.trust()*d.asked > 1.02*g.list[best].trust()*g.list[best].asked {
			best = i
		}
	}
	lead := g.list[best]
	copy(g.list[1:best+1], g.list[:best])
	g.list[0] = lead // where it is declared comes before where it is explained
	all := *lead
	all.held = slices.Clone(lead.held)
	for _, d := range g.list[1:min(len(g.list), 8)] {
		if d.file.bucket == coderank.Test {
			continue
		}
		for k, h := range d.held {
			all.held[k] = max(all.held[k], h)
		}
		all.Help = cmp.Or(all.Help, d.Help)
		all.size = math.Max(all.size, d.size)
	}
	all.score = 0
	r.score(&all, df, n, mean, own, total)
	g.score = math.Max(g.score, all.score)
	lead.cover = all.cover
}

// score computes BM25 over name, owner and help, times the share of the question that is covered.
func (r *optionRanking) score(d *declared, df []float64, n, mean float64, own int, total float64) {
	norm := retrieval.Norm(.35, d.size, mean)
	held := make([]float64, own)
	for k, t := range r.terms {
		if d.held[k] > 0 {
			w := retrieval.Saturate(float64(d.held[k])/norm, 1.5)
			if k >= own {
				w *= .6
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
	d.score *= math.Sqrt(d.cover) * d.trust() * (1 + .6*d.named) * d.asked
}

// trust returns how likely a declaration of this kind, in this kind of file, is an option.
func (d *declared) trust() float64 {
	t := 1.0
	switch d.Kind {
	case settings.Field:
		t = .7
		if speaksOfOptions(d.Owner) || namedAsTable(d.Owner) {
			t = .85
		}
	case settings.Setter:
		t = .75
	case settings.Documented:
		t = .85
	}
	switch d.file.bucket {
	case coderank.Test:
		t *= .2
	case coderank.Docs:
		t *= .95
	}
	if d.Help == "" {
		t *= .9
	}
	return t / (1 + .004*float64(d.file.at))
}

// unjoined removes the separators of words in a name.
var unjoined = strings.NewReplacer("-", "", "_", "", ".", "")

// normalOption normalizes the spelling of an option's name.
func normalOption(s string) string {
	return strings.ToLower(unjoined.Replace(s))
}
