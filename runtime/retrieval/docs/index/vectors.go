package index

import "math"

// vectors are rows of numbers, each stored as a byte, with a scale for the row: an eighth of the
// memory of 64-bit floats, and exact enough that a ranking does not show the difference. Eight
// bytes are a word, as [coarse] multiplies them, with 128 added, so that none is negative.
type vectors struct {
	dims   int
	stride int       // words per row
	scales []float32 // a row is its bytes times its scale
	words  []uint64
}

const (
	byteBias = 1 << 7 // added to a byte
	noBytes  = 0x8080808080808080
)

func newVectors(dims, rows int) *vectors {
	v := &vectors{dims: dims, stride: (dims + 7) / 8, scales: make([]float32, rows)}
	v.words = make([]uint64, v.stride*rows)
	for i := range v.words {
		v.words[i] = noBytes
	}
	return v
}

// row returns the words of a row.
func (v *vectors) row(row int) []uint64 { return v.words[row*v.stride : (row+1)*v.stride] }

// putByte sets a byte of a row that is still 0.
func putByte(row []uint64, i int, b int8) { row[i/8] ^= uint64(byte(b)) << (i % 8 * 8) }

// lowByte returns the lowest byte of a word.
func lowByte(word uint64) int8 { return int8(byte(word) ^ byteBias) }

// set sets a row, which can be done once.
func (v *vectors) set(row int, x []float64) {
	most := 0.0
	for _, a := range x {
		most = max(most, math.Abs(a))
	}
	if most == 0 {
		return
	}
	scale := float32(most / math.MaxInt8)
	v.scales[row] = scale
	to := v.row(row)
	for i, a := range x {
		putByte(to, i, int8(math.Round(a/float64(scale))))
	}
}

// copy copies a row of other vectors with the same dimensions.
func (v *vectors) copy(row int, from *vectors, of int) {
	v.scales[row] = from.scales[of]
	copy(v.row(row), from.row(of))
}

// into writes the rows; reader.vectors reads them.
func (v *vectors) into(p *pack) {
	for row, scale := range v.scales {
		p.float(scale)
		words := v.row(row)
		for i := range v.dims {
			*p = append(*p, byte(lowByte(words[i/8]>>(i%8*8))))
		}
	}
}

func (r *reader) vectors(dims, rows int) *vectors {
	if r.err != nil || rows > len(r.data)/(dims+4) {
		r.fail("vectors are missing")
		return nil
	}
	v := newVectors(dims, rows)
	for row := range rows {
		v.scales[row] = r.float()
		words := v.row(row)
		for i, b := range r.take(dims) {
			putByte(words, i, int8(b))
		}
	}
	return v
}

// packed returns the stored form of the vectors of passages.
func (v *vectors) packed() []byte {
	p := make(pack, 0, (v.dims+4)*len(v.scales)+32)
	p = append(p, magicVectors...)
	p.number(v.dims)
	v.into(&p)
	return p.sealed()
}

// add adds a row, times weight, to a vector.
func (v *vectors) add(to []float64, row int, weight float64) {
	w := weight * float64(v.scales[row])
	for _, word := range v.row(row) {
		some := to[:min(8, len(to))]
		for i := range some {
			some[i] += float64(w * float64(lowByte(word)))
			word >>= 8
		}
		to = to[len(some):]
	}
}

// dot returns the product of a row with a vector.
func (v *vectors) dot(row int, x []float64) float64 {
	sum := 0.0
	for _, word := range v.row(row) {
		some := x[:min(8, len(x))]
		for _, a := range some {
			sum += float64(float64(lowByte(word)) * a)
			word >>= 8
		}
		x = x[len(some):]
	}
	return sum * float64(v.scales[row])
}

// measure returns the sum of the bytes of a row, and the length of the row.
func (v *vectors) measure(row int) (sum int32, length float64) {
	squares := 0
	for _, word := range v.row(row) {
		for range 8 {
			n := int(lowByte(word))
			sum += int32(n)
			squares += n * n
			word >>= 8
		}
	}
	return sum, math.Sqrt(float64(squares)) * math.Abs(float64(v.scales[row]))
}

// scaleToUnit scales a vector to length one, unless it is zero.
func scaleToUnit(x []float64) {
	sum := 0.0
	for _, a := range x {
		sum += a * a
	}
	if sum == 0 {
		return
	}
	for i := range x {
		x[i] /= math.Sqrt(sum)
	}
}
