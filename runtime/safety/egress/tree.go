package egress

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// tree counts the lines of files below the roots, at most once per file and reply.
type tree struct {
	roots   *sandbox.Set
	pages   contract.Tree // the cited parts of pages; nil if there are none
	library contract.Tree // documents; nil if there are none
	known   map[string]lines
	buf     []byte
}

type lines struct {
	n   int
	err error
}

func newTree(roots *sandbox.Set, pages, library contract.Tree) contract.Tree {
	return &tree{roots: roots, pages: pages, library: library, known: map[string]lines{}}
}

// Lines implements contract.Tree.
func (t *tree) Lines(ctx context.Context, path string) (int, error) {
	if t.pages != nil && contract.IsAddress(path) {
		return t.pages.Lines(ctx, path)
	}
	if l, ok := t.known[path]; ok {
		return l.n, l.err
	}
	n, buf, err := t.roots.Lines(ctx, path, t.buf)
	t.buf = buf
	if err != nil && t.library != nil {
		if in, missing := t.library.Lines(ctx, path); missing == nil {
			n, err = in, nil
		}
	}
	t.known[path] = lines{n, err}
	return n, err
}
