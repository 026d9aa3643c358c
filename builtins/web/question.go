package web

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/builtins/web/page"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// maxTerms bounds how many terms of a question are searched.
const maxTerms = 48

// Weights of the ranking: BM25 over sentences, in which words of the headings and of the enclosing
// paragraph count less.
const (
	saturation = 1.2
	shorter    = 0.4 // how much length counts
	ofHeadings = 0.5
	ofBlock    = 0.25
)

// question holds the terms to search for.
type question struct {
	terms  []string
	enough float64 // share below which a sentence answers nothing
}

// stops returns words that do not identify a subject.
var stops = sync.OnceValue(func() map[string]bool { return words.Set(words.CommonStops(), asking) })

//go:embed lists/asking.txt
var asking string

// askedOf extracts the terms of a question, without the addresses in it.
func askedOf(env *catalog.Env, in AnswerInput) question {
	text := in.Question
	var plain []string
	for _, word := range strings.Fields(text) {
		if len(env.Web.Named(word)) == 0 {
			plain = append(plain, word)
		}
	}
	q, spaceless := question{enough: enough}, 0
	words.Split(strings.Join(plain, " "), nil, func(w words.Word) {
		stem := words.StemOf(w.Text)
		first, _ := utf8.DecodeRuneInString(w.Text)
		if w.Text == "" || w.Part && !words.Spaceless(first) || stops()[w.Text] || slices.Contains(q.terms, stem) || len(q.terms) == maxTerms {
			return
		}
		q.terms = append(q.terms, stem)
		if words.Spaceless(first) {
			spaceless++
		}
	})
	if spaceless > len(q.terms)/2 { // question words cannot be told from others in these scripts
		q.enough = enough * 0.7
	}
	return q
}

// countTerms returns how often a text contains each term, and its number of words.
func (q question) countTerms(text string) (tf []float64, length float64) {
	tf = make([]float64, len(q.terms))
	words.Split(text, nil, func(w words.Word) {
		if w.Text == "" {
			return
		}
		if !w.Part {
			length++
		}
		if i := slices.Index(q.terms, words.StemOf(w.Text)); i >= 0 {
			tf[i]++
		}
	})
	return tf, length
}

// sentence is a sentence of a page, with its score.
type sentence struct {
	of    *source
	at    int // index of its block
	block page.Block
	text  string
	said  []float64 // by term, including its headings and paragraph
	long  float64
	score float64
	share float64 // of the question that it covers
}

// rankSentences returns the sentences of pages that contain a term of the question, best first. The order of
// equal ones is stable.
func (q question) rankSentences(pages []*source) []sentence {
	var all []sentence
	df, total := make([]float64, len(q.terms)), 0.0
	for _, p := range pages {
		for i, b := range p.doc.Blocks {
			if b.Code {
				continue
			}
			heads, _ := q.countTerms(strings.Join(b.Headings, " ") + " " + p.doc.Title)
			whole, _ := q.countTerms(b.Text)
			for _, text := range splitSentences(b.Text) {
				tf, long := q.countTerms(text)
				said := slices.Clone(tf)
				own := 0.0
				for t := range tf {
					own += tf[t]
					if tf[t] > 0 {
						df[t]++
					}
					said[t] += ofHeadings*min(heads[t], 1) + ofBlock*min(max(whole[t]-tf[t], 0), 2)
				}
				total += long
				if own > 0 || len(q.terms) == 0 {
					all = append(all, sentence{of: p, at: i, block: b, text: text, said: said, long: long})
				} else {
					all = append(all, sentence{long: long})
				}
			}
		}
	}
	n, mean := float64(len(all)), max(total/max(float64(len(all)), 1), 1)
	idf, asks, whole := make([]float64, len(q.terms)), make([]float64, len(q.terms)), 0.0
	for t := range q.terms {
		idf[t] = retrieval.IDF(n, df[t])
	}
	for t := range q.terms { // damped: among few sentences, a missing word would outweigh all others
		asks[t] = 1 + idf[t]/slices.Max(idf)
		whole += asks[t]
	}
	all = slices.DeleteFunc(all, func(s sentence) bool { return s.of == nil })
	for i := range all {
		s := &all[i]
		gain := (retrieval.Field{Weight: 1, Norm: shorter}).Gain(max(s.long, 4), mean)
		for t, tf := range s.said {
			if tf > 0 {
				s.score += idf[t] * retrieval.Saturate(tf*gain, saturation)
				s.share += asks[t] * min(tf*2, 1) / whole // a word in a heading counts fully, in the paragraph half
			}
		}
	}
	slices.SortStableFunc(all, func(a, b sentence) int { return retrieval.Descending(a.score, b.score) })
	return dropRepeated(all)
}

// dropRepeated drops sentences with the same text as an earlier one.
func dropRepeated(list []sentence) []sentence {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s sentence) bool {
		had := seen[s.text]
		seen[s.text] = true
		return had
	})
}

// bestLinks returns the addresses that a page links to whose words match the question best.
func (q question) bestLinks(env *catalog.Env, p *source, most int) []string {
	type scored struct {
		at    string
		score float64
	}
	best := map[string]float64{}
	var order []scored
	df := make([]float64, len(q.terms))
	says := make([][]float64, len(p.doc.Links))
	for i, l := range p.doc.Links {
		says[i], _ = q.countTerms(l.Text + " " + strings.NewReplacer("/", " ", "-", " ", "_", " ").Replace(l.Href))
		for t, n := range says[i] {
			df[t] += min(n, 1)
		}
	}
	for i, l := range p.doc.Links {
		score := 0.0
		for t, n := range says[i] {
			score += retrieval.IDF(float64(len(says)), df[t]) * min(n, 1)
		}
		at := ""
		if score > 0 {
			at = env.Web.Link(p.page, l.Href)
		}
		if _, had := best[at]; at == "" || had || at == p.page.URL {
			continue
		}
		best[at] = score
		order = append(order, scored{at, score})
	}
	slices.SortStableFunc(order, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var out []string
	for _, o := range order[:min(len(order), most)] {
		out = append(out, o.at)
	}
	return out
}
