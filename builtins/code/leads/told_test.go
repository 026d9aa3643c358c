package leads

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/explain"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

func TestABracketDecidesNothing(t *testing.T) {
	for line, want := range map[string]bool{"}": false, "  });": false, "": false, "} catch (e) {": true, "x()": true, "\t1": true} {
		if got := tellsWords(line); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

// TestAMemberIsToldOnce: a field whose comment is Sphinx's own is told of without
// the mark of it, and on one line.
func TestAMemberIsToldOnce(t *testing.T) {
	text := "class View:\n    #: The methods that this view is\n    #: registered for.\n    methods = None\n\n    def run(self):\n        pass\n"
	got := codetest.Must[contract.Result](t, explain.Analyze(), codetest.Tree(t, map[string]string{"v.py": text}),
		map[string]any{"reference": "v.py:1", "question": "which methods is a view registered for?"})
	n := 0
	for _, f := range got.KeyFindings {
		if strings.HasPrefix(f.Text, "4: ") {
			n++
		}
		if strings.Contains(f.Text, ": :") {
			t.Error(f.Text)
		}
	}
	if n != 1 || !strings.Contains(got.KeyFindings[0].Text, "The methods that this view is registered for") {
		t.Errorf("%d times: %+v", n, got.KeyFindings)
	}
}
