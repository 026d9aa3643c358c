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
	MaxLeadBytes = 8 << 20   // of the files that a lead searches
	minPart      = 128 << 10 // least part of a file to read, even if the bytes are used up
)

// ParseBudget divides a number of bytes among the files that a stage reads, in order.
type ParseBudget struct {
	BytesLeft int64 // bytes
	CutFiles  int   // number of files that were read in part
}

// Take returns how many bytes of a file of this size to parse.
func (p *ParseBudget) Take(size int64) int {
	n := min(size, max(p.BytesLeft, minPart))
	p.BytesLeft -= n
	if n < size {
		p.CutFiles++
	}
	return int(n)
}

// Note says how many files were read in part; "" for none.
func (p *ParseBudget) Note() string {
	if p.CutFiles == 0 {
		return ""
	}
	return words.Count(p.CutFiles, "large file") + " read in part"
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
func LoadPart(ctx context.Context, env *catalog.Env, path string, p *ParseBudget) (*File, error) {
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
func partOf(env *catalog.Env, ref, rel string, data []byte, v sandbox.Version, p *ParseBudget) (*File, error) {
	part := FirstLines(data, p.Take(int64(len(data))))
	if len(part) < len(data) {
		v = sandbox.Version{}
	}
	return newFile(env, ref, rel, part, v)
}
