package index

import (
	"context"
	"fmt"
	"math"

	"github.com/compactor-mcp/compactor/runtime/retrieval"
)

// LegLSI is the name of the leg that compares directions of meaning.
const LegLSI = "lsi"

// Space is what latent semantic indexing has learnt of a collection at some time: the directions of
// its terms, and how rare each was. It is immutable, so the vector of a passage depends on nothing
// but the passage and the space.
type Space struct {
	passages   int      // number of passages that it was learnt from
	terms      []string // terms with a direction, ascending
	counts     []int    // number of passages that held each
	directions *vectors
}

// dims returns the number of dimensions, 0 for a nil space.
func (s *Space) dims() int {
	if s == nil || s.directions == nil {
		return 0
	}
	return s.directions.dims
}

// Passages returns the number of passages when the space was learnt.
func (s *Space) Passages() int { return s.passages }

// Packed returns the stored form of the space.
func (s *Space) Packed() []byte {
	p := pack(magicSpace)
	p.number(s.passages)
	p.number(s.dims())
	if s.dims() == 0 {
		return p.sealed()
	}
	p.number(len(s.terms))
	var before []byte
	for i, t := range s.terms {
		same := sharedPrefix(before, []byte(t))
		p.number(same)
		p.text(t[same:])
		p.number(s.counts[i])
		before = []byte(t)
	}
	s.directions.into(&p)
	return p.sealed()
}

// ReadSpace reads a packed space.
func ReadSpace(data []byte) (*Space, error) {
	r, err := unpack(magicSpace, data)
	if err != nil {
		return nil, err
	}
	s := &Space{passages: r.number(maxPassages)}
	dims := r.number(maxDimensions)
	if dims == 0 {
		return s, r.end()
	}
	before := ""
	for i := range r.count(3) {
		t := before[:r.number(len(before))] + string(r.bytes())
		if r.err == nil && i > 0 && t <= before {
			r.fail("the term %q is out of order", t)
		}
		s.terms, s.counts = append(s.terms, t), append(s.counts, r.number(s.passages))
		before = t
	}
	s.directions = r.vectors(dims, len(s.terms))
	return s, r.end()
}

// idf returns the inverse document frequency that a term had.
func (s *Space) idf(row int) float64 {
	return retrieval.IDF(float64(s.passages), float64(s.counts[row]))
}

// Fold computes the vectors of the passages of a segment, and returns their stored form.
func (s *Space) Fold(set Settings, of *Segment) ([]byte, error) {
	src := of.source()
	if err := src.keepAll(); err != nil {
		return nil, err
	}
	v, err := s.fold(set, len(of.ids), func(emit func([]byte, int, []byte)) error {
		return mergeKeys([]*source{src}, wordsOf, emit)
	})
	if err != nil {
		return nil, err
	}
	return v.packed(), nil
}

// keepAll makes all passages of the source keep their numbers.
func (s *source) keepAll() error {
	first, left := map[Name]int{}, map[Name]int{}
	n := 0
	for _, g := range s.groups {
		if _, twice := first[g.Name]; twice {
			return fmt.Errorf("index: %w: a group is there twice", ErrDamaged)
		}
		first[g.Name], left[g.Name] = n, g.Passages
		n += g.Passages
	}
	return s.placePassages(first, left)
}

// eachKey calls emit for keys in the order of their names, with their postings.
type eachKey func(emit func(name []byte, passages int, postings []byte)) error

// foldRows is the number of passages that are folded in at a time: the postings are read once for
// each batch, whose sums take 8 bytes per dimension of a passage.
const foldRows = 1 << 13

