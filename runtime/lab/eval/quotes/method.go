package quotes

import (
	"cmp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// Method answers a question from passages, the best first, in at most the given number of tokens.
type Method struct {
	Name   string
	Answer func(question string, passages []answer.Passage, tokens int) (answer.Answer, error)
}

// Composed returns the method that is measured, with a policy.
func Composed(p answer.Policy) Method {
	return Method{"composed", func(question string, passages []answer.Passage, most int) (answer.Answer, error) {
		p.Tokens = most
		return answer.Compose(question, passages, p)
	}}
}

// Baselines returns the methods that an answer is compared with. None of them abstains if
// there is a passage.
func Baselines() []Method {
	return []Method{
		{"first chunk", func(_ string, list []answer.Passage, most int) (answer.Answer, error) {
			if len(list) == 0 {
				return abstain(), nil
			}
			p := list[0]
			text := cutText(p.Text, most)
			return answer.Answer{Text: text, Citations: []answer.Citation{{ID: p.ID, URI: p.URI, Quote: text, Start: p.Start, End: p.Start + len(text)}}}, nil
		}},
		{"first sentences", func(_ string, list []answer.Passage, most int) (answer.Answer, error) {
			return fillAnswer(withoutHeadings(list), most), nil
		}},
		{"bm25 sentences", func(question string, list []answer.Passage, most int) (answer.Answer, error) {
			return fillAnswer(byWords(question, withoutHeadings(list)), most), nil
		}},
	}
}

// Ceiling returns a method that quotes all that was found, however long: what no passage
// says, no method can quote.
func Ceiling() Method {
	return Method{"all that was found", func(_ string, list []answer.Passage, _ int) (answer.Answer, error) { return quoteWhole(list), nil }}
}

// quoteWhole quotes the passages in full.
func quoteWhole(list []answer.Passage) answer.Answer {
	if len(list) == 0 {
		return abstain()
	}
	a := answer.Answer{}
	for _, p := range list {
		a.Text += p.Text + "\n\n"
		a.Citations = append(a.Citations, answer.Citation{ID: p.ID, URI: p.URI, Quote: p.Text, Start: p.Start, End: p.End})
	}
	return a
}

func abstain() answer.Answer { return answer.Answer{Abstained: answer.NoPassages} }

// cutText shortens a text, by about a tenth at a time and between words, until it fits.
func cutText(text string, most int) string {
	for !tokens.Fits(text, most) {
		cut := strings.LastIndexAny(text[:len(text)*9/10], " \n")
		if cut <= 0 {
			return ""
		}
		text = text[:cut]
	}
	return text
}

// withoutHeadings returns the units of passages without the headings.
func withoutHeadings(list []answer.Passage) []answer.Unit {
	return slices.DeleteFunc(answer.Units(list), func(u answer.Unit) bool { return u.Kind == "heading" })
}

// fillAnswer joins units in their order, and skips those with which the text would have too many tokens.
func fillAnswer(list []answer.Unit, most int) answer.Answer {
	if len(list) == 0 {
		return abstain()
	}
	a := answer.Answer{}
	for _, u := range list {
		text := strings.TrimPrefix(a.Text+"\n"+u.Quote, "\n")
		if tokens.Fits(text, most) {
			a.Text = text
			a.Citations = append(a.Citations, u.Citation)
		}
	}
	return a
}

// byWords sorts units by BM25, with the statistics of these units.
func byWords(question string, list []answer.Unit) []answer.Unit {
	counts := make([]map[string]float64, len(list))
	df := map[string]float64{}
	total := 0.0
	for i, u := range list {
		counts[i] = countStems(u.Quote)
		for s, n := range counts[i] {
			df[s]++
			total += n
		}
	}
	mean := max(1, total/float64(max(1, len(list))))
	scores := make([]float64, len(list))
	asked := countStems(question)
	for i := range list {
		length := 0.0
		for _, n := range counts[i] {
			length += n
		}
		for s := range asked {
			if n := counts[i][s]; n > 0 {
				scores[i] += retrieval.IDF(float64(len(list)), df[s]) * retrieval.Saturate(n/retrieval.Norm(0.75, length, mean), 1.2)
			}
		}
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	out := make([]answer.Unit, len(list))
	for i, at := range order {
		out[i] = list[at]
	}
	return out
}

var stops = words.Set(words.CommonStops())

// countStems counts the stems of a text's words.
func countStems(text string) map[string]float64 {
	out := map[string]float64{}
	words.Split(text, nil, func(w words.Word) {
		if w.Text != "" && !w.Part && !stops[w.Text] {
			out[words.Root(w.Text)]++
		}
	})
	return out
}
