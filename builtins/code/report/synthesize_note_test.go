package report

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestNoteThatAnswersLeads says that a note whose heading and first sentence hold what
// is asked stands first, with what it decides, and once; another stands behind.
func TestNoteThatAnswersLeads(t *testing.T) {
	note := contract.Result{Summary: `"Why uploads are retried" (thoughts/r.md:3): We decided to retry three times.`, References: []string{"thoughts/r.md:3"},
		KeyFindings: []contract.Finding{{Text: "More than three retries must not be made (thoughts/r.md:5)", Ref: "thoughts/r.md:5"}}}
	place := contract.Result{Summary: "`upload` (up.py:1): Sends an item.", References: []string{"up.py:1"}}
	in := SynthesizeInput{Keywords: []string{"uploads", "retried"}, Analyzed: []contract.Result{place, note}, Decided: []contract.Result{note},
		Located:  contract.Result{References: []string{"up.py:1", "thoughts/r.md:3"}, Confidence: contract.Low},
		Thoughts: contract.Result{References: []string{"thoughts/r.md:3"}}}
	got := synthesize(in, 1000)
	if !strings.HasPrefix(got.Summary, `"Why uploads`) || !strings.Contains(got.Summary, "must not be made") || strings.Count(got.Summary, "thoughts/r.md:3") != 1 {
		t.Errorf("%s", got.Summary)
	}
	if got.References[0] != "thoughts/r.md:3" || got.Confidence != contract.Med {
		t.Errorf("%v %v", got.References, got.Confidence)
	}
	in.Keywords = []string{"cache", "memory", "uploads"}
	if got := synthesize(in, 1000); !strings.Contains(got.Summary, "nearest: `upload`") {
		t.Errorf("%s", got.Summary)
	}
}
