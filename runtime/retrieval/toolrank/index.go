package toolrank

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// posting says how much of a term a document holds, 0..1, and in which fields.
type posting struct {
	doc    int32
	weight float32
	fields uint16
}

// term is a stem that documents hold, or a group of words any of which they hold.
type term struct {
	text   string // a word as it was written, for display
	stem   string
	posts  []posting
	idf    float64
	groups []int32 // of a word: the groups it is in
}

// Index holds tools for searching. It is immutable and safe for concurrent use. The documents given
// to New must not be changed afterwards.
type Index struct {
	docs         []Doc
	w            weights
	words        []term
	ids          map[string]int32 // the number of a stem in words
	groups       []term           // by number in the thesaurus
	pairs        map[[2]int32]*term
	held         [][]int32 // the words of each document
	names        [][]nameWord
	grams        map[[3]byte][]int32
	maxIDF       float64
	acts, deeds  []acts  // of the name, and of the beginning of the description
	takes, needs []slots // the values that a document takes, and requires
}

// New indexes docs.
func New(docs []Doc) *Index { return buildIndex(docs, standardWeights()) }

func buildIndex(docs []Doc, w weights) *Index {
	ix := &Index{docs: docs, w: w, ids: map[string]int32{}, pairs: map[[2]int32]*term{},
		groups: make([]term, len(thesaurus().groups)), held: make([][]int32, len(docs))}
	ix.takes, ix.needs = make([]slots, len(docs)), make([]slots, len(docs))
	ix.acts, ix.deeds = make([]acts, len(docs)), make([]acts, len(docs))
	known := map[string]bool{}
	for i := range docs {
		if strings.ContainsAny(docs[i].Name, "_-.") {
			known[docs[i].Name] = true
		}
	}
	b := builder{ix: ix, known: known, perDoc: make([]counts, len(docs))}
	for i := range docs {
		b.read(&b.perDoc[i], &docs[i])
		ix.acts[i], ix.deeds[i] = actsOf(docs[i].Name), descriptionActs(&docs[i])
		ix.takes[i], ix.needs[i] = slotsOf(&docs[i])
	}
	b.finish()
	return ix
}

// counts holds the occurrences of terms in one document, by field.
type counts struct {
	words  map[int32]*[fields]float32
	groups map[int32]*[fields]float32
	pairs  map[[2]int32]*[fields]float32
	length [fields]float32
	whole  map[int32]bool // compounds whose pieces are counted, too
}

type builder struct {
	ix     *Index
	known  map[string]bool // the names of tools that cannot be common words
	perDoc []counts
}

// read counts the words of a document.
func (b *builder) read(c *counts, d *Doc) {
	*c = counts{map[int32]*[fields]float32{}, map[int32]*[fields]float32{}, map[[2]int32]*[fields]float32{}, [fields]float32{}, map[int32]bool{}}
	b.countField(c, fieldName, d.Name)
	b.countField(c, fieldTitle, d.Title)
	lead, body, rest := splitProse(stripToolNames(d.Description, d.Name, b.known))
	b.countField(c, fieldLead, lead)
	b.countField(c, fieldText, body)
	b.countField(c, fieldRest, rest)
	b.countField(c, fieldServer, d.Server)
	b.countField(c, fieldServerText, d.ServerText)
	for _, t := range d.Tags {
		b.countField(c, fieldTag, t)
	}
	for _, t := range d.Keywords {
		b.countField(c, fieldKeyword, t)
	}
	for _, p := range d.Params {
		b.countField(c, fieldParam, p.Name)
		b.countField(c, fieldParamText, p.Description)
		for _, e := range p.Enum {
			b.countField(c, fieldEnum, e)
		}
	}
}

// countField counts the words of one field.
func (b *builder) countField(c *counts, f field, text string) {
	last := int32(-1)
	splitWords(text, func(w word) {
		if w.stem == "" || stopWords()[w.Text] {
			return
		}
		id := b.wordID(w)
		add(c.words, id, f)
		if !w.Join {
			c.length[f]++
		}
		for _, g := range b.ix.words[id].groups {
			add(c.groups, g, f)
		}
		if w.Join {
			c.whole[id] = true
			return
		}
		if last >= 0 && f <= fieldText {
			add(c.pairs, [2]int32{last, id}, f)
		}
		last = id
	})
}

