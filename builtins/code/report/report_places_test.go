package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

func TestAboutPlace(t *testing.T) {
	for text, want := range map[string]string{
		"`P.Admit` (a.go:1) lets a request in":        "P.Admit: lets a request in",
		"`P.Admit` (a.go:1): lets a request in":       "P.Admit: lets a request in",
		"`P.Admit` (a.go:1)":                          "P.Admit",
		"a.go:1 `x := 1`":                             "`x := 1`",
		"a.go:1: names, words":                        "names, words",
		"1: return err":                               "return err",
		"`A` is called from `B` (a.go:1)":             "`A` is called from `B` (a.go:1)",
		"`A` (a.go:1) " + strings.Repeat("word ", 40): contract.Shorten("A: "+strings.TrimSpace(strings.Repeat("word ", 40)), placeBytes),
	} {
		if got := aboutPlace(contract.Finding{Text: text, Ref: "a.go:1"}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// textOf is a report as text, after it went through JSON.
func textOf(t *testing.T, r Report) string {
	t.Helper()
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return render.Reply(raw, reportType(t), render.Text)
}

func TestOnlyRunsHaveResults(t *testing.T) {
	result := outcomeJSON(t, aResult(1, 1, "s")).Value
	for name, c := range map[string]struct {
		value any
		want  int
	}{
		"a result":             {result, 1},
		"runs":                 {[]any{map[string]any{"status": "ok", "ok": true, "value": result}, map[string]any{"status": "error"}}, 1},
		"a list of no runs":    {[]any{map[string]any{"status": 5, "value": result}}, 0},
		"a list of results":    {[]any{result}, 0},
		"nothing":              {nil, 0},
		"a result with a typo": {map[string]any{"summary": "s", "references": []any{}, "key_findings": []any{}, "sumary": 1}, 0},
	} {
		if got := resultsOf(c.value); len(got) != c.want {
			t.Errorf("%s: %d results, want %d", name, len(got), c.want)
		}
	}
}

// What the answer tells is not told again, and what only counts is not told at all.
func TestTextSaysNothingTwice(t *testing.T) {
	located := aResult(4, 4, "s")
	located.Note("3 findings left out")
	located.Note("Not looked at: vendor")
	in := ReportInput{Question: "q", Answer: contract.Result{Summary: "`F0` (f0.go:1) does\n  41: return nil", References: []string{"f0.go:1", "f1.go:2", "f9.go:9"}, Confidence: contract.High},
		Sections: map[string]Form{"base": {Place: 1, Always: true}}, outcomes: map[string]stage{"base": outcomeJSON(t, located)}}
	read := aResult(0, 0, "2 places read")
	read.KeyFindings = []contract.Finding{{Text: "41: return nil"}, {Text: "`F0` (f0.go:1) does"}, {Text: "`F1` (f1.go:2) does"}, {Text: "`G` is called from g.go:3"}}
	read.Note("Not looked at: vendor")
	r := Report{Question: in.Question, Answer: in.Answer.Summary, References: in.Answer.References, Places: in.placesOf(in.Answer.Summary, in.Answer.References),
		Confidence: contract.High, Meta: Meta{TasksSpawned: 7, Truncations: []string{"base findings", "answer", "references"}, Limits: Limits{Hit: []string{"files", "bytes"}}},
		Sections: []Section{{"base", contract.Succeeded[any](located, contract.Timing{})}, {"more", contract.Succeeded[any](read, contract.Timing{})}}}
	want := "`F0` (f0.go:1) does\n  41: return nil\n\nReferences\n  f1.go:2 F1: does\n  f9.go:9\n\nKey Findings\n  - `G` is called from g.go:3\n\nNotes\n  - Not looked at: vendor\n" +
		"  - shortened to fit the limit of tokens; a higher one shows more\n  - the limit of files and bytes was reached before all was looked at; a higher one may find more\n\nconfidence high\n"
	if d := cmp.Diff(want, textOf(t, r)); d != "" {
		t.Error(d)
	}
}

// A pasted bug report takes no room from the answer.
func TestLongQuestionsLeaveRoom(t *testing.T) {
	var refs []string
	for i := range 6 {
		refs = append(refs, strings.Repeat("dir/", i+1)+"f.go:7")
	}
	r := Report{Question: strings.Repeat("it fails with an error in the pool ", 100), Answer: strings.Repeat("the pool refuses ", 20), References: refs, RootsSearched: []string{"/src"},
		Meta: Meta{Keywords: []string{}, RolesRun: []string{}}, Sections: []Section{{"base", contract.Succeeded[any](aResult(0, 3, "s"), contract.Timing{})}}}
	var got Report
	if err := json.Unmarshal([]byte(out(t, r, reportType(t), 300)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Answer != r.Answer {
		t.Errorf("answer %q, question %q", got.Answer, got.Question)
	}
	if s := textOf(t, got); strings.Count(s, "shortened") > 1 {
		t.Error(s)
	}
}
