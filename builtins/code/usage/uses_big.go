package usage

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// maxBig bounds the bytes of big files that are parsed for one question: most big files are
// generated tables, and parsing each takes time.
const maxBig = 12 << 20

// bigFiles selects the big files to parse, as indexes: those that define a name first, tests last,
// smaller ones before others. cut means that some were left out.
func bigFiles(all []*fileUse) (chosen []int, cut bool) {
	var big []int
	for i, f := range all {
		if f != nil && f.later {
			big = append(big, i)
		}
	}
	isTest := func(i int) bool { return all[i].bucket == coderank.Test }
	slices.SortStableFunc(big, func(a, b int) int {
		return cmp.Or(cmp.Compare(boolRank(all[a].defines), boolRank(all[b].defines)),
			cmp.Compare(boolRank(!isTest(a)), boolRank(!isTest(b))), cmp.Compare(all[a].size, all[b].size))
	})
	left := maxBig
	for _, i := range big {
		if all[i].size > left && len(chosen) > 0 {
			cut = true
			continue
		}
		left -= all[i].size
		chosen = append(chosen, i)
	}
	slices.Sort(chosen)
	return chosen, cut
}

// findInBig finds the uses in the big files, given by their indexes in files.
func findInBig(ctx context.Context, env *catalog.Env, root *sandbox.Root, files []sandbox.Entry, big []int,
	workers []useFinder, targets []Target, out []*fileUse) error {
	if len(big) == 0 {
		return nil
	}
	list := make([]sandbox.Entry, len(big))
	for k, i := range big {
		list[k] = files[i]
	}
	for i := range workers {
		workers[i].big = true
	}
	visit := sandbox.Visitor{Read: func(w, k int, e sandbox.Entry, data []byte, v sandbox.Version) {
		out[big[k]] = workers[w].find(ctx, env.Roots.Ref(root, e.Path), data, v, targets)
		workers[w].callees.take() // already collected in the first pass
	}}
	if env.Cache != nil {
		visit.Known = func(int, int, sandbox.Version) bool { return false }
	}
	_, err := root.ScanVersions(ctx, list, len(workers), visit)
	return errors.Join(err, ctx.Err())
}
