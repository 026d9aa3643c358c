package find

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// A subtree is a directory, or one file, of a root that a call searches.
type subtree struct {
	root *sandbox.Root
	rel  string // "." is the whole root
	dir  bool
}

// resolveSubtrees returns what a call has to search: the place named by under, or every root in
// order.
func resolveSubtrees(ctx context.Context, env *catalog.Env, under string) ([]subtree, error) {
	roots := env.Roots.Roots()
	if under = strings.TrimSpace(under); under == "" || under == "." || under == "./" {
		if len(roots) == 0 {
			_, _, err := env.Roots.Resolve(".")
			return nil, source.WithCode(err)
		}
		all := make([]subtree, len(roots))
		for i, r := range roots {
			all[i] = subtree{root: r, rel: ".", dir: true}
		}
		return all, nil
	}
	root, rel, e, err := source.ResolvePath(ctx, env, under)
	if err != nil {
		return nil, err
	}
	return []subtree{{root: root, rel: rel, dir: e.Dir}}, nil
}

// files lists the visible files of a subtree.
func (t subtree) files(ctx context.Context) ([]sandbox.Entry, sandbox.WalkStats, error) {
	files, stats, err := t.root.Files(ctx, t.rel)
	return files, stats, source.WithCode(err)
}

// matchNames returns the names by which a glob may match a file of the subtree: its path in the
// root, its path in the subtree, and its reference.
func (t subtree) matchNames(env *catalog.Env, rel string) []string {
	names := append(make([]string, 0, 3), rel)
	if in, ok := strings.CutPrefix(rel, t.rel+"/"); ok {
		names = append(names, in)
	}
	if ref := env.Roots.Ref(t.root, rel); ref != rel {
		names = append(names, ref)
	}
	return names
}
