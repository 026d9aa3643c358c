package code

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/contract"
)

// However much there is to tell of the first place, the others are named.
func TestEachPlaceIsNamed(t *testing.T) {
	long := contract.Result{Summary: "`A` (a.go:1): " + strings.Repeat("long ", 30), References: []string{"a.go:1"}}
	for range 40 {
		long.KeyFindings = append(long.KeyFindings, contract.Finding{Text: "2: " + strings.Repeat("x", 60)})
	}
	in := SynthesizeInput{Analyzed: []contract.Result{
		long,
		{Summary: "`B` (b.go:1): " + strings.Repeat("word ", 100), References: []string{"b.go:1"}},
		{Summary: "`C` (c.go:1) ends.", References: []string{"c.go:1"}},
	}}
	const room = 800
	r := synthesize(in, room)
	for _, ref := range []string{"a.go:1", "b.go:1", "c.go:1"} {
		if !contract.Mentions(r.Summary, ref) {
			t.Errorf("%s is not in the answer:\n%s", ref, r.Summary)
		}
	}
	if len(r.Summary) > room {
		t.Errorf("the answer has %d bytes, of %d", len(r.Summary), room)
	}
}
