package code

import (
	"bytes"
	"context"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Bounds of what one stage parses. Files that people wrote stay far below: they are
// for trees of few huge files, such as bundles and generated code.
const (
	deepBytes   = 8 << 20   // of the candidates of a ranking
	leadBytes   = 8 << 20   // of the files that a lead looks through
	optionBytes = 3 << 20   // of the files whose options are read
	minPart     = 128 << 10 // that a file is read to, where the bytes are used up
)

// portions shares out bytes among the files that a stage reads, in order.
type portions struct {
	room int64
	cut  int // files that were read in part
}

// take is how much of a file of a size is to be parsed.
func (p *portions) take(size int64) int {
	n := min(size, max(p.room, minPart))
	p.room -= n
	if n < size {
		p.cut++
	}
	return int(n)
}

// note says what was read in part; "" where nothing was.
func (p *portions) note() string {
	if p.cut == 0 {
		return ""
	}
	return count(p.cut, "large file") + " read in part"
}

// firstLines is the beginning of a text, at most n bytes, as whole lines where there
// are any.
func firstLines(data []byte, n int) []byte {
	if len(data) <= n {
		return data
	}
	if i := bytes.LastIndexByte(data[:n], '\n'); i >= 0 {
		return data[:i+1]
	}
	return data[:n]
}

// loadPart is load of as much of a file as its portion is.
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

// partOf is sourceOf for as much of a file as its portion is. What is known of a part
// is not kept: another request may read the whole.
func partOf(env *catalog.Env, ref, rel string, data []byte, v sandbox.Version, p *portions) (*source, error) {
	part := firstLines(data, p.take(int64(len(data))))
	if len(part) < len(data) {
		v = sandbox.Version{}
	}
	return sourceOf(env, ref, rel, part, v)
}
