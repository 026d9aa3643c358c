package coderank_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// Of files that hold the same of a question, the one comes first whose test says it in
// the words of the question; where tests are asked for, they come themselves.
func TestTestsVoteForWhatTheyTest(t *testing.T) {
	tree := map[string]string{"test/test_gamma.py": "def test_lease_is_renewed_before_it_expires():\n    lease()\n"}
	for _, name := range []string{"alpha", "beta", "gamma"} {
		tree[fmt.Sprintf("lib/%s.py", name)] = fmt.Sprintf("def %s(lease):\n    return lease\n", name)
	}
	first := func(question string) string {
		r := coderank.New(coderank.Parse(question), coderank.Default())
		c := r.Collector()
		names := make([]string, 0, len(tree))
		for name := range tree {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			c.Scan(name, []byte(tree[name]))
		}
		for _, name := range r.Candidates(8) {
			c.Read(name, []byte(tree[name]))
		}
		return r.Rank(10).Hits[0].Path
	}
	for question, want := range map[string]string{
		"lease is not renewed before it expires on a busy machine": "lib/gamma.py",
		"which tests cover that a lease is renewed?":               "test/test_gamma.py",
	} {
		if got := first(question); got != want {
			t.Errorf("%q: first %s, want %s", question, got, want)
		}
	}
}
