package coderank_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// What past commits say of a file weighs where its text does not say it; what the
// answer is worth is not changed by it.
func TestPastMessagesMoveFiles(t *testing.T) {
	tree := map[string]string{}
	for i := range 40 {
		tree[fmt.Sprintf("lib/f%02d.go", i)] = fmt.Sprintf("package lib\n\n// F%d keeps a leased connection.\nfunc F%d() { connection() }\n", i, i)
	}
	tree["lib/reaper.go"] = "package lib\n\nfunc sweep() { connection() }\n"
	const question = "where does it keep leased connections"
	rank1 := func(messages []coderank.Message) (coderank.Result, bool) {
		r := coderank.New(coderank.Parse(question), coderank.Default())
		c := r.Collector()
		var names []string
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
		first := r.Rank(10)
		if !r.Learn(messages) {
			return first, false
		}
		for _, name := range r.Further(8) {
			c.Read(name, []byte(tree[name]))
		}
		return r.Rank(10), true
	}
	plain, learned := rank1(nil)
	if learned || plain.Hits[0].Path == "lib/reaper.go" {
		t.Fatalf("learned %v, first %v", learned, paths(plain))
	}
	got, learned := rank1([]coderank.Message{
		{Text: "keep leased connections in one place\n\nleased connections are kept", Files: []string{"lib/reaper.go"}},
		{Text: "leased docs", Files: []string{"README.md"}},
		{Text: "reformat\n\nSigned-off-by: keep leased connections <x@y>", Files: []string{"lib/f03.go"}},
	})
	if !learned || got.Hits[0].Path != "lib/reaper.go" {
		t.Errorf("learned %v, first %v", learned, paths(got))
	}
	if got.Confidence != plain.Confidence {
		t.Errorf("confidence %v, was %v", got.Confidence, plain.Confidence)
	}
	wide := coderank.Message{Text: "keep leased connections", Files: nil}
	for i := range 31 {
		wide.Files = append(wide.Files, fmt.Sprintf("lib/f%02d.go", i))
	}
	if _, learned := rank1([]coderank.Message{wide}); learned {
		t.Error("a commit that changes everything says something")
	}
}
