package source

import (
	"bytes"
	"context"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// These bound how much one stage parses. Hand-written files are far below: the bounds are for trees
// of a few huge files, such as bundles and generated code.
const (
	MaxRankedBytes = 8 << 20   // of the candidates of a ranking
	MaxLeadBytes   = 8 << 20   // of the files that a lead searches
	MaxOptionBytes = 3 << 20   // of the files whose options are read
	minPart        = 128 << 10 // least part of a file to read, even if the bytes are used up
)

// Portions divides a number of bytes among the files that a stage reads, in order.
type Portions struct {
	Left int64 // bytes
	Cut  int   // number of files that were read in part
}

// Take returns how many bytes of a file of this size to parse.
func (p *Portions) Take(size int64) int {
	n := min(size, max(p.Left, minPart))
	p.Left -= n
	if n < size {
		p.Cut++
	}
	return int(n)
}

// Note says how many files were read in part; "" for none.
func (p *Portions) Note() string {
	if p.Cut == 0 {
		return ""
	}
	return words.Count(p.Cut, "large file") + " read in part"
}

// FirstLines returns the beginning of a text, at most n bytes, as whole lines if possible.
func FirstLines(data []byte, n int) []byte {
	if len(data) <= n {
		return data
	}
	if i := bytes.LastIndexByte(data[:n], '\n'); i >= 0 {
		return data[:i+1]
	}
	return data[:n]
}

// LoadPart works like Load, but only for the file's portion.
func LoadPart(ctx context.Context, env *catalog.Env, path string, p *Portions) (*File, error) {
	root, rel, err := env.Roots.Resolve(path)
	if err != nil {
		return nil, err
	}
	data, v, err := ReadFile(ctx, env, root, rel, nil)
	if err != nil {
		return nil, err
	}
	return partOf(env, env.Roots.Ref(root, rel), rel, data, v, p)
}

// partOf works like newFile, but only for the file's portion. A partial result is not cached:
// another request may read the whole file.
func partOf(env *catalog.Env, ref, rel string, data []byte, v sandbox.Version, p *Portions) (*File, error) {
	part := FirstLines(data, p.Take(int64(len(data))))
	if len(part) < len(data) {
		v = sandbox.Version{}
	}
	return newFile(env, ref, rel, part, v)
}
