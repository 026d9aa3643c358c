package report

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
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

// A step that leads to a place which is told of is not told once more below another,
// however it names that place.
func TestAStepToAToldPlaceIsLeftOut(t *testing.T) {
	in := SynthesizeInput{Analyzed: []contract.Result{
		{Summary: "`admit` (a.go:36) decides.", References: []string{"a.go:36"}},
		{Summary: "`Submit` (a.go:27) runs a task.", References: []string{"a.go:27"}, KeyFindings: []contract.Finding{
			{Text: "28 -> `admit` (line 36): decides", Ref: "a.go:28"}, {Text: "29 -> `run` (line 50): runs it", Ref: "a.go:29"}}},
		{Summary: "`Other` (b.go:1) uses both.", References: []string{"b.go:1"}, KeyFindings: []contract.Finding{
			{Text: "3 -> `admit` (a.go:36): decides", Ref: "b.go:3"}, {Text: "4 -> `own` (line 36): its own", Ref: "b.go:4"}}},
	}}
	text := synthesize(in, 2000).Summary
	for _, want := range []string{"29 -> `run`", "4 -> `own`"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing:\n%s", want, text)
		}
	}
	for _, no := range []string{"28 -> ", "3 -> "} {
		if strings.Contains(text, no) {
			t.Errorf("%s is told twice:\n%s", no, text)
		}
	}
}
