package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// A report of a fault goes on beyond the place whose message it quotes; a question that has its
// answer does not.
func TestReportsListTheOtherFiles(t *testing.T) {
	lead := contract.Result{Summary: "`warn` (a.py:4) says it", References: []string{"a.py:4"}}
	for _, c := range []struct {
		name     string
		question string
		files    int
		want     []string
	}{
		{"a question", "why: no such table", 8, []string{"a.py:4", "f0.py:1", "f1.py:1", "f2.py:1", "f3.py:1", "f4.py:1"}},
		{"a report", strings.Repeat("it fails with: no such table. ", 20), 8, []string{"a.py:4", "f0.py:1", "f1.py:1", "f2.py:1", "f3.py:1", "f4.py:1", "f5.py:1", "g6.py", "g7.py"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			located := contract.Result{Summary: "Found"}
			for i := range c.files {
				if i < 6 {
					located.References = append(located.References, fmt.Sprintf("f%d.py:1", i))
				} else {
					located.References = append(located.References, fmt.Sprintf("g%d.py", i))
				}
			}
			in := SynthesizeInput{Question: c.question, Located: located, Leads: []contract.Result{lead}, Places: 6}
			if got := synthesize(in, 1000).References; !slices.Equal(got, c.want) {
				t.Errorf("references are %v, want %v", got, c.want)
			}
		})
	}
}
