package leads

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// testsBeside bounds how many test files are read because of their names.
const testsBeside = 6

// testsNamedFor returns the test files that are named after a source file among refs, or after the
// subject itself: pool_test.go for pool.go. The titles of their tests need not mention what they
// test.
func testsNamedFor(ctx context.Context, env *catalog.Env, refs []string, want map[string]bool) ([]string, error) {
	sources := map[string]int{} // ranks of the source names, from 1
	for _, ref := range refs {
		p := contract.ParseReference(ref).Path
		if b := coderank.BucketOf(p, nil); b == coderank.Implementation && len(sources) < 4 {
			if name := testedName(p); sources[name] == 0 && len(name) > 2 {
				sources[name] = len(sources) + 1
			}
		}
	}
	type choice struct {
		ref   string
		worth float64
	}
	var list []choice
	for _, root := range env.Roots.Roots() {
		known, err := source.SurveyRoot(ctx, env, root)
		if err != nil {
			return nil, err
		}
		for _, f := range known.Files {
			if f.Size > 1<<20 || !strings.Contains(strings.ToLower(f.Path), "test") && !strings.Contains(f.Path, "spec") && !strings.Contains(f.Path, "Spec") {
				continue
			}
			ref := env.Roots.Ref(root, f.Path)
			if coderank.BucketOf(ref, nil) != coderank.Test {
				continue
			}
			name := testedName(f.Path)
			worth := 0.0
			if at := sources[name]; at > 0 {
				worth = 1 - 0.15*float64(at)
			}
			if s := stemShare(want, name); s >= 0.5 {
				worth += s
			}
			if worth > 0 {
				list = append(list, choice{ref, worth})
			}
		}
	}
	slices.SortFunc(list, func(a, b choice) int { return cmp.Or(cmp.Compare(b.worth, a.worth), strings.Compare(a.ref, b.ref)) })
	var out []string
	for _, c := range list[:min(len(list), testsBeside)] {
		out = append(out, c.ref)
	}
	return out, nil
}

// testedName returns the name of a file in lower case without its extensions and test affixes: pool
// for pool_test.go, test_pool.py, PoolTests.cs and pool.spec.ts.
func testedName(p string) string {
	name := path.Base(p)
	if i := strings.IndexByte(name[min(len(name), 1):], '.'); i >= 0 {
		name = name[:i+1]
	}
	for _, end := range []string{"_test", "_tests", "_spec", "-test", "-tests", "-spec", "Tests", "Test", "Specs", "Spec"} {
		if s, ok := strings.CutSuffix(name, end); ok && s != "" {
			name = s
			break
		}
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "test_"), "test-")
	return strings.ToLower(name)
}
