package code

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// maxBig bounds the bytes of big files that are parsed for one question: tables that a
// program wrote are the most of what is big, and a parser takes its time for each.
const maxBig = 12 << 20

// bigFiles chooses the big files that are parsed, by their place in a list: those that
// define a name first, tests last, smaller ones before others. cut says that some are not.
func bigFiles(all []*fileUse) (chosen []int, cut bool) {
	var big []int
	for i, f := range all {
		if f != nil && f.later {
			big = append(big, i)
		}
	}
	isTest := func(i int) bool { return all[i].bucket == coderank.Test }
	slices.SortStableFunc(big, func(a, b int) int {
		return cmp.Or(cmp.Compare(yesFirst(all[a].defines), yesFirst(all[b].defines)),
			cmp.Compare(yesFirst(!isTest(a)), yesFirst(!isTest(b))), cmp.Compare(all[a].size, all[b].size))
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

// findInBig finds the uses in big files, by their places in the list of all.
func findInBig(ctx context.Context, env *catalog.Env, root *sandbox.Root, files []sandbox.Entry, big []int,
	workers []useFinder, targets []target, out []*fileUse) error {
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
		workers[w].callees.take() // known from the first time
	}}
	if env.Cache != nil {
		visit.Known = func(int, int, sandbox.Version) bool { return false }
	}
	_, err := root.ScanVersions(ctx, list, len(workers), visit)
	return errors.Join(err, ctx.Err())
}
