package vectors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Rows are vectors of one length, as they are stored: an int8 per number, and a scale per row.
type Rows struct {
	Dims int
	Data []byte // of each row: its scale, 32 bits in little endian, and its bytes
}

// MaxDims is the maximum number of dimensions of a vector.
const MaxDims = 1 << 14

// ErrRows reports that rows cannot be read.
var ErrRows = errors.New("the vectors are damaged")

// NewRows returns the stored form of vectors, which must have the same length. Each is scaled to length one.
func NewRows(list [][]float32) (Rows, error) {
	if len(list) == 0 {
		return Rows{}, nil
	}
	r := Rows{Dims: len(list[0])}
	if r.Dims == 0 || r.Dims > MaxDims {
		return r, fmt.Errorf("a vector has %d numbers: want 1 to %d", r.Dims, MaxDims)
	}
	for i, v := range list {
		if len(v) != r.Dims {
			return r, fmt.Errorf("vector %d has %d numbers, and the first %d", i+1, len(v), r.Dims)
		}
		r.add(v)
	}
	return r, nil
}

func (r *Rows) add(v []float32) {
	most := 0.0
	for _, x := range v {
		if a := math.Abs(float64(x)); a > most && !math.IsInf(a, 0) {
			most = a
		}
	}
	scale := most / math.MaxInt8
	bytes := make([]int8, len(v))
	square := 0.0
	for i, x := range v {
		if f := float64(x); scale > 0 && !math.IsNaN(f) && !math.IsInf(f, 0) {
			bytes[i] = int8(math.Round(f / scale))
		}
		square += float64(bytes[i]) * float64(bytes[i])
	}
	one := float32(0)
	if square > 0 {
		one = float32(1 / math.Sqrt(square))
	}
	r.Data = binary.LittleEndian.AppendUint32(r.Data, math.Float32bits(one))
	for _, b := range bytes {
		r.Data = append(r.Data, byte(b))
	}
}

// Len returns the number of rows.
func (r Rows) Len() int {
	if r.Dims == 0 {
		return 0
	}
	return len(r.Data) / (r.Dims + 4)
}

// Check rejects rows that would be read as something else.
func (r Rows) Check(rows int) error {
	if r.Dims <= 0 || r.Dims > MaxDims || len(r.Data) != rows*(r.Dims+4) {
		return fmt.Errorf("%w: %d bytes for %d rows of %d", ErrRows, len(r.Data), rows, r.Dims)
	}
	return nil
}

// Into writes the rows as numbers.
func (r Rows) Into(out []float32) {
	for i := range r.Len() {
		row := r.Data[i*(r.Dims+4) : (i+1)*(r.Dims+4)]
		scale := math.Float32frombits(binary.LittleEndian.Uint32(row))
		if !(scale >= 0 && scale <= 1) { // of length one, the largest byte is at most 127 times it
			scale = 0
		}
		for k, b := range row[4:] {
			out[i*r.Dims+k] = scale * float32(int8(b))
		}
	}
}