// fold computes the vectors of n passages from the directions of their terms.
func (s *Space) fold(set Settings, n int, words eachKey) (*vectors, error) {
	dims := s.dims()
	v := newVectors(dims, n)
	if dims == 0 {
		return v, nil
	}
	sums := make([]float64, dims*min(n, foldRows))
	for first := 0; first < n; first += foldRows {
		clear(sums)
		row := 0
		err := words(func(name []byte, _ int, postings []byte) {
			for row < len(s.terms) && s.terms[row] < string(name) {
				row++
			}
			if row == len(s.terms) || s.terms[row] != string(name) {
				return
			}
			idf := s.idf(row)
			for c := (cursor{data: postings}); c.next(); {
				if i := int(c.passage) - first; i >= 0 && i < foldRows {
					s.directions.add(sums[i*dims:(i+1)*dims], row, lsiWeight(set.Fields.weigh(c.counts), idf))
				}
			}
		})
		if err != nil {
			return nil, err
		}
		for i := first; i < min(first+foldRows, n); i++ {
			x := sums[(i-first)*dims : (i-first+1)*dims]
			scaleToUnit(x)
			v.set(i, x)
		}
	}
	return v, nil
}

// lsiWeight returns the weight of a term's occurrences in a vector of terms.
func lsiWeight(tf, idf float64) float64 { return math.Log1p(tf) * idf }

// space is a Space with the passages of an index.
type space struct {
	*Space
	passages *vectors
	rows     map[int32]int // of the directions, by term of the index
	sums     []int32       // of the bytes of each passage
	longest  float64       // length of the longest passage vector
}

// enterSpace adds the passages of the index to a space by their vectors.
func (ix *Index) enterSpace(learnt *Space, passages *vectors) {
	s := &space{Space: learnt, passages: passages, rows: make(map[int32]int, len(learnt.terms)), sums: make([]int32, len(passages.scales))}
	row := 0
	for id, k := range ix.terms.keys {
		for row < len(learnt.terms) && learnt.terms[row] < k.name {
			row++
		}
		if row < len(learnt.terms) && learnt.terms[row] == k.name {
			s.rows[int32(id)] = row
		}
	}
	for p := range s.sums {
		var length float64
		s.sums[p], length = passages.measure(p)
		s.longest = max(s.longest, length)
	}
	ix.space = s
}

// lsi scores by the cosine between a question and passages in the learnt space.
type lsi struct{ *Index }

func (lsi) Name() string { return LegLSI }

// Score computes the cosines with the question in whole numbers: each is off by slack at most.
func (l lsi) Score(ctx context.Context, q *Question, allow *Set, scores []float64) error {
	v, _ := l.questionVector(q)
	l.space.scoreNear(newCoarse(v), allow, scores)
	return ctx.Err()
}

// rescorer is a leg that scores all passages fast and a few exactly.
type rescorer interface {
	// exact returns a function for the exact scores, and how far those of Score are from them at
	// most; nil if Score found nothing.
	exact(q *Question) (score func(passage int) float64, slack float64)
}

func (l lsi) exact(q *Question) (func(int) float64, float64) {
	v, _ := l.questionVector(q)
	c := newCoarse(v)
	if c.step == 0 {
		return nil, 0
	}
	return func(p int) float64 { return l.space.passages.dot(p, v) }, c.slack(l.space.longest)
}

// questionVector returns the direction of a question, and the length that it had.
func (l lsi) questionVector(q *Question) (v []float64, length float64) {
	v = make([]float64, l.space.dims())
	for _, t := range q.terms {
		if row, ok := l.space.rows[int32(t.id)]; ok {
			l.space.directions.add(v, row, lsiWeight(t.count, l.space.idf(row)))
		}
	}
	for _, a := range v {
		length += a * a
	}
	scaleToUnit(v)
	return v, math.Sqrt(length)
}

func (l lsi) Explain(_ context.Context, q *Question, passages []int) ([][]Part, error) {
	_, length := l.questionVector(q)
	parts := make([][]Part, len(passages))
	x := make([]float64, l.space.dims())
	for _, t := range q.terms {
		row, ok := l.space.rows[int32(t.id)]
		if !ok || length == 0 {
			continue
		}
		clear(x)
		l.space.directions.add(x, row, lsiWeight(t.count, l.space.idf(row))/length)
		for i, p := range passages {
			parts[i] = append(parts[i], Part{Key: t.name, Score: l.space.passages.dot(p, x), From: t.from})
		}
	}
	return parts, nil
}
