package report

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
	"github.com/compactor-mcp/compactor/runtime/safety/egress"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// outcomeOf is the type of a stage's outcome.
func outcomeOf(value *schema.Schema) *schema.Schema {
	text := &schema.Schema{Type: schema.String}
	return &schema.Schema{Type: schema.Object, Fields: []schema.Field{
		{Name: "status", Required: true, Schema: text}, {Name: "ok", Required: true, Schema: &schema.Schema{Type: schema.Boolean}},
		{Name: "value", Required: true, Schema: value}}}
}

func resultSchema() *schema.Schema { return schema.MustFromType(resultType) }

// noteSchema is what a role of a user's own may return.
func noteSchema() *schema.Schema {
	text := &schema.Schema{Type: schema.String}
	return &schema.Schema{Type: schema.Object, Fields: []schema.Field{{Name: "verdict", Required: true, Schema: text},
		{Name: "issues", Required: true, Schema: &schema.Schema{Type: schema.Array, Items: text}}}}
}

func shapeOf(t *testing.T, forms string, types map[string]*schema.Schema) (*schema.Schema, error) {
	t.Helper()
	given := map[string]catalog.Given{"question": {Type: &schema.Schema{Type: schema.String}}}
	for name, s := range types {
		given[name] = catalog.Given{Type: s}
	}
	if forms != "" {
		var literal any
		if err := json.Unmarshal([]byte(forms), &literal); err != nil {
			t.Fatal(err)
		}
		given["sections"] = catalog.Given{Literal: literal}
	}
	return reportShape(given)
}

func TestShapeNamesTheSections(t *testing.T) {
	fan := &schema.Schema{Type: schema.Array, Items: outcomeOf(resultSchema())}
	s, err := shapeOf(t, `{"b":{"place":1,"always":true,"doc":"first"},"a":{"doc":"by name"}}`,
		map[string]*schema.Schema{"a": outcomeOf(noteSchema()), "b": outcomeOf(resultSchema()), "c": outcomeOf(fan), "d": outcomeOf(&schema.Schema{})})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"question", "rootsSearched", "answer", "references", "places", "confidence", "b", "a", "c", "d", "meta"}, s.Names()); d != "" {
		t.Error(d)
	}
	if b := s.Field("b"); !b.Required || b.Schema.Doc != "first" || b.Schema.Field("value").Schema.Of != resultType {
		t.Errorf("b is %+v", b)
	}
	if a := s.Field("a").Schema.Field("value").Schema; s.Field("a").Required || a.Field("issues") == nil || a.Doc != "present when status is ok" {
		t.Errorf("a is %+v", a)
	}
	if c := s.Field("c").Schema.Field("value").Schema; c.Of != resultType {
		t.Errorf("the runs of a fan-out make %+v", c)
	}
	again, err := shapeOf(t, "", map[string]*schema.Schema{"a": outcomeOf(noteSchema())})
	if err != nil || again.Field("b") != nil {
		t.Errorf("one report has the sections of another: %q, %v", again.Names(), err)
	}
}

