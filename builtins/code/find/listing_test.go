package find

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// poolFiles is a tree in which n files speak of a pool.
func poolFiles(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("p%02d/pool.go", i)] = fmt.Sprintf("package p\n\n// pool%d keeps workers of the pool.\nfunc pool%d() { workers() }\n", i, i)
	}
	for i := range 8 * n { // without them no word would tell one file from another
		files[fmt.Sprintf("other/f%03d.go", i)] = "package other\n\nfunc x() { things() }\n"
	}
	return files
}

// A list is short: places, then the names of further files.
func TestListIsShort(t *testing.T) {
	env := codetest.NewEnv(t, poolFiles(20))
	for question, want := range map[string]int{"how are the workers of the pool kept?": surePlaces, "workers of the pool are kept": alsoFiles, "how workers of the pool are kept": alsoFiles} {
		r := codetest.MustCall[contract.Result](t, Locate(), env, map[string]any{"question": question})
		if len(r.References) != want || len(r.KeyFindings) != surePlaces {
			t.Errorf("%s: %d references, %d findings", question, len(r.References), len(r.KeyFindings))
		}
		for i, ref := range r.References {
			if placed := strings.Contains(ref, ":"); placed != (i < surePlaces) {
				t.Errorf("%s: reference %d is %s", question, i, ref)
			} else if placed && r.KeyFindings[i].Ref != ref {
				t.Errorf("finding %d is of %s, the reference is %s", i, r.KeyFindings[i].Ref, ref)
			}
		}
	}
	if r := codetest.MustCall[contract.Result](t, Locate(), env, map[string]any{"question": "how are the workers of the pool kept?", "limit": 2}); len(r.References) != 2 {
		t.Errorf("limit 2: %v", r.References)
	}
}

// What is far behind the first is not given, and little where nothing fits.
func TestListIsCut(t *testing.T) {
	env := codetest.NewEnv(t, poolFiles(6))
	place := func(i int, behind float64) coderank.Definition {
		return coderank.Definition{Path: fmt.Sprintf("p%02d/pool.go", i), Place: coderank.Place{Line: 4}, Behind: behind}
	}
	defs := []coderank.Definition{place(0, 0), place(1, 5), place(2, 6), place(3, 7)}
	near := []coderank.Definition{place(0, 0), place(1, 1), place(2, 2), place(3, 3), place(4, 3.5)}
	for _, c := range []struct {
		defs []coderank.Definition
		c    retrieval.Confidence
		want int
	}{{defs, retrieval.Medium, fewPlaces}, {near, retrieval.High, 5}, {near, retrieval.Low, weakPlaces}} {
		r := contract.Result{References: []string{}}
		l := &listing{ctx: t.Context(), env: env, result: &r, most: 10}
		l.addDefinitions(c.defs, mostPlaces(c.c))
		if len(r.References) != c.want || !slices.IsSorted(r.References) {
			t.Errorf("%v: %v, want %d", c.c, r.References, c.want)
		}
		l.addFileNames([]coderank.Hit{{Path: "p00/pool.go"}, {Path: "x.go"}}, alsoFiles)
		if len(r.References) != c.want+1 || r.References[c.want] != "x.go" {
			t.Errorf("%v: %v", c.c, r.References)
		}
	}
}
