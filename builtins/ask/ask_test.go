package ask

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

func planned(text string, sources ...string) Planned {
	return Planned{Part{Text: text, Ask: text}, sources}
}

// TestNext follows a plan until nothing is left: every round takes the step that ask.next chooses.
func TestNext(t *testing.T) {
	both := []string{"docs", "code"}
	for name, c := range map[string]struct {
		parts  []Planned
		enough string
		found  map[string]string // confidence by "part source"
		want   []string          // steps
	}{
		"no part":              {},
		"no source":            {parts: []Planned{planned("a")}},
		"the first answers":    {parts: []Planned{planned("a", both...)}, found: map[string]string{"a docs": "med"}, want: []string{"a docs"}},
		"the second answers":   {parts: []Planned{planned("a", both...)}, found: map[string]string{"a code": "high"}, want: []string{"a docs", "a code"}},
		"none answers":         {parts: []Planned{planned("a", both...)}, want: []string{"a docs", "a code"}},
		"not sure enough":      {parts: []Planned{planned("a", both...)}, found: map[string]string{"a docs": "low"}, want: []string{"a docs", "a code"}},
		"low is enough":        {parts: []Planned{planned("a", both...)}, enough: "low", found: map[string]string{"a docs": "low"}, want: []string{"a docs"}},
		"each part once first": {parts: []Planned{planned("a", both...), planned("b", "code", "docs")}, found: map[string]string{"b docs": "high"}, want: []string{"a docs", "b code", "a code", "b docs"}},
	} {
		in := NextIn{Parts: c.parts, Enough: c.enough}
		if in.Enough == "" {
			in.Enough = "med"
		}
		var got []string
		for range 10 {
			next := in.chooseStep()
			if next.Source == "" {
				break
			}
			key := next.Part + " " + next.Source
			got = append(got, key)
			confidence := c.found[key]
			if confidence == "" {
				confidence = "none"
			}
			in.Steps = append(in.Steps, Step{next.Part, next.Source, confidence})
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func found(part, source, confidence, answer string) Found {
	return Found{Step: Step{part, source, confidence}, Answer: answer}
}

func TestReply(t *testing.T) {
	quote := docs.Citation{ID: "1", URI: "guide/pools.md", Quote: "A pool keeps twelve.", End: 20}
	sure := found("a", "docs", "high", "A pool keeps twelve.")
	sure.Citations = []docs.Citation{quote}
	code := found("b", "code", "med", "`Close` (pool.go:4)")
	code.References, code.Places = []string{"pool.go:4", "pool.go:9"}, []string{"pool.go:9 `Open` opens it"}
	failed := found("b", "docs", "none", "")
	failed.Failed = "the store is locked"
	unindexed := found("a", "docs", "none", "")
	unindexed.Note = "collection guide is not indexed"
	unsendable := found("a", "docs", "high", "Pad with it.")
	unsendable.Citations = []docs.Citation{{URI: "guide/pad.md", Quote: "Pad with <pad>. Then\r mask it\u00ad.", Start: 7, End: 40}, {URI: "guide/none.md", Quote: "<pad>"}, quote}
	for name, c := range map[string]struct {
		in     ReplyIn
		tokens int
		limits []string
		want   Reply
	}{
		"nothing to look up": {want: Reply{Answer: "There is nothing in this to look up.", Confidence: "none"}},
		"one part":           {in: ReplyIn{Parts: []Planned{planned("a")}, Steps: []Found{sure}}, want: Reply{Answer: "A pool keeps twelve.", Citations: sure.Citations, Confidence: "high", Steps: []Step{sure.Step}}},
		"the better answer, and what failed": {
			in: ReplyIn{Parts: []Planned{planned("b")}, Steps: []Found{failed, code}},
			want: Reply{Answer: code.Answer, References: code.References, Places: code.Places, Confidence: "med", Steps: []Step{failed.Step, code.Step},
				Notes: []string{"docs: the store is locked"}},
		},
		"the likeliest source beside a more confident one": {
			in:   ReplyIn{Parts: []Planned{planned("b", "docs", "code")}, Steps: []Found{found("b", "docs", "low", "It closes by itself."), code}},
			want: Reply{Answer: "It closes by itself.\n\n" + code.Answer, References: code.References, Places: code.Places, Confidence: "med", Steps: []Step{{"b", "docs", "low"}, code.Step}},
		},
		"the other source does not stand beside the likeliest": {
			in:   ReplyIn{Parts: []Planned{planned("b", "code", "docs")}, Steps: []Found{code, found("b", "docs", "low", "It closes by itself.")}},
			want: Reply{Answer: code.Answer, References: code.References, Places: code.Places, Confidence: "med", Steps: []Step{code.Step, {"b", "docs", "low"}}},
		},
		"the first of equals": {
			in:   ReplyIn{Parts: []Planned{planned("a")}, Steps: []Found{found("a", "docs", "low", "one"), found("a", "code", "low", "two")}},
			want: Reply{Answer: "one", Confidence: "low", Steps: []Step{{"a", "docs", "low"}, {"a", "code", "low"}}},
		},
		"nothing found": {
			in:   ReplyIn{Parts: []Planned{planned("a")}, Steps: []Found{found("a", "docs", "none", "No."), found("a", "code", "none", "No.")}},
			want: Reply{Answer: "No.", Confidence: "none", Steps: []Step{{"a", "docs", "none"}, {"a", "code", "none"}}},
		},
		"some parts, cut short": {
			in:     ReplyIn{Parts: []Planned{planned("a", "docs"), planned("c", "docs")}, Steps: []Found{sure}, Note: "stopped"},
			limits: []string{"time"},
			want: Reply{Answer: "a\nA pool keeps twelve.\n\nc\nNot looked up.", Citations: sure.Citations, Confidence: "low", Steps: []Step{sure.Step},
				Notes: []string{"stopped", "cut short by the limits of time"}},
		},
		"answers share the room": {
			in:     ReplyIn{Parts: []Planned{planned("a"), planned("b")}, Steps: []Found{found("a", "docs", "high", strings.Repeat("long ", 100)), found("b", "docs", "high", "short")}},
			tokens: 22,
			want: Reply{Answer: "a\nlong long long long long long long long…\n\nb\nshort", Confidence: "high", Steps: []Step{{"a", "docs", "high"}, {"b", "docs", "high"}},
				Truncations: []string{"answer"}},
		},
		"why a source does not answer": {
			in:   ReplyIn{Parts: []Planned{planned("a")}, Steps: []Found{unindexed, found("a", "code", "low", "two")}},
			want: Reply{Answer: "two", Confidence: "low", Steps: []Step{{"a", "docs", "none"}, {"a", "code", "low"}}, Notes: []string{unindexed.Note}},
		},
		"a quote that is not sent as it stands": {
			in: ReplyIn{Parts: []Planned{planned("a")}, Steps: []Found{unsendable}},
			want: Reply{Answer: "Pad with it.", Citations: []docs.Citation{{URI: "guide/pad.md", Quote: "Pad with", Start: 7, End: 15}, quote}, Confidence: "high", Steps: []Step{unsendable.Step},
				Notes: []string{"a quote of guide/pad.md is cut to what can be sent as it stands", "a quote of guide/none.md cannot be sent as it stands, and is left out"}},
		},
		"headings share the room": {
			in: ReplyIn{Parts: []Planned{planned(strings.Repeat("what ", 20)), planned(strings.Repeat("who ", 20)), planned("why")},
				Steps: []Found{found(strings.Repeat("what ", 20), "docs", "high", "first answer"), found(strings.Repeat("who ", 20), "docs", "high", "second answer"), found("why", "docs", "high", "third answer")}},
			tokens: 100,
			want: Reply{Answer: "what what what…\nfirst answer\n\nwho who who who who…\nsecond answer\n\nwhy\nthird answer", Confidence: "high", Truncations: []string{"answer"},
				Steps: []Step{{strings.Repeat("what ", 20), "docs", "high"}, {strings.Repeat("who ", 20), "docs", "high"}, {"why", "docs", "high"}}},
		},
		"no source":                  {in: ReplyIn{Parts: []Planned{planned("a")}}, want: Reply{Answer: "There is no source that may be searched for this.", Confidence: "none"}},
		"a source that says nothing": {in: ReplyIn{Parts: []Planned{planned("b", "docs")}, Steps: []Found{failed}}, want: Reply{Answer: "No source answers this.", Confidence: "none", Steps: []Step{failed.Step}, Notes: []string{"docs: the store is locked"}}},
	} {
		if diff := cmp.Diff(c.want, c.in.join(c.tokens, c.limits), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestViewRepeatsNothing(t *testing.T) {
	r := Reply{Answer: "A pool keeps twelve. `Close` (pool.go:4)", Confidence: "med", Truncations: []string{"places"},
		Citations:  []docs.Citation{{URI: "guide/pools.md", Quote: "A pool keeps twelve."}, {URI: "guide/more.pdf", Page: 3, NoteID: "note-1", Quote: "Keep “few”."}},
		References: []string{"pool.go:4", "pool.go:9"}, Places: []string{"pool.go:9 `Open` opens it"}, Notes: []string{"docs: locked"}}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	got := render.Reply(raw, reply().Out, render.Text)
	for text, times := range map[string]int{
		"twelve": 1, "pool.go:4": 1, "pool.go:9 `Open` opens it": 1, "guide/pools.md\n": 1, "guide/more.pdf, page 3 (the user pinned this): “Keep ‘few’.”": 1,
		"docs: locked": 1, "shortened to fit: places": 1, "confidence med": 1,
	} {
		if n := strings.Count(got, text); n != times {
			t.Errorf("%q %d times, want %d:\n%s", text, n, times, got)
		}
	}
}
