package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What was cut off a result has not been seen, so it can be no candidate.
func TestPlacesThatWereCutOffAreNone(t *testing.T) {
	var text strings.Builder
	for n := 1; n <= 100; n++ {
		fmt.Fprintf(&text, "%d\tline\n", n)
	}
	raw, err := json.Marshal(map[string]any{"ref": "a.go", "from": 1, "to": 100, "text": text.String()})
	if err != nil {
		t.Fatal(err)
	}
	shown, cut := fitText("ref: a.go\n"+text.String(), 200)
	if !cut || !strings.Contains(shown, "more lines are left out") {
		t.Fatalf("not cut: %q", shown)
	}
	p := newPlaces()
	p.recordResult(raw, shown, cut)
	p.recordResult(json.RawMessage(`{"matches": [{"ref": "b.go:3", "text": "x"}, {"ref": "c.go:4", "text": "y"}]}`), "matches:\n  b.go:3  x\n(1 more lines are left out)", true)
	p.recordNamed("a.go:5, a.go:90, c.go:4 and b.go:3")
	var got []string
	for _, c := range p.bestCandidates(nil) {
		got = append(got, c.Ref)
	}
	if list := strings.Join(got, " "); list != "a.go:5 b.go:3" {
		t.Errorf("candidates %s, want a.go:5 b.go:3", list)
	}
}

// Of a range that was made short, the lines that are shown have been seen and no
// others; a place does not stand in one whose number goes on.
func TestPlacesOfWhatWasMadeShort(t *testing.T) {
	raw := json.RawMessage(`{"ref": "a.go", "from": 1, "to": 100, "text": "…"}`)
	p := newPlaces()
	p.recordResult(raw, "ref: a.go\nlines_total: 279\n3 type A struct {\n4 b int\n90 func C() {\n200 d()\n[… 96 more lines]", true)
	p.recordResult(json.RawMessage(`{"matches": [{"ref": "b.go:3"}, {"ref": "b.go:31"}, {"ref": "c.go:4"}]}`), "b.go:31 x\nAlso at: c.go:4", true)
	p.recordNamed("a.go:4, a.go:5, a.go:90, a.go:200, b.go:3, b.go:31 and c.go:4")
	var got []string
	for _, h := range p.hits {
		got = append(got, h.ref.String())
	}
	if list := strings.Join(got, " "); list != "a.go:3 b.go:31 c.go:4 a.go:4 a.go:90" {
		t.Errorf("places %s", list)
	}
}
