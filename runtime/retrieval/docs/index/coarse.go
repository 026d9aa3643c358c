package index

import "math"

// coarse is a vector with six bits per number, to be multiplied with rows of bytes eight at a time:
// the sum of four products of a byte and a number fits sixteen bits, so that one multiplication of
// 64 bits adds up four of them in its highest sixteen.
type coarse struct {
	words [][2]uint64 // of eight numbers each: the even ones and the odd ones, backwards
	step  float64     // the value of one unit of a number
	sum   int         // of the numbers
	wrong float64     // length of the rounding errors
}

const (
	coarseMost = 31 // a number is -31 to 31
	coarseBias = 32 // added to a number, so that it is not negative
	evenBytes  = 0x00ff00ff00ff00ff
	signBits   = 0x8080808080808080
)

func newCoarse(v []float64) coarse {
	c := coarse{words: make([][2]uint64, (len(v)+7)/8)}
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	if c.step = most / coarseMost; c.step == 0 {
		return c
	}
	wrong := 0.0
	for i, x := range v {
		n := math.Round(x / c.step)
		left := x - n*c.step
		wrong += left * left
		c.sum += int(n)
		at := i % 8
		c.words[i/8][at%2] |= uint64(int(n)+coarseBias) << (48 - 16*(at/2))
	}
	c.wrong = math.Sqrt(wrong)
	return c
}

// slack returns the maximum error of a product with a row of the given length (Cauchy and Schwarz),
// with room for the rounding of either.
func (c coarse) slack(length float64) float64 {
	return length * (c.wrong + 1e-9)
}

// scoreNear sets scores to the products of a coarse vector with the rows of the allowed passages.
func (s *space) scoreNear(c coarse, allow *Set, scores []float64) {
	if c.step == 0 {
		return
	}
	v := s.passages
	fixed := byteBias*c.sum + byteBias*coarseBias*v.dims
	for p := range scores {
		if !allow.Has(p) {
			continue
		}
		n := c.product(v.row(p)) - coarseBias*int(s.sums[p]) - fixed
		scores[p] = float64(n) * c.step * float64(v.scales[p])
	}
}

// product returns the product of biased numbers with biased bytes.
func (c coarse) product(row []uint64) int {
	sum := uint64(0)
	row = row[:len(c.words)]
	for i, w := range c.words {
		x := row[i]
		sum += (x&evenBytes*w[0])>>48 + (x>>8&evenBytes*w[1])>>48
	}
	return int(sum)
}
