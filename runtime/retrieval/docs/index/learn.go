package index

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// spare is the number of directions that are searched for in addition to those kept, as Halko,
// Martinsson and Tropp advise.
const spare = 16

// Learn computes the space of the wanted groups, which are in the given segments, from their words.
// The segments need no sequences of characters.
func Learn(ctx context.Context, set Settings, want []Group, from ...*Segment) (*Space, error) {
	sources, err := sourcesOf(want, from)
	if err != nil {
		return nil, err
	}
	return learnSpace(ctx, set, passagesOf(want), func(emit func([]byte, int, []byte)) error {
		return mergeKeys(sources, wordsOf, emit)
	})
}

// learnSpace computes the space of n passages: the first right singular vectors of the
// term-passage matrix of a sample, by randomised subspace iteration.
func learnSpace(ctx context.Context, set Settings, n int, words eachKey) (*Space, error) {
	s := &Space{passages: n}
	a, err := s.sampleMatrix(set, words)
	if err != nil {
		return nil, err
	}
	dims := min(set.LSI.Dimensions, len(s.terms), a.rows)
	if dims == 0 {
		return &Space{passages: n}, nil
	}
	wide := min(dims+spare, len(s.terms), a.rows)
	v, err := a.basis(ctx, wide, set.LSI)
	if err != nil {
		return nil, err
	}
	if v, err = a.toSingular(v, dims); err != nil {
		return nil, err
	}
	s.directions = newVectors(dims, len(s.terms))
	for i := range s.terms {
		s.directions.set(i, v.RawRowView(i))
	}
	return s, ctx.Err()
}

// matrix is the term-passage matrix of a sample; rows are passages of length one.
type matrix struct {
	cells [][]cell // of each term
	rows  int
}

// cell is a passage that holds a term, and the weight of the term in it.
type cell struct {
	row    int32
	weight float32
}

// sampleMatrix returns the matrix of a sample, every step-th passage, with the most common terms that
// occur in at least two passages: a term of one is related to nothing.
func (s *Space) sampleMatrix(set Settings, words eachKey) (*matrix, error) {
	m := &matrix{}
	if set.LSI.Dimensions == 0 || s.passages == 0 {
		return m, nil
	}
	step := (s.passages + set.LSI.Sample - 1) / set.LSI.Sample
	m.rows = (s.passages + step - 1) / step
	common, err := commonTerms(words, set.LSI.Terms)
	if err != nil {
		return nil, err
	}
	squares := make([]float64, m.rows)
	at := -1
	err = words(func(name []byte, passages int, postings []byte) {
		if at++; len(common) == 0 || int(common[0]) != at {
			return
		}
		common = common[1:]
		s.terms, s.counts = append(s.terms, string(name)), append(s.counts, passages)
		idf := s.idf(len(s.counts) - 1)
		var cells []cell
		for c := (cursor{data: postings}); c.next(); {
			if int(c.passage)%step == 0 {
				row := int(c.passage) / step
				w := lsiWeight(set.Fields.weigh(c.counts), idf)
				squares[row] += w * w
				cells = append(cells, cell{int32(row), float32(w)})
			}
		}
		m.cells = append(m.cells, cells)
	})
	if err != nil {
		return nil, err
	}
	for _, cells := range m.cells {
		for i, c := range cells {
			if squares[c.row] > 0 {
				cells[i].weight /= float32(math.Sqrt(squares[c.row]))
			}
		}
	}
	return m, nil
}

// commonTerms returns the positions of the terms that occur in the most passages, ascending.
func commonTerms(words eachKey, most int) ([]int32, error) {
	type term struct{ at, passages int32 }
	var terms []term
	at := int32(-1)
	err := words(func(_ []byte, passages int, _ []byte) {
		if at++; passages >= 2 {
			terms = append(terms, term{at, int32(passages)})
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(terms, func(a, b term) int { return int(b.passages - a.passages) })
	list := make([]int32, min(len(terms), most))
	for i := range list {
		list[i] = terms[i].at
	}
	slices.Sort(list)
	return list, nil
}

// basis returns orthonormal columns that approximately span the first right singular vectors. The
// start is random, and the same for the same seed.
func (m *matrix) basis(ctx context.Context, wide int, set LSISettings) (*mat.Dense, error) {
	v := mat.NewDense(len(m.cells), wide, nil)
	random := rand.New(rand.NewPCG(set.Seed, 0))
	for i := range v.RawMatrix().Data {
		v.RawMatrix().Data[i] = random.NormFloat64()
	}
	for range set.Rounds + 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v = orthonormalize(m.transposed(m.times(v)))
	}
	return v, nil
}

// toSingular rotates a basis to the singular vectors themselves and keeps the first.
func (m *matrix) toSingular(v *mat.Dense, dims int) (*mat.Dense, error) {
	var square mat.SymDense
	square.SymOuterK(1, m.times(v).T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&square, true) {
		return nil, errors.New("index: the directions of the latent space cannot be computed: no convergence; set the dimensions of lsi to 0 to do without")
	}
	var vectors, turned mat.Dense
	eigen.VectorsTo(&vectors)
	_, wide := v.Dims()
	turned.Mul(v, vectors.Slice(0, wide, wide-dims, wide)) // the largest are last
	return &turned, nil
}

// times returns A·v.
func (m *matrix) times(v *mat.Dense) *mat.Dense {
	_, wide := v.Dims()
	product := mat.NewDense(m.rows, wide, nil)
	for t, cells := range m.cells {
		for _, c := range cells {
			floats.AddScaled(product.RawRowView(int(c.row)), float64(c.weight), v.RawRowView(t))
		}
	}
	return product
}

// transposed returns Aᵀ·y.
func (m *matrix) transposed(y *mat.Dense) *mat.Dense {
	_, wide := y.Dims()
	product := mat.NewDense(len(m.cells), wide, nil)
	for t, cells := range m.cells {
		for _, c := range cells {
			floats.AddScaled(product.RawRowView(t), float64(c.weight), y.RawRowView(int(c.row)))
		}
	}
	return product
}

// orthonormalize returns columns of length one at right angles that span the columns of z, by the
// Cholesky factor of zᵀz, which costs a fraction of a QR factorisation. Columns that depend on
// others would make zᵀz singular: a small addition to its diagonal keeps the factor defined, and
// the columns only nearly orthonormal.
func orthonormalize(z *mat.Dense) *mat.Dense {
	var square mat.SymDense
	square.SymOuterK(1, z.T())
	n := square.SymmetricDim()
	mean := square.Trace() / float64(n)
	var factor mat.Cholesky
	for little := 1e-12; ; little *= 100 {
		s := mat.NewSymDense(n, nil)
		s.CopySym(&square)
		for i := range n {
			s.SetSym(i, i, s.At(i, i)+little*mean)
		}
		if factor.Factorize(s) {
			break
		}
		if little > 1 {
			return z
		}
	}
	var upper, inverse mat.TriDense
	factor.UTo(&upper)
	_ = inverse.InverseTri(&upper) // an ill-conditioned inverse is still an inverse
	var q mat.Dense
	q.Mul(z, &inverse)
	return &q
}
