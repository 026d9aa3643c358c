package coderank_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// TestAgainIsAFreshRanking says that what is shared changes nothing.
func TestAgainIsAFreshRanking(t *testing.T) {
	tree := map[string]string{"docs/pool.md": "# Pool\n\nHow to drain a pool.\n"}
	for i := range 40 {
		tree[fmt.Sprintf("pool/p%02d.go", i)] = fmt.Sprintf("package pool\n\n// Drain%d drains the pool.\nfunc Drain%d(p *Pool) { p.drain(%d) }\n", i, i, i)
		tree[fmt.Sprintf("pool/p%02d_test.go", i)] = fmt.Sprintf("package pool\n\nfunc TestDrain%d(t *testing.T) { Drain%d(pool) }\n", i, i)
	}
	rankOf := func(r *coderank.Ranker, cols []*coderank.Collector, read func([]string) []string) coderank.Result {
		for i, name := range read(r.Candidates(32)) {
			cols[i%len(cols)].Read(name, []byte(tree[name]))
		}
		return r.Rank(10)
	}
	fresh := func(q *coderank.Query, w coderank.Weights) (*coderank.Ranker, coderank.Result) {
		r := coderank.New(q, w)
		cols := []*coderank.Collector{r.Collector(), r.Collector()}
		i := 0
		for name, text := range tree {
			cols[i%2].Scan(name, []byte(text))
			i++
		}
		return r, rankOf(r, cols, func(all []string) []string { return all })
	}
	read := 0
	for _, question := range []string{"how is the pool drained", "which tests cover Drain7?", "where is drainPools", "the blockchain wallet"} {
		first, _ := fresh(coderank.Parse(question), coderank.Default())
		q, w := coderank.Parse(question), coderank.Default()
		q.Intent.Tests, w.Test, w.Docs = true, 1, .8
		_, want := fresh(q, w)
		again := first.Again(q, w)
		got := rankOf(again, again.Collectors(), func(all []string) []string {
			left := again.Unread(all)
			read += len(all) - len(left)
			return left
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: fresh -, again +\n%s", question, diff)
		}
		if first.Again(coderank.Parse(question+" and locks"), w) != nil {
			t.Errorf("%s: the counts of other words were taken", question)
		}
	}
	if read == 0 {
		t.Error("what was read before was read again")
	}
}
