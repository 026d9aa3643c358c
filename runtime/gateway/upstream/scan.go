package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// maxDepth is how deeply a message may nest. Schemas of real servers stay below 40.
const maxDepth = 512

var (
	errDeep  = fmt.Errorf("it nests more than %d deep", maxDepth)
	errTwice = errors.New("an object in it names a member twice")
)

// seed makes the hashes of member names unknown to who chooses the names.
var seed = maphash.MakeSeed()

// scan refuses nesting beyond maxDepth and objects that name a member twice: two readers of such a message may see two
// different messages. Names are kept as hashes, eight bytes each, so that an object of millions of members costs less
// than its own text. The text need not be valid JSON.
func scan(data []byte) error {
	var (
		// The names of all open objects. The guess at their number, bounded by the size of the text, saves growing.
		names = make([]uint64, 0, min(bytes.Count(data, []byte(`":`)), len(data)/8))
		open  []int // for each open bracket where its names begin; -1 for an array
		key   bool  // an object's next string is a name
	)
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			if len(open) == maxDepth {
				return errDeep
			}
			key = data[i] == '{'
			begin := -1
			if key {
				begin = len(names)
			}
			open = append(open, begin)
		case '}', ']':
			if len(open) == 0 {
				return nil
			}
			if begin := open[len(open)-1]; begin >= 0 {
				if repeated(names[begin:]) {
					return errTwice
				}
				names = names[:begin]
			}
			open, key = open[:len(open)-1], false
		case ',':
			key = len(open) > 0 && open[len(open)-1] >= 0
		case '"':
			end := stringEnd(data, i)
			if key {
				names = append(names, hash(data[i:end]))
				key = false
			}
			i = end - 1
		}
	}
	return nil
}

func repeated(names []uint64) bool {
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

// hash tells names apart by what they mean, not by how they are escaped.
func hash(quoted []byte) uint64 {
	if slices.Contains(quoted, '\\') {
		if name, err := rawjson.Text(quoted); err == nil {
			return maphash.String(seed, name)
		}
	}
	return maphash.Bytes(seed, quoted[1:max(1, len(quoted)-1)])
}

// stringEnd is the offset past the string that opens at i, or past the data.
func stringEnd(data []byte, i int) int {
	for from := i + 1; from < len(data); {
		n := bytes.IndexByte(data[from:], '"')
		if n < 0 {
			break
		}
		end, slashes := from+n, 0
		for k := end - 1; k > i && data[k] == '\\'; k-- {
			slashes++
		}
		if from = end + 1; slashes%2 == 0 {
			return from
		}
	}
	return len(data)
}

// check says why a message is not to be used; nil when it is one.
func check(data []byte) error {
	if !utf8.Valid(data) {
		return errors.New("it is not valid utf-8")
	}
	if err := scan(data); err != nil {
		return err
	}
	if err := rawjson.Check(data); err != nil {
		return fmt.Errorf("it is %w", err)
	}
	return nil
}