func TestShapeRefuses(t *testing.T) {
	one := map[string]*schema.Schema{"a": outcomeOf(resultSchema())}
	for want, c := range map[string]struct {
		forms string
		types map[string]*schema.Schema
	}{
		"there is no input b":      {`{"b":{"worth":1}}`, one},
		"a member of its own":      {"", map[string]*schema.Schema{"references": outcomeOf(resultSchema())}},
		"sections: write them out": {"null", one},
	} {
		if _, err := shapeOf(t, c.forms, c.types); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func outcomeJSON(t *testing.T, v any) stage {
	t.Helper()
	if r, ok := v.(contract.Result); ok {
		v = r.PlainForm()
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	s := stage{Status: "ok", OK: true}
	if err := json.Unmarshal(raw, &s.Value); err != nil {
		t.Fatal(err)
	}
	return s
}

func aResult(refs, findings int, summary string) contract.Result {
	r := contract.Result{Summary: summary, References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.Med}
	for i := range refs {
		r.References = append(r.References, fmt.Sprintf("f%d.go:%d", i, i+1))
	}
	for i := range findings {
		ref := fmt.Sprintf("f%d.go:%d", i, i+1)
		r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: source.Cite("F"+fmt.Sprint(i), ref) + " does", Ref: ref})
	}
	return r
}

func TestSectionsAreWrittenAsTheirForms(t *testing.T) {
	n := func(i int) *int { return &i }
	failed := stage{Status: "error", Error: StageError{Code: "X", Message: "no"}}
	skipped := stage{Status: "skipped", Skipped: "condition"}
	fan := func(runs ...stage) stage { return outcomeJSON(t, append([]stage{}, runs...)) }
	for name, c := range map[string]struct {
		form Form
		in   stage
		want string // the JSON of the outcome without timing; "" for no section
	}{
		"as it is":         {Form{}, outcomeJSON(t, aResult(2, 1, "s")), `"ok","value":{"summary":"s","references":["f0.go:1","f1.go:2"],"key_findings":["` + "`F0` (f0.go:1) does" + `"],"confidence":"med","notes":null}`},
		"counted and cut":  {Form{Counted: "found", References: n(1), Findings: n(0)}, outcomeJSON(t, aResult(2, 1, "s")), `"ok","value":{"summary":"2 places found","references":["f0.go:1"],"key_findings":[],"confidence":"med","notes":null}`},
		"nothing to count": {Form{Counted: "found"}, outcomeJSON(t, aResult(0, 0, "none")), `"ok","value":{"summary":"none","references":[],"key_findings":[],"confidence":"med","notes":null}`},
		"unsaid":           {Form{Unsaid: true, Findings: n(1)}, outcomeJSON(t, aResult(0, 3, "s")), `"ok","value":{"summary":"s","references":[],"key_findings":["` + "`F1` (f1.go:2) does" + `"],"confidence":"med","notes":null}`},
		"merged": {Form{Counted: "read", References: n(1), Findings: n(2), Further: n(1)}, fan(outcomeJSON(t, aResult(1, 3, "a")), failed, outcomeJSON(t, aResult(2, 2, "b"))),
			`"ok","value":{"summary":"2 places read","references":["f0.go:1"],"key_findings":["` + "`F0` (f0.go:1) does`,`F1` (f1.go:2) does`,`F0` (f0.go:1) does" + `"],"confidence":"med","notes":"1 place could not be read"}`},
		"finds":         {Form{Finds: true, Findings: n(1)}, outcomeJSON(t, aResult(0, 2, "s")), `"ok","value":{"summary":"s","references":[],"key_findings":["` + "`F0` (f0.go:1) does" + `"],"confidence":"med","notes":null}`},
		"finds nothing": {Form{Finds: true}, outcomeJSON(t, aResult(2, 0, "s")), ""},
		"no run left":   {Form{}, fan(), ""},
		"another value": {Form{Counted: "found"}, outcomeJSON(t, map[string]any{"verdict": "fine <&>", "issues": []string{}}), `"ok","value":{"issues":[],"verdict":"fine \u003c\u0026\u003e"}`},
		"other values":  {Form{}, fan(outcomeJSON(t, map[string]any{"verdict": "a"}), failed, outcomeJSON(t, map[string]any{"verdict": "b"})), `"ok","value":[{"verdict":"a"},{"verdict":"b"}]`},
		"runs with more": {Form{Counted: "read"}, stage{Status: "ok", OK: true, Value: []any{map[string]any{"status": "ok", "ok": true, "nr": 1, "value": outcomeJSON(t, aResult(1, 0, "a")).Value}}},
			`"ok","value":{"summary":"1 place read","references":["f0.go:1"],"key_findings":[],"confidence":"med","notes":null}`},
		"a result within": {Form{}, stage{Status: "ok", OK: true, Value: map[string]any{"inner": outcomeJSON(t, aResult(0, 1, "a")).Value}},
			`"ok","value":{"inner":{"confidence":"med","key_findings":["` + "`F0` (f0.go:1) does" + `"],"notes":null,"references":[],"summary":"a"}}`},
		"a mere list": {Form{}, outcomeJSON(t, []string{"a"}), `"ok","value":["a"]`},
		"failed":      {Form{}, failed, `"error","error":{"name":"Error","message":"no","code":"X"}`},
		"skipped":     {Form{}, skipped, ""},
		"always":      {Form{Always: true}, skipped, `"error","error":{"name":"SkippedError","message":"condition","code":"SKIPPED"}`},
		"never ran":   {Form{Always: true}, stage{}, `"error","error":{"name":"SkippedError","message":"did not run","code":"SKIPPED"}`},
	} {
		o, ok := form{c.form, "x"}.convertOutcome(c.in, "It is `F0` (f0.go:1), see there.")
		raw, err := json.Marshal(o)
		want := strings.ReplaceAll(`{"status":`+c.want+`,"timing":{"startedAt":0,"elapsedMs":0}}`, "does`,`", "does\",\"`")
		if ok != (c.want != "") || err != nil || ok && string(raw) != want {
			t.Errorf("%s: %v %s, %v\nwant %s", name, ok, raw, err, want)
		}
	}
}

// aReport is of random sizes, with a section of results and one of another value.
func aReport(rng *rand.Rand) Report {
	words := strings.Fields("the quick worker pool opens runtime/pipeline/engine/pool.go:41 under `admit` größer 工作池 {\"x\":1} 0xdeadbeef")
	text := func(n int) string {
		var b strings.Builder
		for range rng.IntN(n + 1) {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		return b.String()
	}
	texts := func(n, size int) []string {
		out := []string{}
		for range rng.IntN(n + 1) {
			out = append(out, text(size))
		}
		return out
	}
	result := func() contract.Result {
		r := contract.Result{Summary: text(80), KeyFindings: []contract.Finding{}, Confidence: contract.Med, References: []string{}}
		for _, f := range texts(12, 40) {
			r.KeyFindings = append(r.KeyFindings, contract.Finding{Text: f})
		}
		for i := range rng.IntN(20) {
			r.References = append(r.References, fmt.Sprintf("some/long/path/to/a/file%d.go:%d", i, rng.IntN(5000)))
		}
		if rng.IntN(2) == 0 {
			r.Note(text(40))
		}
		return r
	}
	note, _ := json.Marshal(map[string]any{"verdict": text(90), "issues": texts(9, 30)})
	return Report{Question: text(600), Answer: text(300), References: result().References, RootsSearched: []string{"/home/someone/src/project"},
		Sections: []Section{{"base", contract.Succeeded[any](result(), contract.Timing{})}, {"more", contract.Succeeded[any](result(), contract.Timing{})},
			{"note", contract.Succeeded[any](json.RawMessage(note), contract.Timing{})},
			{"sad", contract.Outcome[any]{Status: contract.Failed, Error: &contract.Error{Code: "INTERNAL", Message: text(20)}}}},
		Meta: Meta{Keywords: texts(8, 1), RolesRun: []string{"base", "more"}}}
}

func reportType(t *testing.T) *schema.Schema {
	t.Helper()
	s, err := shapeOf(t, `{"base":{"place":1,"always":true},"more":{"place":2,"worth":8,"keep":{"findings":[3,1]}},"sad":{"place":4,"worth":1,"keep":{"references":[2,1]}}}`,
		map[string]*schema.Schema{"base": outcomeOf(resultSchema()), "more": outcomeOf(resultSchema()), "note": outcomeOf(noteSchema()), "sad": outcomeOf(resultSchema())})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// out lets a value out without a tree to hold references against.
func out(t *testing.T, v any, typ *schema.Schema, max int) string {
	t.Helper()
	raw, err := egress.New(redact.Default()).Apply(context.Background(), v, typ, nil, max)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestEveryReportFits draws reports of all sizes and budgets of all sizes, and
// puts each into an expression as well.
func TestEveryReportFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	typ := reportType(t)
	around := &schema.Schema{Type: schema.Object, Fields: []schema.Field{{Name: "report", Required: true, Schema: typ}}}
	for range 60 {
		r := aReport(rng)
		r.References = nil // there is no tree
		budget := 200 + rng.IntN(1500)
		raw := out(t, r, typ, budget)
		if n := tokens.Count(raw); n > budget {
			t.Fatalf("%d tokens of %d: %s", n, budget, raw)
		}
		whole, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := json.Unmarshal(whole, &plain); err != nil {
			t.Fatal(err)
		}
		wrapped := out(t, map[string]any{"report": plain}, around, budget)
		if n := tokens.Count(wrapped); n > budget {
			t.Fatalf("%d tokens of %d: %s", n, budget, wrapped)
		}
		if strings.Contains(raw, `"truncations"`) || tokens.Count(raw)+8 > budget {
			continue
		}
		if wrapped != `{"report":`+raw+`}` {
			t.Errorf("wrapped it leaves as\n%s\nnot\n%s", wrapped, raw)
		}
	}
}

// What a model adds is the first to go: each line of the reply without it is there.
func TestAModelsWordsTakeNoPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	typ := reportType(t)
	text := func(r Report, budget int) string {
		return render.Reply([]byte(out(t, r, typ, budget)), typ, render.Text)
	}
	for range 60 {
		r := aReport(rng)
		r.References, r.Places = nil, nil // there is no tree
		budget := 200 + rng.IntN(1500)
		more := r
		more.Answer += contract.Worded + strings.Repeat(" It waits until a worker is free (a.go:1).", 1+rng.IntN(8))
		more.Meta.Model = &Spoken{Names: []string{"a-model-of-1.5b"}, Calls: 3, TokensIn: 2000, TokensOut: 300}
		got := text(more, budget)
		for line := range strings.Lines(text(r, budget)) {
			if !strings.Contains(got, line) {
				t.Fatalf("%d tokens: lost %q of\n%s\nin\n%s", budget, line, text(r, budget), got)
			}
		}
	}
}

func TestReportsAreReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r := aReport(rng)
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Report
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, back); d != "" {
			t.Error(d)
		}
	}
	for _, bad := range []string{`[]`, `{"locator":3}`, `{"question":1}`, `{"x":{"status":[]}}`} {
		if err := json.Unmarshal([]byte(bad), &Report{}); err == nil {
			t.Errorf("%s is read as a report", bad)
		}
	}
}

