package source

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

const (
	maxSimilar     = 3               // paths that an error suggests
	maxSimilarTime = 2 * time.Second // for finding them; an error must not take longer than the work
)

// SimilarPaths returns visible files and directories that a nonexistent path may have meant, the
// likeliest first.
func SimilarPaths(ctx context.Context, env *catalog.Env, asked string) []string {
	ctx, cancel := context.WithTimeout(ctx, maxSimilarTime)
	defer cancel()
	var found []candidate
	for _, root := range env.Roots.Roots() {
		files, _, _ := root.Files(ctx, ".")
		dir := ""
		for _, f := range files {
			found = addCandidate(found, asked, env.Roots.Ref(root, f.Path))
			if d := path.Dir(f.Path); d != dir && d != "." {
				dir = d
				found = addCandidate(found, asked, env.Roots.Ref(root, d)+"/")
			}
		}
	}
	slices.SortFunc(found, candidate.compare)
	found = slices.CompactFunc(found, func(a, b candidate) bool { return a.path == b.path })
	out := make([]string, 0, maxSimilar)
	for _, c := range found {
		if c.edits > found[0].edits || len(out) == maxSimilar {
			break
		}
		out = append(out, c.path)
	}
	return out
}

// candidate is a path with its distance from the requested one.
type candidate struct {
	path  string
	edits int // between the base names, ignoring case
	tail  int // number of trailing components in common
	far   int // edits between the whole paths
}

// compare orders by the nearest name, then by the longest common tail, then by the nearest path.
func (c candidate) compare(o candidate) int {
	return cmp.Or(cmp.Compare(c.edits, o.edits), cmp.Compare(o.tail, c.tail), cmp.Compare(c.far, o.far), cmp.Compare(c.path, o.path))
}

// addCandidate keeps a path whose base name is similar to the requested one: one letter in four may
// differ, and so may the extension.
func addCandidate(list []candidate, asked, p string) []candidate {
	want, have := strings.ToLower(path.Base(asked)), strings.ToLower(path.Base(p))
	allowed := 1 + len(want)/4
	edits := words.Edits(want, have, allowed)
	if stem := strings.TrimSuffix(want, path.Ext(want)); edits > 1 && len(stem) > 2 && stem == strings.TrimSuffix(have, path.Ext(have)) {
		edits = 1
	}
	if edits > allowed {
		return list
	}
	plain := strings.TrimSuffix(p, "/")
	return append(list, candidate{path: p, edits: edits, tail: CommonTail(asked, plain), far: words.Edits(asked, plain, len(asked)+len(plain))})
}

// CommonTail returns how many trailing components two paths have in common, ignoring case.
func CommonTail(a, b string) int {
	x, y := strings.Split(strings.ToLower(a), "/"), strings.Split(strings.ToLower(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}
