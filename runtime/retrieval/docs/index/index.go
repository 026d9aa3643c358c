package index

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// Index finds passages. Several goroutines may search it at the same time.
type Index struct {
	set     Settings
	groups  []Group
	ids     []string
	lengths []float32 // of the passages, in weighted words
	terms   table
	grams   table
	space   *space // nil without latent semantic indexing

	saturation []float32 // by passage: the number of occurrences that count half of the most
	magnitude  []float32 // by passage: the length of its vector of n-grams
}

// Len returns the number of passages.
func (ix *Index) Len() int { return len(ix.ids) }

// ID returns the id of the passage with the given number.
func (ix *Index) ID(passage int) string { return ix.ids[passage] }

// Settings returns the settings that the index was built with.
func (ix *Index) Settings() Settings { return ix.set }

// Assemble combines the wanted groups into an index, in their order. Each comes from the first
// source that has it: segments, or an index that was assembled from some of them. The index is the
// same, whichever segments the groups are in. Space may be nil; if it is not, all sources must have
// vectors of it.
func Assemble(set Settings, want []Group, space *Space, from ...Source) (*Index, error) {
	sources, err := sourcesOf(want, from)
	if err != nil {
		return nil, err
	}
	n := passagesOf(want)
	ix := &Index{set: set, groups: slices.Clone(want), ids: make([]string, n), lengths: make([]float32, n)}
	for _, s := range sources {
		s.copyPassages(ix.ids, ix.lengths)
	}
	if err := mergeKeys(sources, wordsOf, ix.terms.add); err != nil {
		return nil, err
	}
	if err := mergeKeys(sources, gramsOf, ix.grams.add); err != nil {
		return nil, err
	}
	ix.prepare()
	if space.dims() == 0 || n == 0 {
		return ix, nil
	}
	v, err := gatherVectors(sources, n)
	if err == nil && v.dims != space.dims() {
		err = fmt.Errorf("index: %w: vectors of %d dimensions, of %d", ErrDamaged, v.dims, space.dims())
	}
	if err != nil {
		return nil, err
	}
	ix.enterSpace(space, v)
	return ix, nil
}

// Groups returns the groups that the index was assembled from.
func (ix *Index) Groups() []Group { return ix.groups }

// Digest identifies everything that the index says about its passages; it is the same for the same
// passages in the same order, whichever segments they came from. The latent space learnt from them
// is left out.
func (ix *Index) Digest() string {
	h := sha256.New()
	for i, id := range ix.ids {
		fmt.Fprintf(h, "%d:%s %08x\n", len(id), id, math.Float32bits(ix.lengths[i]))
	}
	for _, t := range []*table{&ix.terms, &ix.grams} {
		for _, k := range t.keys {
			fmt.Fprintf(h, "%d:%s %d %d:", len(k.name), k.name, k.passages, k.size)
			h.Write(t.data[k.at : k.at+k.size])
		}
		fmt.Fprintf(h, "%d keys\n", len(t.keys))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// words calls emit for each term with its postings.
func (ix *Index) words(emit func(name []byte, passages int, postings []byte)) error {
	for k := ix.terms.walk(ix.Len()); k.next(); {
		data, count, _ := k.postings()
		emit(k.name(), count, data)
	}
	return nil
}

// prepare computes the values that are not stored.
func (ix *Index) prepare() {
	sum := 0.0
	for _, l := range ix.lengths {
		sum += float64(l)
	}
	mean := sum / float64(max(1, len(ix.lengths)))
	if mean == 0 {
		mean = 1
	}
	ix.saturation = make([]float32, len(ix.lengths))
	for i, l := range ix.lengths {
		ix.saturation[i] = float32(ix.set.K1 * retrieval.Norm(ix.set.B, float64(l), mean))
	}
	squares := make([]float64, len(ix.ids))
	for id := range ix.grams.keys {
		idf := ix.idf(&ix.grams, id)
		ix.grams.each(id, func(p posting) {
			w := idf * logCount(p.counts[Body])
			squares[p.passage] += w * w
		})
	}
	ix.magnitude = make([]float32, len(squares))
	for i, s := range squares {
		ix.magnitude[i] = float32(math.Sqrt(s))
	}
}

// idf returns the inverse document frequency of a key of a table.
func (ix *Index) idf(t *table, id int) float64 {
	passages := 0
	if id >= 0 {
		passages = t.keys[id].passages
	}
	return retrieval.IDF(float64(len(ix.ids)), float64(passages))
}

// logs are 1 + ln n for the counts that most keys have.
var logs = func() (t [64]float64) {
	for n := 1; n < len(t); n++ {
		t[n] = 1 + math.Log(float64(n))
	}
	return t
}()

// logCount returns the weight of n occurrences in a vector: 1 + ln n, 0 for none.
func logCount(n uint32) float64 {
	if n < uint32(len(logs)) {
		return logs[n]
	}
	return 1 + math.Log(float64(n))
}
