package rawjson

import (
	"bytes"
	"errors"
	"hash/maphash"
	"slices"
)

// Errors of Sound.
var (
	ErrDeep  = errors.New("nested too deep")
	ErrTwice = errors.New("a JSON key is given twice")
)

// seed makes the hashes of member names unpredictable for the author of the names.
var seed = maphash.MakeSeed()

// Sound rejects nesting beyond depth brackets and objects that name a member twice: two readers of
// such a text may see two different values. It stores names as hashes, eight bytes each, so that an
// object of millions of members costs less than its own text. The text need not be valid JSON.
func Sound(data []byte, depth int) error {
	// An estimate of the number of names, limited by the size of the text, avoids growing.
	names := make([]uint64, 0, min(bytes.Count(data, []byte{':'}), len(data)/8))
	var begins []int // for each open bracket, where its names begin
	for s := Scan(data); ; {
		t, ok := s.Next()
		if !ok {
			return nil
		}
		switch t.First {
		case '{', '[':
			if s.Depth() > depth {
				return ErrDeep
			}
			begins = append(begins, len(names))
		case '}', ']':
			last := len(begins) - 1
			if hasRepeated(names[begins[last]:]) {
				return ErrTwice
			}
			names, begins = names[:begins[last]], begins[:last]
		case '"':
			if t.Name {
				names = append(names, hashName(data[t.Start:t.End]))
			}
		}
	}
}

// Deeper reports whether a text nests beyond depth brackets.
func Deeper(data []byte, depth int) bool {
	for s := Scan(data); ; {
		if _, ok := s.Next(); !ok {
			return false
		}
		if s.Depth() > depth {
			return true
		}
	}
}

func hasRepeated(names []uint64) bool {
	if len(names) < 2 {
		return false
	}
	slices.Sort(names)
	for i := range names[1:] {
		if names[i] == names[i+1] {
			return true
		}
	}
	return false
}

// hashName hashes a name by its meaning, however it is escaped.
func hashName(quoted []byte) uint64 {
	if slices.Contains(quoted, '\\') {
		if name, err := Text(quoted); err == nil {
			return maphash.String(seed, name)
		}
	}
	return maphash.Bytes(seed, quoted[1:len(quoted)-1])
}
