package code

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
	deepBytes   = 8 << 20   // of the candidates of a ranking
	leadBytes   = 8 << 20   // of the files that a lead searches
	optionBytes = 3 << 20   // of the files whose options are read
	minPart     = 128 << 10 // least part of a file to read, even if the bytes are used up
)

// portions divides a number of bytes among the files that a stage reads, in order.
type portions struct {
	room int64
	cut  int // number of files that were read in part
}

// take returns how many bytes of a file of this size to parse.
func (p *portions) take(size int64) int {
	n := min(size, max(p.room, minPart))
	p.room -= n
	if n < size {
		p.cut++
	}
	return int(n)
}

// note says how many files were read in part; "" for none.
func (p *portions) note() string {
	if p.cut == 0 {
		return ""
	}
	return words.Count(p.cut, "large file") + " read in part"
}

// firstLines returns the beginning of a text, at most n bytes, as whole lines if possible.
func firstLines(data []byte, n int) []byte {
	if len(data) <= n {
		return data
	}
	if i := bytes.LastIndexByte(data[:n], '\n'); i >= 0 {
		return data[:i+1]
	}
	return data[:n]
}

// loadPart works like load, but only for the file's portion.
func loadPart(ctx context.Context, env *catalog.Env, path string, p *portions) (*source, error) {
	root, rel, err := env.Roots.Resolve(path)
	if err != nil {
		return nil, err
	}
	data, v, err := readFile(ctx, env, root, rel, nil)
	if err != nil {
		return nil, err
	}
	return partOf(env, env.Roots.Ref(root, rel), rel, data, v, p)
}

// partOf works like sourceOf, but only for the file's portion. A partial result is not cached:
// another request may read the whole file.
func partOf(env *catalog.Env, ref, rel string, data []byte, v sandbox.Version, p *portions) (*source, error) {
	part := firstLines(data, p.take(int64(len(data))))
	if len(part) < len(data) {
		v = sandbox.Version{}
	}
	return sourceOf(env, ref, rel, part, v)
}
