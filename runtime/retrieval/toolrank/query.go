package toolrank

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// maxQuery limits the bytes of a query that are read, and maxWords its words that count.
const (
	maxQuery = 16 << 10
	maxWords = 256
)

// kind says why a unit is searched for.
type kind uint8

const (
	exact kind = iota
	spelling
	kin
	synonym
	topic
	meant
	pair
)

// unit is one thing that a query looks for.
type unit struct {
	term   *term
	weight float64 // the most that it adds to a score
	word   int32   // the word of the query that asks for it
	id     int32
	kind   kind
}

// asked is a word of the query.
type asked struct {
	text   string
	stem   string
	weight float64
	count  int
	id     int32 // in the index, or -1
	named  bool
	part   bool
	join   bool // a compound, its pieces after it
	phrase bool // an expression of words that carry no meaning
	matter bool // says what the query is about
}

// heard is an expression of a query and the group that it stands for.
type heard struct{ word, group int32 }

// query is a parsed query.
type query struct {
	words   []asked
	units   []unit // by word and kind, pairs last
	heard   []heard
	asks    map[int32]float64 // words, and how well they are asked for
	kinds   map[int32]float64 // groups
	held    []float64         // scratch memory of matterHeld
	acts    acts
	order   acts    // actions that its parts begin with
	ordered bool    // whether each of its parts begins with one
	where   []int32 // words that may name the server that is meant
	values  slots   // the kinds of values that it holds
	full    float64 // what a document that holds everything would score
}

// shortenText shortens a text to the part that is read: its beginning and its end.
func shortenText(text string) string {
	if len(text) <= maxQuery {
		return text
	}
	return text[:maxQuery/2] + " " + text[len(text)-maxQuery/2:]
}

// parse parses a query.
func (ix *Index) parse(text string) *query {
	text = shortenText(text)
	q := &query{values: queryValues(text), acts: actsOf(text)}
	parts := splitClauses(text)
	q.order, q.ordered = orderActs(parts)
	at := map[string]int{}
	var roots []string // of all words; places has their indexes in q.words, or -1
	var places []int
	last, pairs := int32(-1), [][2]int32(nil)
	before := ""
	splitWords(text, func(w word) {
		if whereLead[before] && len(parts) < 2 {
			if id, ok := ix.ids[w.stem]; ok {
				q.where = append(q.where, id)
			}
		}
		before = w.Text
		if w.stem == "" || stopWords()[w.Text] {
			last = -1
			roots, places = append(roots, w.stem), append(places, -1)
			return
		}
		i, ok := at[w.stem]
		if !ok {
			if len(q.words) == maxWords {
				return
			}
			i = len(q.words)
			at[w.stem] = i
			q.words = append(q.words, ix.newAsked(w))
		}
		a := &q.words[i]
		a.count++
		roots, places = append(roots, w.stem), append(places, i)
		if w.Join {
			return
		}
		if last >= 0 && a.id >= 0 && last != a.id {
			if key := [2]int32{last, a.id}; !slices.Contains(pairs, key) {
				pairs = append(pairs, key)
			}
		}
		last = a.id
	})
	ix.addSayings(q, roots, places)
	if q.acts == 0 {
		q.acts = readAct
	}
	ix.addUnits(q)
	slices.SortStableFunc(q.units, func(a, b unit) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.kind, b.kind)) })
	q.callsFor(&ix.w)
	for _, key := range pairs {
		if t := ix.pairs[key]; t != nil {
			q.units = append(q.units, unit{t, ix.w.Pair * ix.pairWeight(q, key) * t.idf, 0, 0, pair})
		}
	}
	return q
}

func (ix *Index) newAsked(w word) asked {
	a := asked{text: w.Text, stem: w.stem, weight: 1, id: -1, named: w.Name, part: w.Part, join: w.Join}
	if id, ok := ix.ids[w.stem]; ok {
		a.id = id
	}
	a.matter = !frameWords()[w.Text] && !plainVerbs()[w.Text] && !w.Join
	if frameWords()[w.Text] {
		a.weight *= ix.w.Frame
	}
	if w.Name && words.Digits(w.Text) {
		a.weight *= ix.w.Name
	}
	if w.Part {
		a.weight *= ix.w.Part
	}
	return a
}

// pairWeight returns the lesser weight of a pair's words.
func (ix *Index) pairWeight(q *query, key [2]int32) float64 {
	least := 1.0
	for i := range q.words {
		if id := q.words[i].id; id == key[0] || id == key[1] {
			least = min(least, q.words[i].weight)
		}
	}
	return least
}

// addUnits adds the units of a query's words.
func (ix *Index) addUnits(q *query) {
	groups := map[int32]int{} // the index of a group's unit
	for i := range q.words {
		a := &q.words[i]
		if a.phrase {
			continue
		}
		a.weight *= 1 + ix.w.Repeat*math.Log(float64(a.count))
		list := thesaurus().of[a.stem]
		if a.id >= 0 {
			t := &ix.words[a.id]
			idf := ix.conceptIDF(t, list)
			q.units = append(q.units, unit{t, a.weight * idf, int32(i), a.id, exact})
			q.full += a.weight * idf
		} else {
			q.full += a.weight * ix.maxIDF * unheldFactor(a)
			if near, share := ix.nearestWord(a.stem); near >= 0 && !a.part && !thesaurus().knows(a.stem) {
				t := &ix.words[near]
				q.units = append(q.units, unit{t, a.weight * share * ix.w.Near * t.idf, int32(i), near, spelling})
				list = thesaurus().of[t.stem]
			}
		}
		if a.id >= 0 && !a.part {
			for _, f := range ix.relatedWords(a.id) {
				t := &ix.words[f]
				q.units = append(q.units, unit{t, a.weight * ix.w.Family * t.idf, int32(i), f, kin})
			}
		}
		for _, g := range list {
			t := &ix.groups[g]
			if len(t.posts) == 0 {
				continue
			}
			k, share := synonym, ix.w.Synonym
			if thesaurus().groups[g].topic {
				k, share = topic, ix.w.Topic
			}
			weight := a.weight * share * t.idf
			if u, ok := groups[g]; ok {
				q.units[u].weight = max(q.units[u].weight, weight) + 0.3*min(q.units[u].weight, weight)
				continue
			}
			groups[g] = len(q.units)
			q.units = append(q.units, unit{t, weight, int32(i), g, k})
		}
	}
	for _, h := range q.heard {
		if t := &ix.groups[h.group]; len(t.posts) > 0 {
			q.units = append(q.units, unit{t, q.words[h.word].weight * ix.w.Meant * t.idf, h.word, h.group, meant})
		}
	}
}

// conceptIDF returns the rarity of the concept behind a word: a rare word for something that many
// tools say in other words tells less than its own rarity.
func (ix *Index) conceptIDF(t *term, groups []int32) float64 {
	least := t.idf
	for _, g := range groups {
		if !thesaurus().groups[g].topic {
			least = min(least, ix.groups[g].idf)
		}
	}
	return t.idf + ix.w.Concept*(least-t.idf)
}

// unheldFactor returns how much a word that no tool holds counts in the score of a perfect fit: tools are
// not described with names and values, and few tools are described in a script other than Latin.
func unheldFactor(a *asked) float64 {
	r, _ := utf8.DecodeRuneInString(a.text)
	switch {
	case words.Spaceless(r): // most pairs of characters are not words
		return 0.04
	case r >= utf8.RuneSelf:
		return 0.1
	case a.named:
		return 0.3
	}
	return 1
}
