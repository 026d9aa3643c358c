package egress

import (
	"bytes"
	"context"
	"errors"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// tree counts lines below the roots, each file once a reply.
type tree struct {
	roots *sandbox.Set
	known map[string]lines
	buf   []byte
}

type lines struct {
	n   int
	err error
}

var errNoRoots = errors.New("no root was searched")

func newTree(roots *sandbox.Set) contract.Tree {
	return &tree{roots: roots, known: map[string]lines{}}
}

// Lines implements contract.Tree.
func (t *tree) Lines(ctx context.Context, path string) (int, error) {
	if l, ok := t.known[path]; ok {
		return l.n, l.err
	}
	n, err := t.count(ctx, path)
	t.known[path] = lines{n, err}
	return n, err
}

func (t *tree) count(ctx context.Context, path string) (int, error) {
	if t.roots == nil {
		return 0, errNoRoots
	}
	root, rel, err := t.roots.Resolve(path)
	if err != nil {
		return 0, err
	}
	if e, err := root.Stat(rel); err != nil || e.Dir {
		return 0, err // a directory has no lines but may be referred to
	}
	data, err := root.ReadFile(ctx, rel, t.buf)
	if err != nil {
		return 0, err
	}
	t.buf = data
	n := bytes.Count(data, []byte{'\n'})
	if len(data) > 0 && data[len(data)-1] != '\n' {
		n++
	}
	return n, nil
}