func add[K comparable](m map[K]*[fields]float32, k K, f field) {
	n := m[k]
	if n == nil {
		n = new([fields]float32)
		m[k] = n
	}
	n[f]++
}

// wordID returns the number of a word's stem, and adds the stem if it is new.
func (b *builder) wordID(w word) int32 {
	id, ok := b.ix.ids[w.stem]
	if !ok {
		id = int32(len(b.ix.words))
		key := strings.Clone(w.stem)
		b.ix.ids[key] = id
		b.ix.words = append(b.ix.words, term{text: strings.Clone(w.Text), stem: key, groups: thesaurus().groupsHeld(w.stem)})
	}
	return id
}

// finish turns the counts into postings, in the order of the documents.
func (b *builder) finish() {
	ix := b.ix
	var mean [fields]float64
	for f := range mean {
		n := 0.0
		for i := range b.perDoc {
			if l := float64(b.perDoc[i].length[f]); l > 0 {
				mean[f] += l
				n++
			}
		}
		mean[f] /= max(n, 1)
	}
	for i := range b.perDoc {
		c := &b.perDoc[i]
		var norm [fields]float64
		for f := range norm {
			norm[f] = retrieval.Field{Weight: ix.w.Field[f], Norm: ix.w.Len[f]}.Gain(float64(c.length[f]), max(mean[f], 1))
		}
		for id, n := range c.words {
			ix.words[id].posts = append(ix.words[id].posts, ix.posting(i, n, &norm))
			ix.held[i] = append(ix.held[i], id)
		}
		slices.Sort(ix.held[i])
		for id, n := range c.groups {
			ix.groups[id].posts = append(ix.groups[id].posts, ix.posting(i, n, &norm))
		}
		for id, n := range c.pairs {
			if ix.pairs[id] == nil {
				ix.pairs[id] = &term{}
			}
			ix.pairs[id].posts = append(ix.pairs[id].posts, ix.posting(i, n, &norm))
		}
	}
	b.computeIDF()
	b.weighGroups()
	b.nameDocs()
	ix.indexGrams()
}

func (ix *Index) posting(doc int, n *[fields]float32, norm *[fields]float64) posting {
	tf, mask := 0.0, uint16(0)
	for f, x := range n {
		if x > 0 {
			tf += float64(x) * norm[f]
			mask |= 1 << f
		}
	}
	return posting{int32(doc), float32(retrieval.Share(tf, ix.w.K)), mask}
}

// computeIDF computes the rarity of each term.
func (b *builder) computeIDF() {
	ix := b.ix
	total := float64(len(ix.docs))
	idf := func(n int) float64 { return retrieval.IDF(total, float64(n)) }
	ix.maxIDF = idf(1)
	for i := range ix.words {
		ix.words[i].idf = idf(len(ix.words[i].posts))
	}
	for i := range ix.groups {
		ix.groups[i].idf = idf(len(ix.groups[i].posts))
	}
	for _, t := range ix.pairs {
		t.idf = idf(len(t.posts))
	}
}

// weighGroups weights a tool's part in a group by the rarity of the words that put it there: of several
// words for one thing, the common ones tell less.
func (b *builder) weighGroups() {
	ix := b.ix
	for g := range ix.groups {
		if thesaurus().groups[g].said {
			ix.groups[g].idf = 0
			for i := range ix.groups[g].posts {
				ix.groups[g].posts[i].weight = 0
			}
		}
	}
	for doc := range ix.held {
		for _, id := range ix.held[doc] {
			w := &ix.words[id]
			x := float32(w.idf) * w.postingOf(int32(doc)).weight
			for _, g := range w.groups {
				if t := &ix.groups[g]; thesaurus().groups[g].said {
					t.idf = max(t.idf, w.idf)
					p := t.postingOf(int32(doc))
					p.weight = max(p.weight, x)
				}
			}
		}
	}
	for g := range ix.groups {
		if t := &ix.groups[g]; thesaurus().groups[g].said {
			for i := range t.posts {
				t.posts[i].weight /= float32(t.idf)
			}
		}
	}
}

// postingOf returns the posting of a document, or nil.
func (t *term) postingOf(doc int32) *posting {
	lo, hi := 0, len(t.posts)
	for lo < hi {
		if m := (lo + hi) / 2; t.posts[m].doc < doc {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < len(t.posts) && t.posts[lo].doc == doc {
		return &t.posts[lo]
	}
	return nil
}
