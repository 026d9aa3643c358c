package coderank

import (
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

const linearSize = 4 << 10

func TestFindIsLinear(t *testing.T) {
	for _, question := range []string{
		blocksQuestion, "_ a __a aA ss Us a_a where is A_A and aAaAaA", strings.Repeat("aA_a ", 60), "größe Überlauf a_a",
	} {
		plan := newPlan(Parse(question))
		for _, piece := range []string{"_a", "aA", "A", "a", "_", "a_", "ss", "Us", "URLs", "9", "a9_", "é", "日", "aé", "parse", "parse_http_request", "body\n", "func (", " "} {
			t.Run(fmt.Sprintf("%.20q in %.20q", piece, question), func(t *testing.T) {
				clocktest.Linear(t, linearSize, func(n int) func() {
					text, m := []byte(strings.Repeat(piece, n/len(piece))), newMatcher(plan)
					m.deep = true
					return func() { m.find(text) }
				})
			})
		}
	}
}

// TestReadIsLinear does the same for reading by definition: one endless name.
func TestReadIsLinear(t *testing.T) {
	clocktest.Linear(t, linearSize, func(n int) func() {
		c := New(Parse("body of parse"), Default())
		col := c.Collector()
		text := []byte("package a\n\nfunc " + strings.Repeat("body_", n/5) + "() {}\n")
		return func() {
			col.Scan("a.go", text)
			c.Candidates(1)
			col.Read("a.go", text)
		}
	})
}
