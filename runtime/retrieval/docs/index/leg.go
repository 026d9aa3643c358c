package index

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Leg ranks passages by one signal. The index has those named below; a search
// may bring others, such as vectors of a model, over the same passages.
type Leg interface {
	// Name is what weights and breakdowns call the leg.
	Name() string
	// Score sets scores[p] for the passages p that allow holds; all are 0 before.
	// What is not above 0 says nothing for a passage.
	Score(ctx context.Context, q *Question, allow *Set, scores []float64) error
	// Explain returns the parts of what the leg gives each of the passages; the
	// parts of a passage add up to its score.
	Explain(ctx context.Context, q *Question, passages []int) ([][]Part, error)
}

// Part is what one part of a question gives a passage.
type Part struct {
	Key   string  `json:"key"` // a term or a sequence of characters
	Score float64 `json:"score"`
	From  string  `json:"from,omitempty"` // why it is asked, where the question itself does not
}

// Question is what is asked, as the legs read it.
type Question struct {
	Text  string
	More  []More
	terms []asked
	grams []asked
	idle  bool // it has no word that carries meaning
}

// asked is a key that a question holds.
type asked struct {
	name  string
	id    int // in the index, -1 for none
	count float64
	from  string // why it is asked; "" where the question itself has it
}

// question takes a text apart. Words that carry no meaning count only where there
// are no others. Words that come with it count what they weigh.
func (ix *Index) question(text string, more []More) *Question {
	q := &Question{Text: text, More: more}
	terms, grams := counter{t: &ix.terms, weight: 1}, counter{t: &ix.grams, weight: 1}
	p := plain{' '}
	eachWord(text, func(w string) {
		if !stops[w] {
			terms.add(words.StemOf(w))
			p = p.with(w)
		}
	})
	if q.idle = len(terms.list) == 0; q.idle {
		eachWord(text, func(w string) { terms.add(words.StemOf(w)) })
	}
	eachGram(p, func(gram []byte) { grams.add(string(gram)) })
	for _, m := range more {
		ix.ask(m, &terms, &grams)
	}
	q.terms, q.grams = terms.list, grams.list
	return q
}

// ask adds the words that come with a question.
func (ix *Index) ask(m More, terms, grams *counter) {
	terms.weight, terms.from = m.Weight, m.From
	grams.weight, grams.from = m.Weight, m.From
	p := plain{' '}
	eachWord(m.Text, func(w string) {
		if !stops[w] {
			terms.add(words.StemOf(w))
			p = p.with(w)
		}
	})
	eachGram(p, func(gram []byte) { grams.add(string(gram)) })
}

// counter counts the keys of a question in the order of their first occurrence.
type counter struct {
	t      *table
	weight float64
	from   string
	list   []asked
	at     map[string]int
}

func (c *counter) add(name string) {
	if c.at == nil {
		c.at = map[string]int{}
	}
	i, ok := c.at[name]
	if !ok {
		i = len(c.list)
		c.at[name] = i
		c.list = append(c.list, asked{name: name, id: c.t.id(name), from: c.from})
	}
	c.list[i].count += c.weight
}
