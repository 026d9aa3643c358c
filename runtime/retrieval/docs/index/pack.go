package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// ErrDamaged reports that the stored form of an index cannot be read: index again.
var ErrDamaged = errors.New("the index is damaged")

// ErrVersion reports that an index cannot be used because it was written by another version of the
// program; index again.
var ErrVersion = errors.New("the index was written by another version")

// The magic numbers of the stored parts of an index. The last byte is the version of the format.
const (
	magicGroups  = "cptgrps\x01"
	magicWords   = "cptword\x01"
	magicGrams   = "cptgram\x01"
	magicSpace   = "cptspac\x01"
	magicVectors = "cptvect\x01"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// pack writes one part: its magic, its contents, and the CRC-32C of both. Numbers are varints,
// floats 32 bits in little endian, and lists follow their length.
type pack []byte

func (p *pack) number(n int)    { *p = binary.AppendUvarint(*p, uint64(n)) }
func (p *pack) float(f float32) { *p = binary.LittleEndian.AppendUint32(*p, math.Float32bits(f)) }

func (p *pack) bytes(data []byte) {
	p.number(len(data))
	*p = append(*p, data...)
}

func (p *pack) text(s string) {
	p.number(len(s))
	*p = append(*p, s...)
}

func (p pack) sealed() []byte {
	return binary.LittleEndian.AppendUint32(p, crc32.Checksum(p, castagnoli))
}

// unpack returns a reader for a part that begins with magic. It keeps data, which must not change
// afterwards.
func unpack(magic string, data []byte) (*reader, error) {
	head := len(magic) - 1
	switch {
	case len(data) < len(magic)+4 || string(data[:head]) != magic[:head]:
		return nil, fmt.Errorf("index: %w: a part does not begin as one", ErrDamaged)
	case data[head] != magic[head]:
		return nil, fmt.Errorf("index: %w: version %d of a part, and this program reads %d", ErrVersion, data[head], magic[head])
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, fmt.Errorf("index: %w: the checksum of a part is another", ErrDamaged)
	}
	return &reader{data: body[len(magic):]}, nil
}

// Check reports whether data is an undamaged part. It verifies the checksum, but does not look at
// the contents.
func Check(data []byte) error {
	if len(data) < len(magicGroups) {
		return fmt.Errorf("index: %w: a part is missing", ErrDamaged)
	}
	for _, magic := range []string{magicGroups, magicWords, magicGrams, magicSpace, magicVectors} {
		if string(data[:len(magic)-1]) == magic[:len(magic)-1] {
			_, err := unpack(magic, data)
			return err
		}
	}
	return fmt.Errorf("index: %w: a part does not begin as one", ErrDamaged)
}

// reader reads a part. It keeps the first error; after it everything is zero.
type reader struct {
	data []byte
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("index: %w: %w", ErrDamaged, fmt.Errorf(format, args...))
	}
	r.data = nil
}

// end returns the first error, or an error if there are bytes left.
func (r *reader) end() error {
	if r.err == nil && len(r.data) > 0 {
		r.fail("%d bytes are too many", len(r.data))
	}
	return r.err
}

// number reads a number; one above most is an error.
func (r *reader) number(most int) int {
	x, n := uvarint(r.data)
	if n <= 0 || x > uint64(most) {
		r.fail("a number is cut or above %d", most)
		return 0
	}
	r.data = r.data[n:]
	return int(x)
}

// count reads the number of entries that follow, of at least size bytes each: a number that the
// rest of the data cannot hold is an error.
func (r *reader) count(size int) int { return r.number(len(r.data) / size) }

func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.fail("%d bytes are missing", n-len(r.data))
		return nil
	}
	taken := r.data[:n:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) bytes() []byte { return r.take(r.number(len(r.data))) }

func (r *reader) float() float32 {
	b := r.take(4)
	if len(b) < 4 {
		return 0
	}
	f := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if f64 := float64(f); math.IsNaN(f64) || math.IsInf(f64, 0) {
		r.fail("a number is none")
		return 0
	}
	return f
}
