package index

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Leg ranks passages by one signal. The index has those named below; a search
// may bring others, such as vectors of a model, over the same passages.
type Leg interface {
	// Name is the name of the leg in weights and breakdowns.
	Name() string
	// Score sets scores[p] for the passages p that allow holds; all are 0 before. A score that is
	// not above 0 counts nothing.
	Score(ctx context.Context, q *Question, allow *Set, scores []float64) error
	// Explain returns the parts of the leg's score of each passage; the parts of a passage add up
	// to the score.
	Explain(ctx context.Context, q *Question, passages []int) ([][]Part, error)
}

// Part is the contribution of one part of a question to a passage.
type Part struct {
	Key   string  `json:"key"` // a term or a sequence of characters
	Score float64 `json:"score"`
	From  string  `json:"from,omitempty"` // why it is searched for, if not for the question itself
}

// Question is a question as the legs read it.
type Question struct {
	Text  string
	More  []More
	terms []asked
	grams []asked
	idle  bool // it has no word that carries meaning
}

// asked is a key that is searched for.
type asked struct {
	name  string
	id    int // in the index, -1 for none
	count float64
	from  string // why it is searched for; "" if the question itself has it
}

// parseQuestion splits a text into its keys. Words that carry no meaning count only in a text without
// others. Words that come with the question count by their weight.
func (ix *Index) parseQuestion(text string, more []More) *Question {
	q := &Question{Text: text, More: more}
	terms, grams := counter{t: &ix.terms, weight: 1}, counter{t: &ix.grams, weight: 1}
	p := plain{' '}
	eachWord(text, func(w string) {
		if !stops[w] {
			terms.add(words.StemOf(w))
			p = p.withWord(w)
		}
	})
	if q.idle = len(terms.list) == 0; q.idle {
		eachWord(text, func(w string) { terms.add(words.StemOf(w)) })
	}
	eachGram(p, func(gram []byte) { grams.add(string(gram)) })
	for _, m := range more {
		ix.addMore(m, &terms, &grams)
	}
	q.terms, q.grams = terms.list, grams.list
	return q
}

// addMore adds the words that come with a question.
func (ix *Index) addMore(m More, terms, grams *counter) {
	terms.weight, terms.from = m.Weight, m.From
	grams.weight, grams.from = m.Weight, m.From
	p := plain{' '}
	eachWord(m.Text, func(w string) {
		if !stops[w] {
			terms.add(words.StemOf(w))
			p = p.withWord(w)
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
