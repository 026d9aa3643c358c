package sandbox

import (
	"bytes"
	"encoding/binary"
	"sort"
	"strings"
	"sync"
)

// indexFile lists what git tracks.
const indexFile = ".git/index"

// Limits of the list of tracked files, in bytes: of the file, of the file of a nested repository, and of the names in
// it. A list that exceeds them is not read.
const (
	maxIndex      = 64 << 20
	maxInnerIndex = 4 << 20
	maxIndexNames = 64 << 20
)

// gitIndex knows which files a repository tracks. It reads the list on the first query, which most walks of small trees
// never make: only names that an ignore file leaves out are looked up.
type gitIndex struct {
	base  string // the repository with its closing slash, "" at the root
	way   string // from the repository to the root, with a closing slash; "" for a repository in the root
	names func() trackedNames
}

func newIndex(t tree, base string) *gitIndex {
	dir := "."
	if base != "" {
		dir = strings.TrimSuffix(base, "/")
	}
	return &gitIndex{base: base, names: sync.OnceValue(func() trackedNames { return readIndex(t, dir) })}
}

// tracks reports whether a file, or anything in a directory, is tracked. A submodule is tracked as a directory.
func (x *gitIndex) tracks(path string, k kind) bool {
	if x == nil {
		return false
	}
	names := x.names()
	path = x.way + path[len(x.base):]
	return names.has(path) || k == kindDir && names.hasPrefix(path+"/")
}

// seenFrom returns the same index for paths relative to a directory in the repository.
func (x *gitIndex) seenFrom(at string) *gitIndex {
	if x == nil {
		return nil
	}
	return &gitIndex{way: strings.TrimPrefix(at+"/", x.base), names: x.names}
}

// readIndex reads the list of a repository. An unreadable one tracks nothing, so that only ignore files decide.
func readIndex(t tree, dir string) trackedNames {
	o := t.opener()
	defer o.close()
	d, err := o.openDir(dir)
	if err != nil {
		return trackedNames{}
	}
	defer d.close()
	f, m, err := d.openFile(indexFile)
	if err != nil {
		return trackedNames{}
	}
	defer f.close()
	limit := int64(maxIndex)
	if dir != "." {
		limit = maxInnerIndex
	}
	data, err := readAll(f, m.size, limit, nil, false)
	if err != nil {
		return trackedNames{}
	}
	for _, hash := range []int{20, 32} { // the file does not say whether it uses SHA-1 or SHA-256
		if names, ok := parseIndex(data, hash); ok {
			return names
		}
	}
	return trackedNames{}
}

// trackedNames are paths sorted bytewise, concatenated in one string.
type trackedNames struct {
	text string
	ends []int
}

func (n trackedNames) name(i int) string {
	start := 0
	if i > 0 {
		start = n.ends[i-1]
	}
	return n.text[start:n.ends[i]]
}

// firstFrom returns the first name that does not sort before path, or "".
func (n trackedNames) firstFrom(path string) string {
	if i := sort.Search(len(n.ends), func(i int) bool { return n.name(i) >= path }); i < len(n.ends) {
		return n.name(i)
	}
	return ""
}

func (n trackedNames) has(path string) bool { return n.firstFrom(path) == path }
func (n trackedNames) hasPrefix(prefix string) bool {
	return strings.HasPrefix(n.firstFrom(prefix), prefix)
}

// Offsets in an entry of an index, and the bits of its flags; see gitformat-index(5).
const (
	indexHeader   = 12
	indexHash     = 40 // time stamps, device, inode, mode, owner and size come before it
	flagExtended  = 0x4000
	flagNameBytes = 0x0fff // the length of the name, or this value if it is longer
)

// parseIndex reads the names in an index of version 2, 3 or 4. ok is false for any other version, for hashes of another
// length, and for names that are damaged or out of order: no part of such an index can be trusted. Names of a split
// index that are in its shared file are not read.
func parseIndex(data []byte, hash int) (names trackedNames, ok bool) {
	if len(data) < indexHeader || string(data[:4]) != "DIRC" {
		return names, false
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 || int64(count) > int64(len(data)) {
		return names, false
	}
	var text []byte
	ends := make([]int, 0, min(int(count), len(data)/(indexHash+hash)))
	last, rest := 0, data[indexHeader:] // last is the offset of the preceding name
	for range count {
		fixed := indexHash + hash + 2
		if len(rest) < fixed {
			return names, false
		}
		flags := binary.BigEndian.Uint16(rest[fixed-2:])
		if flags&flagExtended != 0 {
			if fixed += 2; version < 3 || len(rest) < fixed {
				return names, false
			}
		}
		kept, size, used := 0, 0, 0
		if version == 4 {
			kept, used = keptBytes(rest[fixed:], len(text)-last)
		}
		if size = bytes.IndexByte(rest[fixed+max(used, 0):], 0); used < 0 || size < 0 || kept+size == 0 || min(kept+size, flagNameBytes) != int(flags&flagNameBytes) {
			return names, false
		}
		start := len(text)
		text = append(text, text[last:last+kept]...)
		text = append(text, rest[fixed+used:fixed+used+size]...)
		if len(text) > maxIndexNames || bytes.Compare(text[last:start], text[start:]) > 0 {
			return names, false
		}
		used += fixed + size + 1
		if version < 4 { // padded with zeros to a multiple of eight
			used = (used + 7) &^ 7
		}
		if used > len(rest) {
			return names, false
		}
		ends, last, rest = append(ends, len(text)), start, rest[used:]
	}
	return trackedNames{string(text), ends}, true
}

// keptBytes reads how many bytes a name of version 4 takes over from the preceding name, whose length is given. used is
// the size of that number, or -1 if it is not valid.
func keptBytes(data []byte, length int) (kept, used int) {
	dropped := 0
	for i, c := range data[:min(len(data), 4)] {
		if i > 0 {
			dropped++
		}
		dropped = dropped<<7 | int(c&0x7f)
		if c < 0x80 {
			if dropped > length {
				break
			}
			return length - dropped, i + 1
		}
	}
	return 0, -1
}
