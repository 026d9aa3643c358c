package report

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestAnUnknownNameIsSaid: who asks for the callers of what is not there is told so
// before anything else.
func TestAnUnknownNameIsSaid(t *testing.T) {
	place := contract.Result{Summary: "`evict` (evict.c:5) frees memory.", References: []string{"evict.c:5"}, Confidence: contract.Med}
	in := SynthesizeInput{Question: "who calls freeMemory?", Located: place, Analyzed: []contract.Result{place}, Wants: find.Wants{Callers: true},
		Leads: []contract.Result{contract.NotFound(usage.NotDefinedPrefix + " `freeMemory`.")}}
	got := synthesize(in, 1000)
	if want := "Nothing in the code is called `freeMemory`. The nearest: `evict` (evict.c:5)"; !strings.HasPrefix(got.Summary, want) || got.Confidence != contract.Low {
		t.Errorf("%s: %s", got.Confidence, got.Summary)
	}
}
