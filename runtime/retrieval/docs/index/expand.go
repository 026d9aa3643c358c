package index

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Expansion says which words of passages are added to a question.
type Expansion struct {
	Terms         int     // number of feedback terms
	Abbreviations bool    // whether abbreviations that the passages spell out are added
	Weight        float64 // of an added word; one of the question counts 1
}

// FeedbackPassages is the number of the best passages that words are taken from.
const FeedbackPassages = 10

// Sources of added words, as breakdowns name them.
const (
	FromFeedback     = "feedback"
	FromAbbreviation = "abbreviation"
)

// Top is a passage that words are taken from.
type Top struct {
	Text  string
	Score float64 // of the first search
}

// Expand returns words of the best passages of a first search: the terms of relevance feedback
// (RM3, Abdul-Jaleel and others, 2004), and abbreviations that a passage spells out, if the
// question has one side of them (Schwartz and Hearst, 2003).
func (ix *Index) Expand(question string, best []Top, e Expansion) []More {
	have := map[string]bool{}
	eachWord(question, func(w string) { have[words.StemOf(w)] = true })
	var out []More
	if e.Abbreviations {
		for _, r := range best {
			for _, a := range Abbreviations(r.Text) {
				if m, ok := a.missingSide(have, e.Weight); ok && !slices.Contains(out, m) {
					out = append(out, m)
				}
			}
		}
	}
	if e.Terms > 0 {
		out = append(out, ix.feedbackTerms(best, have, e)...)
	}
	return out
}

// feedbackTerms returns the terms that occur most in the passages and least elsewhere. The best one
// counts the whole weight, the others their share of it.
func (ix *Index) feedbackTerms(best []Top, have map[string]bool, e Expansion) []More {
	type term struct {
		word   string
		weight float64
	}
	at := map[string]*term{}
	for _, r := range best {
		counts, all := map[string]int{}, 0
		eachWord(r.Text, func(w string) {
			all++
			if !stops[w] && !words.Digits(w) {
				counts[w]++
			}
		})
		for w, n := range counts {
			stem := words.StemOf(w)
			id := ix.terms.id(stem)
			if have[stem] || id < 0 || ix.terms.keys[id].passages < 2 {
				continue
			}
			t := at[stem]
			if t == nil {
				t = &term{word: w}
				at[stem] = t
			}
			if len(w) < len(t.word) || len(w) == len(t.word) && w < t.word {
				t.word = w
			}
			t.weight += r.Score * float64(n) / float64(all) * ix.idf(&ix.terms, id)
		}
	}
	var list []*term
	for _, t := range at {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *term) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.word, b.word)) })
	var out []More
	for _, t := range list[:min(len(list), e.Terms)] {
		out = append(out, More{Text: t.word, Weight: e.Weight * t.weight / list[0].weight, From: FromFeedback})
	}
	return out
}

// Abbreviation is an abbreviation that a text spells out, such as "transport layer security (TLS)".
type Abbreviation struct{ Short, Long string }

// Abbreviations returns the abbreviations that a text spells out.
func Abbreviations(text string) (out []Abbreviation) {
	for from := 0; ; {
		open := strings.IndexByte(text[from:], '(')
		if open < 0 {
			return out
		}
		open += from
		from = open + 1
		end := strings.IndexByte(text[from:min(len(text), from+12)], ')')
		if end < 0 {
			continue
		}
		short := text[from : from+end]
		if !isShort(short) {
			continue
		}
		if long := longOf(short, strings.Fields(text[max(0, open-200):open])); long != "" {
			out = append(out, Abbreviation{short, long})
		}
	}
}

// isShort reports whether something may be an abbreviation: two to ten letters and digits,
// most of them capitals.
func isShort(s string) bool {
	upper, all := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			upper++
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-':
			return false
		}
		all++
	}
	return upper >= 2 && all >= 2 && all <= 10 && 2*upper > all
}

// longOf returns the last words of a text that begin with the letters of an abbreviation, or "".
func longOf(short string, before []string) string {
	letters := []rune(strings.ToLower(strings.ReplaceAll(short, "-", "")))
	at := len(before)
	for i := len(letters) - 1; i >= 0; {
		at--
		if at < 0 || len(before)-at > len(letters)+3 {
			return ""
		}
		word := strings.ToLower(strings.TrimFunc(before[at], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
		if word == "" {
			return ""
		}
		if strings.HasPrefix(word, string(letters[i])) {
			i--
		} else if !stops[word] {
			return ""
		}
	}
	return strings.ToLower(strings.Join(before[at:], " "))
}

// missingSide returns the side of an abbreviation that a question lacks.
func (a Abbreviation) missingSide(have map[string]bool, weight float64) (More, bool) {
	all, n := true, 0
	eachWord(a.Long, func(w string) {
		if !stops[w] {
			n++
			all = all && have[words.StemOf(w)]
		}
	})
	short := have[words.StemOf(strings.ToLower(a.Short))]
	switch {
	case short == (all && n > 0), n == 0:
		return More{}, false
	case short:
		return More{Text: a.Long, Weight: weight, From: FromAbbreviation}, true
	}
	return More{Text: a.Short, Weight: weight, From: FromAbbreviation}, true
}

// Empty reports whether nothing is added.
func (e Expansion) Empty() bool {
	return e.Weight <= 0 || e.Terms <= 0 && !e.Abbreviations || math.IsNaN(e.Weight)
}
