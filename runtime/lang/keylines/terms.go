package keylines

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Terms holds the stems of a query with their weights.
type Terms struct {
	index   map[string]int
	weights []float64
}

// Add gives a stem a weight, unless it already has one.
func (t *Terms) Add(stem string, weight float64) {
	if t.index == nil {
		t.index = map[string]int{}
	}
	if _, have := t.index[stem]; have || stem == "" {
		return
	}
	t.index[stem] = len(t.weights)
	t.weights = append(t.weights, weight)
}

// Len returns the number of terms.
func (t *Terms) Len() int { return len(t.weights) }

// maxWord limits the length of the subwords that are compared, in bytes.
const maxWord = 48

// indexesIn returns the indexes of the terms in a text, each once, in the order of the text.
func (t *Terms) indexesIn(text string) []int {
	if len(t.weights) == 0 {
		return nil
	}
	var out []int
	eachWord(text, func(w string) {
		i, ok := t.index[words.StemOf(strings.ToLower(w))]
		if !ok {
			return
		}
		for _, have := range out {
			if have == i {
				return
			}
		}
		out = append(out, i)
	})
	return out
}

// Weigh returns the total weight of the terms in a text.
func (t *Terms) Weigh(text string) float64 {
	sum := 0.0
	for _, i := range t.indexesIn(text) {
		sum += t.weights[i]
	}
	return sum
}

// eachWord calls fn for each subword of a text.
func eachWord(text string, fn func(w string)) {
	for i := 0; i < len(text); {
		if c := words.ClassOf(text[i]); c == words.Separator || c == words.Under {
			i++
			continue
		}
		end := words.Next(text, i)
		if end-i > 1 && end-i <= maxWord {
			fn(text[i:end])
		}
		i = max(end, i+1)
	}
}

// Beyond returns the terms with a reduced weight for those that a name already contains.
func (t *Terms) Beyond(name string) *Terms {
	out := &Terms{index: t.index, weights: slices.Clone(t.weights)}
	for _, i := range t.indexesIn(name) {
		out.weights[i] *= ownWeight
	}
	return out
}

// ownWeight is the factor for a term of the definition's own name in its body.
const ownWeight = 0.4
