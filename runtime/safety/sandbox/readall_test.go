package sandbox

import (
	"bytes"
	"strings"
	"testing"
)

// tape is a file whose reads give at most step bytes each.
type tape struct {
	data *strings.Reader
	step int
}

func (f *tape) close() {}

func (f *tape) read(p []byte) (int, error) {
	n, _ := f.data.Read(p[:min(len(p), f.step)])
	return n, nil
}

// TestReadAll reads files whose size is not what the file system said, in pieces of any length.
func TestReadAll(t *testing.T) {
	const limit = 200_000
	for _, length := range []int{0, 1, 511, 512, 5000, firstBlock - 1, firstBlock, firstBlock + 1, 3 * firstBlock, limit - 1, limit, limit + 1, 3 * limit} {
		text := strings.Repeat("x", length)
		for _, said := range []int{0, 1, length, length / 2, length + 1000, limit, limit + 1} {
			for _, step := range []int{1 << 30, firstBlock, 4096, 777} {
				for _, storage := range []int{0, 100, 1 << 20} {
					f := &tape{strings.NewReader(text), step}
					data, err := readAll(f, int64(said), limit, make([]byte, storage), true)
					tooLarge := length > limit || said > limit
					if tooLarge != (err == ErrTooLarge) || err != nil && !tooLarge {
						t.Fatalf("%d bytes, said %d, step %d: %v", length, said, step, err)
					}
					if err == nil && string(data) != text && !(said < length && step < length) {
						t.Fatalf("%d bytes, said %d, step %d: read %d", length, said, step, len(data))
					}
					if cap(data) > max(storage, 2*limit) {
						t.Fatalf("%d bytes, said %d: %d bytes of memory", length, said, cap(data))
					}
				}
			}
		}
	}
}

func TestReadAllFindsLateNUL(t *testing.T) {
	for _, at := range []int{0, 5, sniffed, firstBlock - 1, firstBlock, 2 * firstBlock, 150_000} {
		data := bytes.Repeat([]byte("x"), 150_001)
		data[at] = 0
		for _, step := range []int{1 << 30, 4096} {
			if _, err := readAll(&tape{strings.NewReader(string(data)), step}, 150_001, 1<<20, nil, true); err != ErrBinary {
				t.Errorf("NUL at %d, step %d: %v", at, step, err)
			}
		}
	}
}