func TestCutsAreNoted(t *testing.T) {
	r := Report{Question: "q", Answer: strings.Repeat("word ", 100), RootsSearched: []string{"/src"}, References: []string{}, Meta: Meta{RolesRun: []string{}, Keywords: []string{}},
		Sections: []Section{{"base", contract.Succeeded[any](aResult(0, 30, "s"), contract.Timing{})}}}
	var got Report
	if err := json.Unmarshal([]byte(out(t, r, reportType(t), 300)), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(got.Meta.Truncations, "base findings") {
		t.Errorf("truncations %q", got.Meta.Truncations)
	}
}

func TestReportShowsEverySection(t *testing.T) {
	first, second := aResult(1, 2, "s"), aResult(0, 1, "t")
	first.Note("n")
	r := Report{Question: "q", Answer: "a", RootsSearched: []string{"/src"}, References: []string{"f0.go:1"}, Meta: Meta{Truncations: []string{"x"}},
		Sections: []Section{{"base", contract.Succeeded[any](first, contract.Timing{})},
			{"note", contract.Succeeded[any](json.RawMessage(`{"verdict":"fine","issues":["one","two"]}`), contract.Timing{})},
			{"sad", contract.Outcome[any]{Status: contract.Failed, Error: &contract.Error{Code: "X", Message: "no"}}}}}
	text := func(f render.Format) string {
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return render.Reply(raw, reportType(t), f)
	}
	want := "a\n\nReferences\n  f0.go:1\n\nKey Findings\n  - `F0` (f0.go:1) does\n  - `F1` (f1.go:2) does\n\nnote\n  verdict: fine\n  issues:\n    one\n    two\n" +
		"\nNotes\n  - n\n  - sad failed: no\n\nconfidence med\n"
	if d := cmp.Diff(want, text(render.Text)); d != "" {
		t.Error(d)
	}
	if md := text(render.Markdown); !strings.Contains(md, "\n## note\n\n- verdict: fine\n- issues:\n") {
		t.Errorf("no section in %s", md)
	}
	r.Sections = append(r.Sections, Section{"more", contract.Succeeded[any](second, contract.Timing{})})
	if plain := text(render.Text); strings.Contains(plain, "F1") || !strings.Contains(plain, "F0") {
		t.Errorf("findings of the first section stand beside those of others: %s", plain)
	}
}
